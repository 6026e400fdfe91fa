import type { EventAddress } from '../../records';
import type { RedisSettings } from '../../settings';

/**
 * How the ledger lies in Redis. A record, all that belongs to it and its index entries are in one shard. All keys of a shard have one
 * hash tag, so that a script may touch them together and shards spread over a cluster. How many there are is up to whoever opens the
 * ledger first, and then stays.
 *
 * With `<id>` = namespace NUL key (names have no control characters, so that this is unambiguous, and sorts by namespace, then key, in
 * the order of bytes):
 *
 * ```text
 * <prefix>:schema                      { version, layout, shards } (JSON)
 * <prefix>:{TT}:e:<id>                 string: a record, see recordText.ts. It has no time to live, because its index entries have none;
 *                                      the BackgroundIndexer removes what is expired
 * <prefix>:{TT}:e:<id> NUL i, … o      string: its input and result, if they are large
 * <prefix>:{TT}:e:<id> NUL p           hash: its parts, name → text
 * <prefix>:{TT}:e:<id> NUL x           hash: external ids of its parts, name → id
 * <prefix>:{TT}:dirty                  list: changes that the indexes do not know yet, see index.lua
 *
 * <prefix>:{TT}:keys                   zset: ids in the order of bytes
 * <prefix>:{TT}:created:<namespace>    zset: keys by createdAt
 * <prefix>:{TT}:due:<state>            zset: ids by dueAt
 * <prefix>:{TT}:expiry                 zset: ids by expiresAt
 * <prefix>:{TT}:execution              zset in the order of bytes: execution NUL id
 * <prefix>:{TT}:fingerprint            zset in the order of bytes: fingerprint NUL id
 * <prefix>:{TT}:external               zset in the order of bytes: external id NUL id; of a part: … NUL name
 * <prefix>:{TT}:namespaces             zset in the order of bytes: all that have a tally
 * <prefix>:{TT}:tally:<namespace>      hash: `<day since 1970>|<kind>` → count
 *
 * <prefix>:{TT}:mark:<ns NUL object>   string: newest version; in the shard of namespace and object
 * <prefix>:{TT}:content:<fp NUL ns>    zset: keys by insertion; in the shard of fingerprint and namespace
 * <prefix>:{TT}:alias:<alias NUL ns>   string: key of the record NUL createdAt; in the shard of alias and namespace
 * <prefix>:{TT}:released               set: what records had that were removed or changed, and is in other shards: `content` or `alias`
 *                                      NUL fingerprint or alias NUL id NUL createdAt
 * <prefix>:{TT}:entry:<name>, entries  string, and zset of their names in the order of bytes; in the first shard
 * ```
 */
/** The hash tags of the shards: each in another sixteenth of the slots, so that the nodes of a cluster get equal shares. */
const TAGS = [10, 3, 61, 43, 11, 2, 60, 42, 12, 1, 63, 41, 13, 0, 62, 40];

export class Keys {
	/** The start of the keys of each shard. */
	readonly shards: readonly string[];

	constructor(prefix: string, shardCount: number) {
		this.shards = TAGS.slice(0, shardCount).map((tag) => `${prefix}:{${tag}}:`);
	}

	/** The shard of a record, and also of an object or a fingerprint in a namespace. */
	shardOf(id: string): string {
		return this.shards[this.shards.length === 1 ? 0 : hash(id) % this.shards.length];
	}
}

/** More than one only helps where there is more than one server. */
export function shardCountFor({ topology }: RedisSettings): number {
	return topology === 'cluster' ? TAGS.length : 1;
}

export function recordKey(shard: string, id: string): string {
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
