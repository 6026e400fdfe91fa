import type { RecordStore } from '../../../ledger/stores/RecordStore';
import {
	FIRST,
	type Fixture,
	insertedExpired,
	inserted,
	insertion,
	insertOne,
	readOne,
	swapOf,
	swapOne,
	talliesOf,
} from './fixture';

export function describeRaces(fixture: Fixture): void {
	const twoStores = async (): Promise<RecordStore[]> => [
		fixture.store,
		await fixture.openAnother(),
	];

	it('one of many insertions of a key wins', async () => {
		const stores = await twoStores();
		for (let round = 0; round < 5; round++) {
			const key = `k${round}`;
			const replies = await Promise.all(
				Array.from({ length: 100 }, (_, i) =>
					insertOne(stores[i % 2], insertion(fixture, key, { body: `body ${i}` })),
				),
			);
			const winners = replies.flatMap((reply, i) => (reply.inserted ? [i] : []));
			expect(winners).toHaveLength(1);
			const body = `body ${winners[0]}`;
			for (const reply of replies) {
				if (!reply.inserted) expect(reply.met).toMatchObject({ key, body, revision: FIRST });
			}
			const counts = replies.flatMap((reply) => (reply.inserted ? [] : [reply.met.duplicates]));
			expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 99 }, (_, i) => i + 1));
			expect(await readOne(stores[0], { namespace: fixture.namespace, key })).toMatchObject({
				body,
				duplicates: 99,
			});
		}
		expect(await talliesOf(fixture)).toEqual({ new: 5, met_processing: 495 });
	});

	it('one of many swaps of a revision wins', async () => {
		const stores = await twoStores();
		let record = await inserted(fixture, 'k');
		for (let round = 0; round < 10; round++) {
			const replies = await Promise.all(
				Array.from({ length: 20 }, (_, i) =>
					swapOne(
						stores[i % 2],
						swapOf(record, {
							body: `body ${i}`,
							parts: [{ name: 'p', text: `part ${i}` }],
							append: `{"n":${i}}`,
							counts: [{ kind: 'won', n: 1 }],
						}),
					),
				),
			);
			const winners = replies.flatMap((reply, i) => (reply ? [i] : []));
			expect(winners).toHaveLength(1);
			const revision = record.revision + 1;
			record = await readOne(fixture.store, record);
			expect(record).toMatchObject({ revision, body: `body ${winners[0]}` });
			expect(record.parts).toEqual([{ name: 'p', text: `part ${winners[0]}` }]);
			expect(record.history!.split(',')).toHaveLength(round + 1);
		}
		expect(await talliesOf(fixture)).toEqual({ new: 1, won: 10 });
	});

	it('one of many successors of an expired record wins', async () => {
		const stores = await twoStores();
		const expired = await insertedExpired(fixture, 'k');
		const { namespace, key } = expired;
		const successors = await Promise.all(
			Array.from({ length: 20 }, async (_, i) => {
				const store = stores[i % 2];
				await store.remove([{ namespace, key, onlyIfExpired: true }]);
				return await insertOne(store, insertion(fixture, key));
			}),
		);
		expect(successors.filter((reply) => reply.inserted)).toHaveLength(1);
	});

	it('batches that overlap in opposite orders neither wait for each other for ever nor lose any', async () => {
		const stores = await twoStores();
		const keys = Array.from({ length: 200 }, (_, i) => `key ${i}`);
		const orders = [keys, [...keys].reverse(), [...keys].sort(), [...keys].sort().reverse()];
		const { namespace } = fixture;
		const batches = await Promise.all(
			Array.from({ length: 8 }, async (_, i) => {
				const order = orders[i % 4];
				const { replies } = await stores[i % 2].insert(order.map((key) => insertion(fixture, key)));
				return order.filter((__, at) => replies[at].inserted);
			}),
		);
		expect(batches.flat().sort()).toEqual([...keys].sort());
		const wanted = keys.map((key) => ({ namespace, key }));
		for (const revision of [FIRST, FIRST + 1, FIRST + 2]) {
			const won = await Promise.all(
				Array.from({ length: 8 }, async (_, i) => {
					const order = orders[i % 4];
					const { records } = await stores[i % 2].read(order.map((key) => ({ namespace, key })));
					const { replies } = await stores[i % 2].swap(
						records.map((record) =>
							swapOf(
								{ ...record!, revision },
								{ parts: [{ name: 'p', text: `${i}` }], append: '{}' },
							),
						),
					);
					return order.filter((__, at) => replies[at]);
				}),
			);
			expect(won.flat().sort()).toEqual([...keys].sort());
		}
		const { records } = await stores[0].read(wanted);
		for (const record of records)
			expect(record).toMatchObject({ revision: FIRST + 3, duplicates: 7 });
	});

	it('insertions, removals and duplicates of one key go on side by side', async () => {
		const stores = await twoStores();
		const { namespace } = fixture;
		const address = { namespace, key: 'k' };
		const results = await Promise.all(
			Array.from({ length: 120 }, async (_, i) => {
				const store = stores[i % 2];
				if (i % 3 === 0) return (await store.remove([address]))[0] ? -1 : 0;
				return (await insertOne(store, insertion(fixture, 'k'))).inserted ? 1 : 0;
			}),
		);
		const left = results.reduce((sum: number, change) => sum + change, 0);
		const { records } = await stores[0].read([address]);
		expect(records.filter(Boolean)).toHaveLength(left);
	});
}
