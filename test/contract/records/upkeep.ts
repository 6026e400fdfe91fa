import { setTimeout as sleep } from 'node:timers/promises';

import { BATCH_LIMIT } from '../../../ledger/stores/RecordStore';
import {
	FIRST,
	doneInsertion,
	type Fixture,
	headOf,
	HOUR_MS,
	inserted,
	insertedExpired,
	insertion,
	insertOne,
	keysOf,
	readOne,
	swapOf,
	swapped,
	talliesOf,
} from './fixture';

export function describeStats(fixture: Fixture): void {
	it('count records by state, and what was counted by namespace, day and kind', async () => {
		const store = await fixture.openEmpty();
		const today = async () => new Date(await store.now()).toISOString().slice(0, 10);
		const nothing = { processing: 0, waiting: 0, done: 0, failed: 0, review: 0 };
		expect(await store.stats({ days: 1 })).toEqual({ events: nothing, tallies: [] });
		const dayBefore = await today();
		for (const namespace of ['a', 'b']) {
			const of = { namespace };
			await store.insert(['1', '2', '3', '4', '5'].map((key) => insertion(of, key)));
			await store.insert([insertion(of, '6'), doneInsertion(of, '7', { count: 'imported' })]);
			const states = { 1: 'waiting', 2: 'failed', 3: 'review', 4: 'done' } as const;
			for (const [key, state] of Object.entries(states)) {
				const record = await readOne(store, { namespace, key });
				const head = { ...headOf(record), state };
				if (state === 'done') delete head.dueAt;
				await store.swap([swapOf(record, { head, counts: [{ kind: state, n: 1 }] })]);
			}
			await store.remove([{ namespace, key: '6' }]);
			await store.insert([insertion(of, '7')]);
		}
		const ofOne = { processing: 1, waiting: 1, done: 2, failed: 1, review: 1 };
		const one = await store.stats({ namespace: 'a', days: 1 });
		expect(one.events).toEqual(ofOne);
		const both = await store.stats({ days: 365 });
		expect(both.events).toEqual({ processing: 2, waiting: 2, done: 4, failed: 2, review: 2 });
		const missing = await store.stats({ namespace: 'missing', days: 7 });
		expect(missing).toEqual({ events: nothing, tallies: [] });
		if ((await today()) !== dayBefore) return;
		const kinds = { deleted: 1, done: 1, failed: 1, imported: 1, met_done: 1, new: 6 };
		const tallies = Object.entries({ ...kinds, purged: 1, review: 1, waiting: 1 });
		const expected = (namespace: string) =>
			tallies.map(([kind, count]) => ({ namespace, day: dayBefore, kind, count }));
		expect(one.tallies).toHaveLength(tallies.length);
		expect(one.tallies).toEqual(expect.arrayContaining(expected('a')));
		expect(both.tallies).toHaveLength(2 * tallies.length);
		expect(both.tallies).toEqual(expect.arrayContaining([...expected('a'), ...expected('b')]));
	});

	it('add up under concurrent writes of two stores', async () => {
		const other = await fixture.openAnother();
		const stores = [fixture.store, other];
		await Promise.all(
			Array.from({ length: 60 }, (_, i) =>
				stores[i % 2].insert([insertion(fixture, `${i}`), insertion(fixture, 'same')]),
			),
		);
		expect(await talliesOf(fixture)).toEqual({ new: 61, met_processing: 59 });
		const { events } = await other.stats({ namespace: fixture.namespace, days: 1 });
		expect(events.processing).toBe(61);
	});
}

export function describeRemove(fixture: Fixture): void {
	it('removes records with all that belongs to them', async () => {
		const { store, namespace } = fixture;
		const fields = { executionId: 'e', fingerprint: 'f', externalId: 'x' };
		const record = await inserted(fixture, 'k', { input: 'in', result: 'out', ...fields });
		await swapped(fixture, record, {
			parts: [{ name: 'p', text: 't', externalId: 'y' }],
			append: '{"n":1}',
			duplicates: 4,
		});
		await inserted(fixture, 'other', fields);
		const addresses = ['missing', 'k'].map((key) => ({ namespace, key }));
		expect(await store.remove(addresses)).toEqual([false, true]);
		expect(await store.remove(addresses)).toEqual([false, false]);
		expect((await store.read(addresses)).records).toEqual([undefined, undefined]);
		for (const [name, value] of Object.entries(fields)) {
			const query = { namespace, [name]: value, limit: 10, order: 'key' } as const;
			expect(await keysOf(store, query)).toEqual(['other']);
		}
		const ofPart = { namespace, externalId: 'y', limit: 10, order: 'key' } as const;
		expect(await keysOf(store, ofPart)).toEqual([]);
		const due = { namespace, state: 'processing', limit: 10, order: 'due' } as const;
		expect(await keysOf(store, due)).toEqual(['other']);
		expect(await keysOf(store, { ...due, order: 'created' })).toEqual(['other']);
		expect(await talliesOf(fixture)).toEqual({ new: 2, purged: 1, deleted: 1 });

		const again = await inserted(fixture, 'k');
		expect(again).toMatchObject({ revision: FIRST, duplicates: 0, history: '' });
		for (const name of ['input', 'result', 'executionId']) expect(again).not.toHaveProperty(name);
		expect(again.parts ?? []).toEqual([]);
		expect(await store.swap([swapOf({ ...record, revision: FIRST + 1 })])).toMatchObject({
			replies: [undefined],
		});
	});

	it('removes a full batch, done and expired records too', async () => {
		const { store, namespace } = fixture;
		const keys = Array.from({ length: BATCH_LIMIT }, (_, i) => `key ${i}`);
		await store.insert(
			keys.map((key, i) =>
				i % 3 === 0
					? insertion(fixture, key)
					: doneInsertion(fixture, key, { expiresAfterMs: i % 3 === 1 ? 1 : HOUR_MS }),
			),
		);
		await sleep(20);
		const addresses = keys.map((key) => ({ namespace, key }));
		await store.remove(addresses);
		expect((await store.read(addresses)).records.filter(Boolean)).toEqual([]);
		expect(await store.remove([])).toEqual([]);
		expect((await store.stats({ namespace, days: 1 })).events).toMatchObject({
			processing: 0,
			done: 0,
		});
	});

	it('removes only what is expired, if it is told so', async () => {
		const { store, namespace } = fixture;
		await insertedExpired(fixture, 'expired');
		await inserted(fixture, 'live');
		const removals = ['expired', 'live', 'missing'].map((key) => ({ namespace, key }));
		const removed = await store.remove(removals.map((one) => ({ ...one, onlyIfExpired: true })));
		expect(removed).toEqual([true, false, false]);
		expect(await talliesOf(fixture)).toEqual({ new: 2, purged: 1 });
	});

	it('removes the mark too, if it still has this version', async () => {
		const { store, namespace } = fixture;
		const mark = (object: string, version: number) => ({
			namespace,
			object,
			version,
			retentionMs: HOUR_MS,
		});
		await store.insert(['a', 'b'].map((key) => insertion(fixture, key)));
		await store.raiseMarks([mark('object a', 5), mark('object b', 5)]);
		await store.remove([
			{ namespace, key: 'a', mark: { object: 'object a', version: 5 } },
			{ namespace, key: 'b', mark: { object: 'object b', version: 4 } },
		]);
		const stale = await store.raiseMarks([mark('object a', 1), mark('object b', 1)]);
		expect(stale).toEqual([false, true]);
	});
}

