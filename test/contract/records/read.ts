import { BATCH_LIMIT } from '../../../ledger/stores/RecordStore';
import {
	expectNoHoles,
	type Fixture,
	inserted,
	insertion,
	readOne,
	swapped,
	withoutExtras,
} from './fixture';

export function describeRead(fixture: Fixture): void {
	const parts = ['a', 'b', 'c'].map((name) => ({ name, text: `text of ${name}` }));

	it('gives only what is wanted', async () => {
		const { store } = fixture;
		const first = await inserted(fixture, 'k', { input: 'in', result: 'out' });
		const all = await swapped(fixture, first, { parts, append: '{"n":1}' });
		const bare = await readOne(store, all, {});
		expectNoHoles(bare);
		for (const name of ['input', 'result', 'history']) expect(bare).not.toHaveProperty(name);
		expect(bare.parts ?? []).toEqual([]);
		const { input, result, history } = all;
		const rest = withoutExtras(all);
		expect(bare).toMatchObject(rest);

		const withValues = await readOne(store, all, { values: true });
		expect(withValues).toMatchObject({ ...rest, input, result });
		expect(withValues).not.toHaveProperty('history');
		expect(withValues.parts ?? []).toEqual([]);

		const withHistory = await readOne(store, all, { history: true });
		expect(withHistory).toMatchObject({ ...rest, history });
		expect(withHistory).not.toHaveProperty('input');
	});

	it('gives all parts or those with the wanted names that exist', async () => {
		const { store } = fixture;
		const record = await swapped(fixture, await inserted(fixture, 'k'), { parts });
		const names = async (wanted: 'all' | string[]) =>
			((await readOne(store, record, { parts: wanted })).parts ?? [])
				.map(({ name }) => name)
				.sort();
		expect(await names('all')).toEqual(['a', 'b', 'c']);
		expect(await names(['c', 'missing', 'a'])).toEqual(['a', 'c']);
		expect(await names(['all'])).toEqual([]);
		expect(await names([])).toEqual([]);
	});

	it('answers in order, with nothing for what is missing', async () => {
		const { store, namespace } = fixture;
		const wanted = Array.from({ length: BATCH_LIMIT }, (_, i) => ({ namespace, key: `key ${i}` }));
		await store.insert(
			wanted.filter((_, i) => i % 2 === 0).map(({ key }) => insertion(fixture, key)),
		);
		const { now, records } = await store.read(
			wanted.map((item, i) => ({
				...item,
				...(i % 3 === 0 && { parts: 'all' as const, values: true as const }),
				...(i % 3 === 1 && { parts: ['a'], history: true as const }),
			})),
		);
		expect(Number.isInteger(now)).toBe(true);
		expect(records.map((record) => record?.key)).toEqual(
			wanted.map(({ key }, i) => (i % 2 === 0 ? key : undefined)),
		);
		const elsewhere = await store.read([{ namespace: `${namespace} elsewhere`, key: 'key 0' }]);
		expect(elsewhere.records).toEqual([undefined]);
		expect((await store.read([])).records).toEqual([]);
	});
}

export function describeClock(fixture: Fixture): void {
	it('counts whole milliseconds, never goes back, and is one for all calls', async () => {
		const { store, namespace } = fixture;
		const other = await fixture.openAnother();
		const key = 'k';
		let last = 0;
		for (let round = 0; round < 20; round++) {
			for (const from of [store, other]) {
				const item = insertion(fixture, `${key} ${round}`);
				const page = { namespace, order: 'key', limit: 1 } as const;
				const times = [
					await from.now(),
					(await from.insert([item])).now,
					(await from.read([{ namespace, key }])).now,
					(await from.list(page)).now,
					(await from.swap([])).now,
				];
				for (const time of times) {
					expect(Number.isInteger(time)).toBe(true);
					// Servers of one cluster on one machine have one clock, but each of them rounds it.
					expect(time).toBeGreaterThanOrEqual(last - 1);
					last = Math.max(last, time);
				}
			}
		}
		// The servers of the tests are on this machine.
		expect(Math.abs(Date.now() - last)).toBeLessThan(5000);
	});
}
