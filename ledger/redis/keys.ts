import type { EventAddress } from '../records';
import type { RedisSettings } from '../settings';

/**
 * How the ledger lies in Redis. Everything of one event, and the index entries for it, are in one shard. All keys of a shard
 * have one hash tag, so that a script may touch them together and shards spread over a cluster. How many there are is up to
 * whoever opens the ledger first, and then stays.
 *
 * With `<id>` = namespace NUL key (names have no control characters, so that this is unambiguous, and sorts by namespace,
 * then key, in the order of bytes):
 *
 * ```text
 * <prefix>:schema                      { version, shards } (JSON)
 * <prefix>:{TT}:e:<id>                 one event. While it is `fresh` (see claim.lua): a string, the claim and the input. From
 *                                      then on a hash, which expires with the event:
 *    r            record: StoredEvent without values, and what only the scripts need (JSON)
 *    d, l         duplicates and lastSeenAt, once there was a duplicate
 *    i, o         input, result
 *    h:<n>        entry n of the history (JSON)
 *    s:<step>     step (JSON), with its output in o:<step> and its undo in u:<step>
 *    g:<gate>     gate (JSON), with its content in c:<gate>
 * <prefix>:{TT}:fresh                  hash: ids of fresh events → when they were claimed (seconds, microseconds)
 *
 * Of all that are not fresh:
 * <prefix>:{TT}:due:<state>            zset: ids by dueAt; for all states but done
 * <prefix>:{TT}:created:<namespace>    zset: keys by createdAt
 * <prefix>:{TT}:keys:<namespace>       zset: keys in the order of bytes
 * <prefix>:{TT}:execution:<execution>  zset: ids in the order of bytes
 * <prefix>:{TT}:fingerprint:<fp>       zset: ids in the order of bytes
 * <prefix>:{TT}:expiry                 zset by expiresAt: what to clean up after a done event
 * <prefix>:{TT}:tally:<namespace>      hash: `<day since 1970>|<kind>` → count
 * <prefix>:{TT}:namespaces             zset in the order of bytes: all that have a tally
 *
 * <prefix>:{TT}:mark:<ns NUL object>   string: newest version; in the shard of namespace and object
 * <prefix>:{TT}:content:<ns NUL fp>    string: the last two keys; in the shard of namespace and fingerprint
 * ```
 */
export const SCHEMA_VERSION = 1;

/** The hash tags of the shards: each in another sixteenth of the slots, so that the nodes of a cluster get equal shares. */
const TAGS = [10, 3, 61, 43, 11, 2, 60, 42, 12, 1, 63, 41, 13, 0, 62, 40];

export class Keys {
	/** The start of the keys of each shard. */
	readonly shards: readonly string[];

	constructor(prefix: string, shardCount: number) {
		this.shards = TAGS.slice(0, shardCount).map((tag) => `${prefix}:{${tag}}:`);
	}

	/** The shard of an event, and also of an object or a fingerprint in its namespace. */
	shardOf(id: string): number {
		return this.shards.length === 1 ? 0 : hash(id) % this.shards.length;
	}

	event(address: EventAddress): string {
		const id = idOf(address);
		return eventKey(this.shards[this.shardOf(id)], id);
	}
}

/** More than one only helps where there is more than one server. */
export function shardCountFor({ topology }: RedisSettings): number {
	return topology === 'cluster' ? TAGS.length : 1;
}

export function eventKey(shard: string, id: string): string {
	return `${shard}e:${id}`;
}

export function idOf({ namespace, key }: EventAddress): string {
	return `${namespace}\0${key}`;
}

export function addressOf(id: string): EventAddress {
	const end = id.indexOf('\0');
	return { namespace: id.slice(0, end), key: id.slice(end + 1) };
}

/** FNV-1a over UTF-16 units: stable, and far cheaper than a digest. */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
	}
	// The low bits of FNV depend on the low bits of the text only.
	return (value ^ (value >>> 16)) >>> 0;
}