export function describePurge(fixture: Fixture): void {
	it('removes expired records, a few at a time, and counts them', async () => {
		const store = await fixture.openEmpty();
		const of = { ...fixture, store };
		const { namespace } = of;
		expect(await store.purge(10)).toBe(0);
		await inserted(of, 'open');
		await store.insert([doneInsertion(of, 'live')]);
		for (const key of ['a', 'b', 'c', 'd', 'e']) {
			const record = await insertedExpired(of, key, { executionId: 'e', input: 'in' });
			await swapped(of, record, { parts: [{ name: 'p', text: 't', externalId: 'x' }] });
		}
		const first = await store.purge(2);
		expect(first).toBeGreaterThan(0);
		expect(first).toBeLessThanOrEqual(2);
		let total = first;
		for (let i = 0; i < 10 && total < 5; i++) total += await store.purge(2);
		expect(total).toBe(5);
		expect(await store.purge(1000)).toBe(0);
		const addresses = ['a', 'e', 'open', 'live'].map((key) => ({ namespace, key }));
		const { records } = await store.read(addresses);
		expect(records.map((record) => record?.key)).toEqual([undefined, undefined, 'open', 'live']);
		expect(await talliesOf(of)).toEqual({ new: 7, purged: 5 });
		const { events } = await store.stats({ days: 1 });
		expect(events).toMatchObject({ processing: 1, done: 1 });
		expect(await insertOne(store, insertion(of, 'a'))).toEqual({ inserted: true });
		expect((await readOne(store, { namespace, key: 'a' })).parts ?? []).toEqual([]);
	});

	it('does not remove a record that is no longer expired', async () => {
		const store = await fixture.openEmpty();
		const of = { ...fixture, store };
		const record = await insertedExpired(of, 'k');
		const { createdAt } = record;
		const head = { state: 'failed', createdAt, dueAt: createdAt } as const;
		await swapped(of, record, { head });
		const done = await insertedExpired(of, 'done');
		await swapped(of, done, { head: { ...headOf(done), expiresAt: createdAt + HOUR_MS } });
		expect(await store.purge(100)).toBe(0);
		expect((await readOne(store, record)).state).toBe('failed');
	});

	it('removes expired marks and entries too', async () => {
		const store = await fixture.openEmpty();
		const { namespace } = fixture;
		const mark = (object: string, retentionMs: number) => ({
			namespace,
			object,
			version: 5,
			retentionMs,
		});
		await store.raiseMarks([mark('short', 1), mark('long', HOUR_MS)]);
		await store.putEntry({ name: 'short', text: 't', expiresAfterMs: 1 });
		await store.putEntry({ name: 'long', text: 't', expiresAfterMs: HOUR_MS });
		await store.putEntry({ name: 'ever', text: 't' });
		await sleep(20);
		expect(await store.purge(100)).toBe(0);
		expect((await store.readEntries('')).map(({ name }) => name)).toEqual(['ever', 'long']);
		const low = (object: string) => ({ ...mark(object, HOUR_MS), version: 1 });
		expect(await store.raiseMarks([low('short'), low('long')])).toEqual([false, true]);
	});
}

export function describeCheck(fixture: Fixture): void {
	it('says what it is and counts its records', async () => {
		const store = await fixture.openEmpty();
		await store.insert(['a', 'b', 'c'].map((key) => insertion(fixture, key)));
		const report = await store.check();
		expect(report).toMatchObject({ store: store.kind, entries: 3, schemaVersion: 1 });
		expect(report.server).toMatch(/\d/);
		expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
	});

	it('is closed once and for all', async () => {
		const store = await fixture.openAnother();
		await store.close();
		await store.close();
		const refused = { name: 'LedgerClosedError' };
		await expect(store.insert([insertion(fixture, 'k')])).rejects.toMatchObject(refused);
		await expect(store.now()).rejects.toMatchObject(refused);
		await expect(store.list({ limit: 1, order: 'key' })).rejects.toMatchObject(refused);
	});
}
