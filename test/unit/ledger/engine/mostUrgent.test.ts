import { mostUrgent, nextOf } from '../../../../ledger/engine/mostUrgent';
import type { StoredRecord } from '../../../../ledger/stores/RecordStore';

async function* source(...times: number[]): AsyncGenerator<StoredRecord, void> {
	for (const dueAt of times) yield { key: `${dueAt}`, dueAt } as StoredRecord;
}

async function times(records: AsyncGenerator<StoredRecord, void>, count = 100) {
	return (await nextOf(records, count)).map(({ dueAt }) => dueAt);
}

test('the most urgent come first, whichever state they are in', async () => {
	expect(await times(mostUrgent([source(1, 5, 6), source(), source(2, 3, 7), source(4)]))).toEqual([
		1, 2, 3, 4, 5, 6, 7,
	]);
	expect(await times(mostUrgent([]))).toEqual([]);
});

test('no more are looked at than are wanted, and those that follow come next', async () => {
	const seen: number[] = [];
	async function* watched() {
		for await (const record of source(1, 3, 5, 7, 9)) {
			seen.push(record.dueAt!);
			yield record;
		}
	}
	const records = mostUrgent([watched(), source(2, 4)]);
	expect(await times(records, 2)).toEqual([1, 2]);
	expect(seen).toEqual([1, 3]);
	expect(await times(records, 2)).toEqual([3, 4]);
	expect(await times(records)).toEqual([5, 7, 9]);
	expect(await times(records)).toEqual([]);
});
