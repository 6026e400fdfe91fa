import type { StoredRecord } from '../stores/RecordStore';

type Records = AsyncGenerator<StoredRecord, void>;

/** Records that come most urgent first from each source, most urgent first over all. */
export async function* mostUrgent(sources: Records[]): Records {
	const heads = await Promise.all(sources.map((source) => source.next()));
	for (;;) {
		let first: number | undefined;
		heads.forEach(({ done, value }, i) => {
			if (done) return;
			const best = first === undefined ? undefined : heads[first].value;
			if (!best || value.dueAt! < best.dueAt!) first = i;
		});
		if (first === undefined) return;
		yield heads[first].value!;
		heads[first] = await sources[first].next();
	}
}

/** The next ones, as many as that if there are so many. */
export async function nextOf(records: Records, count: number): Promise<StoredRecord[]> {
	const found: StoredRecord[] = [];
	while (found.length < count) {
		const { done, value } = await records.next();
		if (done) break;
		found.push(value);
	}
	return found;
}
