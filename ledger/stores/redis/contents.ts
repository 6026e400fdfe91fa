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
	await Promise.all(
		registered.map(async (found) => {
			const { insertion, isNew, others } = found;
			const { namespace, key, fingerprint } = insertion;
			const position = positions.get(insertion)!;
			if (replies[position].inserted) {
				const sameContentAs = others.length > 0 ? await newestSame(shards, found) : undefined;
				if (sameContentAs !== undefined) replies[position] = { inserted: true, sameContentAs };
			} else if (isNew) {
				// What was in the way does not have the content of this insertion.
				await release(shards, {
					kind: 'content',
					name: fingerprint,
					namespace,
					key,
					createdAt: now,
				});
			}
		}),
	);
	return { now, replies };
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
