import type { Inserted, Insertion, StoredRecord } from '../RecordStore';
import { asksForSameContent, contentOf, type WithContent } from './extras';
import { readRecords } from './read';
import { release } from './released';
import type { Shards } from './Shards';

/** What a cluster knows of the content of an insertion. */
interface Registered {
	insertion: WithContent;
	isNew: boolean;
	/** Keys that have or had the same content, newest first. */
	others: string[];
}

/**
 * For a cluster, where a content is in another shard than its records. Remembers beside the insertion who has it, and tells those
 * that were inserted who else does.
 */
export async function withSameContents(
	shards: Shards,
	insertions: Insertion[],
	inserting: Promise<Inserted>,
): Promise<Inserted> {
	const [inserted, registered] = await Promise.all([
		inserting,
		registerContents(shards, insertions),
	]);
	const { now } = inserted;
	const replies = [...inserted.replies];
	const positions = new Map(insertions.map((insertion, i) => [insertion, i]));
	const isInserted = ({ insertion }: Registered) => replies[positions.get(insertion)!].inserted;
	// What was in the way does not have the content of this insertion, for the others of this call either.
	const inVain = registered.filter((found) => found.isNew && !isInserted(found));
	const vain = new Set(inVain.map(({ insertion }) => contentKey(insertion, insertion.key)));
	const asking = registered.filter(isInserted);
	await Promise.all([
		...inVain.map(({ insertion: { namespace, key, fingerprint } }) =>
			release(shards, { kind: 'content', name: fingerprint, namespace, key, createdAt: now }),
		),
		...asking.map(async ({ insertion, isNew, others }) => {
			const candidates = others.filter((key) => !vain.has(contentKey(insertion, key)));
			if (candidates.length === 0) return;
			const sameContentAs = await newestSame(shards, { insertion, isNew, others: candidates });
			if (sameContentAs === undefined) return;
			replies[positions.get(insertion)!] = { inserted: true, sameContentAs };
		}),
	]);
	return { now, replies };
}

function contentKey(insertion: WithContent, key: string): string {
	return `${contentOf(insertion)}\0${key}`;
}

async function registerContents(shards: Shards, insertions: Insertion[]): Promise<Registered[]> {
	const asking = insertions.filter(asksForSameContent);
	const encode = (insertion: WithContent) => [contentOf(insertion), insertion.key];
	const replies = await shards.distribute('contents', asking, contentOf, encode);
	return asking.map((insertion, i) => {
		const [isNew, ...others] = replies[i] as [number, ...string[]];
		return { insertion, isNew: isNew === 1, others };
	});
}

/** The newest of the other records that is live and still has the content. */
async function newestSame(
	shards: Shards,
	{ insertion, others }: Registered,
): Promise<string | undefined> {
	const { namespace, fingerprint } = insertion;
	const wanted = others.map((key) => ({ namespace, key }));
	const { now, records } = await readRecords(shards, wanted);
	const isSame = (record: StoredRecord | undefined) =>
		record?.fingerprint === fingerprint && !(record.expiresAt && record.expiresAt <= now);
	return records.find(isSame)?.key;
}
