import type { EventAddress } from '../records';

/**
 * How the ledger lies in Redis. Everything of one event, and the index entries for it, are in one of 16 shards. All
 * keys of a shard have one hash tag, so that a script may touch them together, and the shards spread over the
 * nodes of a cluster. With `<id>` = namespace NUL key (names have no control characters, so that this is unambiguous
 * and sorts by namespace, then key, in the order of bytes):
 *
 * ```text
 * <prefix>:schema                      version of this layout
 * <prefix>:{NN}:e:<id>                 hash: one event; expires with it
 *    r            record: StoredEvent without values, and what only the scripts need (JSON)
 *    d, l         duplicates and lastSeenAt, once there was a duplicate
 *    i, o         input, result
 *    h:<n>        entry n of the history (JSON)
 *    s:<step>     step (JSON), with its output in o:<step> and its undo in u:<step>
 *    g:<gate>     gate (JSON), with its content in c:<gate>
 * <prefix>:{NN}:due:<state>            zset: ids by dueAt; for all states but done
 * <prefix>:{NN}:created:<namespace>    zset: keys by createdAt
 * <prefix>:{NN}:names                  zset in the order of bytes: `k` NUL id, `x` NUL execution NUL id,
 *                                      `f` NUL fingerprint NUL id
 * <prefix>:{NN}:expiry                 zset by expiresAt: what to clean up after a done event
 * <prefix>:{NN}:tally:<namespace>      hash: `<day since 1970>|<kind>` → count
 * <prefix>:{NN}:namespaces             zset in the order of bytes: all that have a tally
 * <prefix>:{NN}:mark:<object>          string: newest version; in the shard of namespace and object
 * <prefix>:{NN}:content:<fingerprint>  string: the last two keys; in the shard of namespace and fingerprint
 * ```
 */
export const SCHEMA_VERSION = 1;

/** Part of the layout: another number would look for events where they are not. */
const SHARD_COUNT = 16;

export class Keys {
	/** The start of the keys of each shard. */
	readonly shards: readonly string[];

	constructor(readonly prefix: string) {
		this.shards = Array.from(
			{ length: SHARD_COUNT },
			(_, shard) => `${prefix}:{${String(shard).padStart(2, '0')}}:`,
		);
	}

	get schema(): string {
		return `${this.prefix}:schema`;
	}

	/** The shard of an event, and also of an object or a fingerprint in its namespace. */
	shardOf(id: string): number {
		return hash(id) % SHARD_COUNT;
	}

	event(address: EventAddress): string {
		const id = idOf(address);
		return `${this.shards[this.shardOf(id)]}e:${id}`;
	}
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
