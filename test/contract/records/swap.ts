import { setTimeout as sleep } from 'node:timers/promises';

import { BATCH_LIMIT, NEVER } from '../../../ledger/stores/RecordStore';
import {
	APART_MS,
	expectNoHoles,
	FIRST,
	type Fixture,
	headOf,
	inserted,
	insertion,
	insertOne,
	keysOf,
	readOne,
	swapOf,
	swapOne,
	swapped,
	talliesOf,
} from './fixture';

export function describeSwap(fixture: Fixture): void {
	it('writes all of the record, whose revision becomes one more', async () => {
		const record = await inserted(fixture, 'k', { executionId: 'e', fingerprint: 'f' });
		const head = {
			state: 'review',
			createdAt: record.createdAt - 5,
			dueAt: NEVER,
			externalId: 'x',
		} as const;
		const { now, replies } = await fixture.store.swap([swapOf(record, { head, body: 'new body' })]);
		expect(replies).toEqual([{ duplicates: 0, lastSeenAt: record.lastSeenAt }]);
		expect(now).toBeGreaterThanOrEqual(record.createdAt);
		const after = await readOne(fixture.store, record);
		expectNoHoles(after);
		expect(after).toMatchObject({ ...head, revision: FIRST + 1, body: 'new body', history: '' });
		expect(after).not.toHaveProperty('executionId');
		expect(after).not.toHaveProperty('fingerprint');
		const done = { state: 'done', createdAt: head.createdAt, expiresAt: now + 1e6 } as const;
		const last = await swapped(fixture, after, { head: done });
		expect(last).toMatchObject({ ...done, revision: FIRST + 2 });
		expect(last).not.toHaveProperty('dueAt');
		expect(last).not.toHaveProperty('externalId');
	});

	it('changes nothing at all if the revision is another one', async () => {
		const { store } = fixture;
		const first = await inserted(fixture, 'k', { input: 'in' });
		const before = await swapped(fixture, first, {
			parts: [{ name: 'p', text: 'old' }],
			append: '{"n":1}',
		});
		const tallies = await talliesOf(fixture);
		for (const revision of [FIRST, FIRST + 2]) {
			const reply = await swapOne(
				store,
				swapOf(before, {
					revision,
					head: { state: 'done', createdAt: 1, expiresAt: 2 },
					body: 'other',
					input: null,
					result: 'other',
					parts: [
						{ name: 'p', text: 'new' },
						{ name: 'q', text: 'new', externalId: 'other' },
					],
					append: '{"n":2}',
					rotate: true,
					duplicates: 5,
					lastSeenAt: 7,
					counts: [{ kind: 'never', n: 1 }],
				}),
			);
			expect(reply).toBeUndefined();
		}
		expect(await readOne(store, before)).toEqual(before);
		expect(await talliesOf(fixture)).toEqual(tallies);
		const byPart = { namespace: fixture.namespace, externalId: 'other', limit: 10 };
		expect(await keysOf(store, { ...byPart, order: 'key' })).toEqual([]);
	});

	it('does nothing for a record that is missing, nor for no items', async () => {
		const { store, namespace } = fixture;
		const record = await inserted(fixture, 'k');
		const missing = { ...swapOf(record), key: 'missing', counts: [{ kind: 'never', n: 1 }] };
		expect(await swapOne(store, missing)).toBeUndefined();
		const elsewhere = { ...missing, namespace: `${namespace} elsewhere`, key: 'k' };
		expect(await swapOne(store, elsewhere)).toBeUndefined();
		expect(await talliesOf(fixture)).toEqual({ new: 1 });
		expect((await store.swap([])).replies).toEqual([]);
	});

	it('leaves, replaces and drops values', async () => {
		let record = await inserted(fixture, 'k', { input: 'in' });
		record = await swapped(fixture, record, { result: 'out' });
		expect(record).toMatchObject({ input: 'in', result: 'out' });
		record = await swapped(fixture, record, { input: 'in 2' });
		expect(record).toMatchObject({ input: 'in 2', result: 'out' });
		record = await swapped(fixture, record, { input: null, result: 'x'.repeat(1_400_000) });
		expect(record).not.toHaveProperty('input');
		expect(record.result).toHaveLength(1_400_000);
		record = await swapped(fixture, record, {});
		expect(record.result).toHaveLength(1_400_000);
		record = await swapped(fixture, record, { input: '', result: null });
		expect(record).toMatchObject({ input: '' });
		expect(record).not.toHaveProperty('result');
		record = await swapped(fixture, record, { input: null });
		expectNoHoles(record);
		expect(record).not.toHaveProperty('input');
	});

	it('adds parts and gives parts new texts', async () => {
		const { store } = fixture;
		const first = await inserted(fixture, 'k');
		const text = 'é\u{1f600}"\\'.padEnd(200);
		const a = { name: 'step\u001fa', text, externalId: 'x' };
		const b = { name: 'step\u001fb', text: 'y'.repeat(1_400_000) };
		let record = await swapped(fixture, first, { parts: [a, b] });
		expect(record.parts).toHaveLength(2);
		expect(record.parts).toEqual(expect.arrayContaining([a, b]));
		record.parts!.forEach(expectNoHoles);
		const changed = { name: a.name, text: 'new' };
		const c = { name: '__proto__', text: '' };
		record = await swapped(fixture, record, { parts: [changed, c] });
		expect(record.parts).toHaveLength(3);
		expect(record.parts).toEqual(expect.arrayContaining([changed, b, c]));
		const byOldId = { namespace: fixture.namespace, externalId: 'x', limit: 10 };
		expect(await keysOf(store, { ...byOldId, order: 'key' })).toEqual([]);
		const many = Array.from({ length: 300 }, (_, i) => ({ name: `many ${i}`, text: `t${i}` }));
		record = await swapped(fixture, record, { parts: many });
		expect(record.parts).toHaveLength(303);
		const other = await inserted(fixture, 'other');
		expect(other.parts ?? []).toEqual([]);
	});

	it('appends to the history', async () => {
		let record = await inserted(fixture, 'k');
		record = await swapped(fixture, record, { append: '{"n":1}' });
		record = await swapped(fixture, record, { append: '' });
		record = await swapped(fixture, record, { append: '{"n":"é,\u{1f600}"},{"n":3}' });
		expect(record.history).toBe('{"n":1},{"n":"é,\u{1f600}"},{"n":3}');
	});

	it('keeps what was appended since the last rotation, and drops what is older', async () => {
		let record = await inserted(fixture, 'k');
		const append = async (n: number, rotate = false) => {
			const text = `{"n":${n},"text":"é\u{1f600}"}`;
			record = await swapped(fixture, record, { append: text, rotate });
			const history = JSON.parse(`[${record.history}]`) as Array<{ n: number }>;
			return history.map((entry) => entry.n);
		};
		const upTo = (from: number, to: number) =>
			Array.from({ length: to - from + 1 }, (_, i) => from + i);
		const appendUpTo = async (from: number, to: number) => {
			let kept: number[] = [];
			for (const n of upTo(from, to)) kept = await append(n);
			return kept;
		};
		expect(await appendUpTo(1, 110)).toEqual(upTo(1, 110));
		expect(await append(111, true)).toEqual(upTo(1, 111));
		expect(await appendUpTo(112, 220)).toEqual(upTo(1, 220));
		// Whether 111 belongs to what came before or after the rotation is left to the store.
		const rotated = await append(221, true);
		expect(rotated.slice(-110)).toEqual(upTo(112, 221));
		expect([111, 112]).toContain(rotated[0]);
		const last = await append(222, true);
		expect(last.slice(-1)).toEqual([222]);
		expect(last[0]).toBeGreaterThanOrEqual(221);
	});

	it('adds to the duplicates that were counted meanwhile, and sets when it was seen', async () => {
		const { store } = fixture;
		const record = await inserted(fixture, 'k');
		await sleep(APART_MS);
		await insertOne(store, insertion(fixture, 'k'));
		const { lastSeenAt } = await readOne(store, record);
		expect(lastSeenAt).toBeGreaterThan(record.lastSeenAt);
		const one = await swapOne(store, swapOf(record, { duplicates: 2 }));
		expect(one).toEqual({ duplicates: 3, lastSeenAt });
		const seen = { revision: FIRST + 1, duplicates: -1, lastSeenAt: record.lastSeenAt };
		const two = await swapOne(store, swapOf(record, seen));
		expect(two).toEqual({ duplicates: 2, lastSeenAt: record.lastSeenAt });
		expect(await readOne(store, record)).toMatchObject({ revision: FIRST + 2, ...two });
	});

	it('counts', async () => {
		const record = await inserted(fixture, 'k');
		const counts = [
			{ kind: 'step_started', n: 1 },
			{ kind: 'rescue_seconds', n: 1234 },
		];
		await swapped(fixture, await swapped(fixture, record, { counts }), { counts });
		expect(await talliesOf(fixture)).toEqual({ new: 1, step_started: 2, rescue_seconds: 2468 });
	});

	it('finds the record by what it has from now on, and no more by what it had', async () => {
		const { store, namespace } = fixture;
		const old = { executionId: 'e', fingerprint: 'f', externalId: 'x' };
		const record = await inserted(fixture, 'k', old);
		const changed = { executionId: 'e2', fingerprint: 'f2', externalId: 'x2' };
		await swapped(fixture, record, { head: { ...headOf(record), ...changed } });
		const query = { namespace, limit: 10, order: 'key' } as const;
		for (const name of ['executionId', 'fingerprint', 'externalId'] as const) {
			expect(await keysOf(store, { ...query, [name]: old[name] })).toEqual([]);
			expect(await keysOf(store, { ...query, [name]: changed[name] })).toEqual(['k']);
		}
	});

	it('swaps a full batch, of which single items fail alone', async () => {
		const { store, namespace } = fixture;
		const keys = Array.from({ length: BATCH_LIMIT }, (_, i) => `key ${(i * 7919) % BATCH_LIMIT}`);
		await store.insert(keys.map((key) => insertion(fixture, key, { input: `in ${key}` })));
		const wanted = keys.map((key) => ({ namespace, key }));
		const { records } = await store.read(wanted);
		const fails = (i: number) => i % 100 === 50;
		const { replies } = await store.swap(
			records.map((record, i) =>
				swapOf(record!, {
					revision: fails(i) ? FIRST + 8 : FIRST,
					body: `new ${i}`,
					...(i % 2 === 0 && { input: null, result: `out ${i}` }),
					parts: [{ name: 'p', text: `part ${i}` }],
					append: `{"n":${i}}`,
					counts: [{ kind: 'step_done', n: 1 }],
				}),
			),
		);
		const after = await store.read(
			wanted.map((item) => ({ ...item, values: true, parts: 'all', history: true })),
		);
		replies.forEach((reply, i) => {
			const record = after.records[i]!;
			expect(reply === undefined).toBe(fails(i));
			if (fails(i)) {
				expect(record).toMatchObject({ revision: FIRST, input: `in ${keys[i]}`, history: '' });
				expect(record.body).toBe(records[i]!.body);
				expect(record.parts ?? []).toEqual([]);
			} else {
				const values = i % 2 === 0 ? { result: `out ${i}` } : { input: `in ${keys[i]}` };
				const parts = [{ name: 'p', text: `part ${i}` }];
				const expected = { key: keys[i], revision: FIRST + 1, history: `{"n":${i}}`, parts };
				expect(record).toMatchObject({ ...expected, body: `new ${i}`, ...values });
			}
		});
		expect(await talliesOf(fixture)).toEqual({ new: 1000, step_done: 990 });
	});
}
