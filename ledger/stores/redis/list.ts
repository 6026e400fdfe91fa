import { type RecordQuery, SEARCH_LIMIT, type StoredRecord } from '../RecordStore';
import { bringUpToDate } from './indexes';
import { addressOf } from './keys';
import { readSummary } from './recordText';
import type { Shards, Value } from './Shards';

/** How many index entries a call looks at, however few of them are wanted. */
const ENTRIES_PER_CALL = 2000;

type Place = NonNullable<RecordQuery['after']>;

/** What a shard has of a page. */
interface Portion {
	records: StoredRecord[];
	/** Where the search was given up. */
	end?: Place;
}

/** Any of the shards may have all that is wanted, so each is asked for that many. */
export async function listRecords(shards: Shards, query: RecordQuery): Promise<StoredRecord[]> {
	await bringUpToDate(shards);
	const portions = await Promise.all(shards.all.map((shard) => listShard(shards, shard, query)));
	const [{ records }] = portions;
	if (portions.length === 1) return records;
	const all = portions.flatMap((portion) => portion.records).sort(inOrder(query.order));
	// Behind the place where a shard gave up there may be records of its own that were not looked at.
	const ends = portions.flatMap(({ end }) => (end ? [end] : [])).sort(byAddress);
	const isBehind = (record: StoredRecord) => ends.length > 0 && byAddress(record, ends[0]) > 0;
	return all.filter((record) => !isBehind(record)).slice(0, query.limit);
}

async function listShard(shards: Shards, shard: string, query: RecordQuery): Promise<Portion> {
	const records: StoredRecord[] = [];
	const isSearch = query.keyPart !== undefined;
	let left = isSearch ? Math.ceil(SEARCH_LIMIT / shards.all.length) : Infinity;
	for (let { after } = query; ; ) {
		const step = { ...query, ...indexOf(query), after, limit: query.limit - records.length };
		const args = [JSON.stringify(step), Math.min(left, ENTRIES_PER_CALL)];
		const reply = (await shards.run('list', shard, args)) as Value[];
		const [seen, isMore, time, id, ...found] = reply as [number, number, string, string];
		for (let i = 0; i < found.length; i += 2) {
			records.push(readSummary(addressOf(found[i]), found[i + 1]));
		}
		if (isMore === 0 || records.length === query.limit) return { records };
		after = { time: Number(time), ...addressOf(id) };
		left -= seen;
		if (left <= 0) return { records, end: after };
	}
}

/** For the order `key`: which index, and the value in it. */
function indexOf(query: RecordQuery): { index: string; value?: string } {
	const { externalId, executionId, fingerprint } = query;
	if (externalId !== undefined) return { index: 'external', value: externalId };
	if (executionId !== undefined) return { index: 'execution', value: executionId };
	if (fingerprint !== undefined) return { index: 'fingerprint', value: fingerprint };
	return { index: 'keys' };
}

function inOrder(order: RecordQuery['order']): (a: StoredRecord, b: StoredRecord) => number {
	if (order === 'key') return byAddress;
	if (order === 'due') return (a, b) => a.dueAt! - b.dueAt! || byAddress(a, b);
	return (a, b) => b.createdAt - a.createdAt || byAddress(b, a);
}

type Named = Pick<StoredRecord, 'namespace' | 'key'>;

/** In the order of bytes, which is not the order of JavaScript's UTF-16 units. */
function byAddress(a: Named, b: Named): number {
	return compareBytes(a.namespace, b.namespace) || compareBytes(a.key, b.key);
}

function compareBytes(a: string, b: string): number {
	return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
