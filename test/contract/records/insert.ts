import { setTimeout as sleep } from 'node:timers/promises';

import { BATCH_LIMIT } from '../../../ledger/stores/RecordStore';
import {
	FIRST,
	APART_MS,
	doneInsertion,
	expectNoHoles,
	type Fixture,
	headOf,
	HOUR_MS,
	inserted,
	insertedExpired,
	insertion,
	insertOne,
	keysOf,
	readOne,
	swapped,
	talliesOf,
	withoutExtras,
} from './fixture';

export function describeInsert(fixture: Fixture): void {
	it('gives a new record the times of the store, its revision and what the insertion says', async () => {
		const { store, namespace } = fixture;
		const item = insertion(fixture, 'k', {
			executionId: 'e',
			fingerprint: 'f',
			externalId: 'x',
			input: '{"in":1}',
			result: '{"out":1}',
		});
		const { now, replies } = await store.insert([item]);
		expect(replies).toEqual([{ inserted: true }]);
		expect(Number.isInteger(now)).toBe(true);
		const record = await readOne(store, { namespace, key: 'k' });
		expectNoHoles(record);
		expect(record).toMatchObject({
			namespace,
			key: 'k',
			state: 'processing',
			createdAt: now,
			lastSeenAt: now,
			dueAt: now + HOUR_MS,
			executionId: 'e',
			fingerprint: 'f',
			externalId: 'x',
			revision: FIRST,
			duplicates: 0,
			body: item.body,
			input: '{"in":1}',
			result: '{"out":1}',
			history: '',
		});
		expect(record).not.toHaveProperty('expiresAt');
	});

	it('inserts done records that expire, and records without any optional field', async () => {
		const { store, namespace } = fixture;
		const { now } = await store.insert([doneInsertion(fixture, 'done')]);
		const done = await readOne(store, { namespace, key: 'done' });
		expect(done).toMatchObject({ state: 'done', expiresAt: now + HOUR_MS });
		for (const name of ['dueAt', 'executionId', 'fingerprint', 'externalId', 'input', 'result']) {
			expect(done).not.toHaveProperty(name);
		}
		expectNoHoles(done);
	});

	it('keeps every text as it is', async () => {
		const { store, namespace } = fixture;
		const text = ' \t\r\n"\'\\ \u0001\u007f\u2028 é \ue000 \u{1f600} $1 :name ? % {}[] \u0301';
		const keys = ["it's", 'a"b', 'a\\b', '{tag}', 'a:b', ' a ', '日本語', '\u{1f600}', '%_*?[a]'];
		keys.push('\u{10ffff}'.repeat(256), 'x'.repeat(512), '__proto__', '0', '1e3');
		await store.insert(
			keys.map((key) => insertion(fixture, key, { body: text + key, input: text, result: text })),
		);
		for (const key of keys) {
			expect(await readOne(store, { namespace, key })).toMatchObject({
				key,
				body: text + key,
				input: text,
				result: text,
			});
		}
	});

	it('keeps long namespaces and fingerprints apart by all of their characters', async () => {
		const { store } = fixture;
		const long = `${fixture.namespace}${'é'.repeat(200)}`;
		for (const namespace of [`${long}a`, `${long}b`]) {
			await store.insert([insertion({ namespace }, 'k', { fingerprint: namespace })]);
		}
		expect(await readOne(store, { namespace: `${long}b`, key: 'k' })).toMatchObject({
			fingerprint: `${long}b`,
			duplicates: 0,
		});
	});

	it('keeps values of a MiB', async () => {
		const { store, namespace } = fixture;
		const input = 'gzip:'.padEnd(1_400_000, 'in');
		const result = 'gzip:'.padEnd(1_400_000, 'out');
		await store.insert([insertion(fixture, 'k', { input, result })]);
		const record = await readOne(store, { namespace, key: 'k' });
		expect(record.input === input).toBe(true);
		expect(record.result === result).toBe(true);
	});

	it('inserts a full batch, and answers in its order', async () => {
		const { store, namespace } = fixture;
		const keys = Array.from({ length: BATCH_LIMIT }, (_, i) => `key ${(i * 7919) % BATCH_LIMIT}`);
		const items = keys.map((key) => insertion(fixture, key, { input: `in ${key}` }));
		await store.insert(items.filter((_, i) => i % 10 === 3));
		const { now, replies } = await store.insert(items);
		expect(replies).toHaveLength(BATCH_LIMIT);
		replies.forEach((reply, i) => {
			if (i % 10 === 3) {
				expect(reply).toMatchObject({ inserted: false, met: { key: keys[i], duplicates: 1 } });
			} else {
				expect(reply).toEqual({ inserted: true });
			}
		});
		const { records } = await store.read(
			keys.map((key) => ({ namespace, key, values: true as const })),
		);
		records.forEach((record, i) => {
			expect(record).toMatchObject({ key: keys[i], revision: FIRST, input: `in ${keys[i]}` });
			expect(Math.abs(now - record!.createdAt)).toBeLessThan(60_000);
		});
		expect(await talliesOf(fixture)).toEqual({ new: 1000, met_processing: 100 });
	});

	it('does nothing for no items', async () => {
		const { store } = fixture;
		expect((await store.insert([])).replies).toEqual([]);
	});

	it('returns what is in the way with its result, and counts a delivery', async () => {
		const { store, namespace } = fixture;
		const before = await inserted(fixture, 'k', { input: 'in', result: 'out', executionId: 'e' });
		await sleep(APART_MS);
		const { now, replies } = await store.insert([
			insertion(fixture, 'k', { body: 'other', input: 'other', result: 'other' }),
		]);
		const [reply] = replies;
		expect(reply).toEqual({
			inserted: false,
			met: { ...withoutExtras(before), duplicates: 1, lastSeenAt: now, result: 'out' },
		});
		if (!reply.inserted) expectNoHoles(reply.met);
		expect(now).toBeGreaterThan(before.createdAt);
		await insertOne(store, insertion(fixture, 'k'));
		const after = await readOne(store, { namespace, key: 'k' });
		expect(after).toMatchObject({ revision: FIRST, duplicates: 2, body: before.body, input: 'in' });
		expect(after.lastSeenAt).toBeGreaterThanOrEqual(now);
		expect(await talliesOf(fixture)).toEqual({ new: 1, met_processing: 2 });
	});

	it('counts by the state of what is in the way', async () => {
		const { store } = fixture;
		for (const state of ['waiting', 'failed', 'review', 'done'] as const) {
			const record = await inserted(fixture, state);
			const head = { ...headOf(record), state };
			if (state === 'done') delete head.dueAt;
			await swapped(fixture, record, { head });
			const reply = await insertOne(store, insertion(fixture, state));
			expect(reply).toMatchObject({ met: { state, revision: FIRST + 1, duplicates: 1 } });
		}
		expect(await talliesOf(fixture)).toEqual({
			new: 4,
			met_waiting: 1,
			met_failed: 1,
			met_review: 1,
			met_done: 1,
		});
	});

	it('does not count what is no delivery', async () => {
		const { store } = fixture;
		const before = await inserted(fixture, 'k', { result: 'out' });
		const reply = await insertOne(store, insertion(fixture, 'k', { isDelivery: undefined }));
		expect(reply).toMatchObject({
			met: { duplicates: 0, lastSeenAt: before.lastSeenAt, result: 'out' },
		});
		const imported = insertion(fixture, 'i', { isDelivery: undefined, count: 'imported' });
		await store.insert([imported]);
		expect(await talliesOf(fixture)).toEqual({ new: 1, imported: 1 });
	});

	it('returns an expired record that is in the way, and neither counts nor changes it', async () => {
		const { store, namespace } = fixture;
		const expired = await insertedExpired(fixture, 'k', { result: 'out' });
		const { now, replies } = await store.insert([insertion(fixture, 'k')]);
		const met = { state: 'done', expiresAt: expired.expiresAt, duplicates: 0, result: 'out' };
		expect(replies).toMatchObject([{ inserted: false, met }]);
		expect(expired.expiresAt).toBeLessThanOrEqual(now);
		expect(await readOne(store, { namespace, key: 'k' })).toEqual(expired);
		expect(await talliesOf(fixture)).toEqual({ new: 1 });
	});

	describe('an alias', () => {
		it('is in the way of another key with the same, in its namespace', async () => {
			const { store, namespace } = fixture;
			const owner = await inserted(fixture, 'owner', { alias: 'order 1', result: 'out' });
			expect(owner).toMatchObject({ key: 'owner', alias: 'order 1' });
			const other = insertion(fixture, 'other', { alias: 'order 1' });
			const met = { key: 'owner', alias: 'order 1', duplicates: 1, result: 'out' };
			expect(await insertOne(store, other)).toMatchObject({ inserted: false, met });
			expect((await store.read([{ namespace, key: 'other' }])).records).toEqual([undefined]);
			const elsewhere = { ...other, namespace: `${namespace} elsewhere` };
			expect(await insertOne(store, elsewhere)).toEqual({ inserted: true });
			expect(await insertOne(store, { ...other, alias: 'order 2' })).toEqual({ inserted: true });
			expect(await talliesOf(fixture)).toMatchObject({ new: 2, met_processing: 1 });
		});

		it('comes after the key', async () => {
			const { store } = fixture;
			await inserted(fixture, 'a', { alias: 'alias of a' });
			await inserted(fixture, 'b', { alias: 'alias of b' });
			const reply = await insertOne(store, insertion(fixture, 'b', { alias: 'alias of a' }));
			expect(reply).toMatchObject({ inserted: false, met: { key: 'b' } });
		});

		it('is free again when its record was removed, and stays when it is swapped', async () => {
			const { store, namespace } = fixture;
			const record = await inserted(fixture, 'a', { alias: 'x' });
			const head = { state: 'done', createdAt: record.createdAt, alias: 'x' } as const;
			expect(await swapped(fixture, record, { head })).toMatchObject({ alias: 'x' });
			const other = insertion(fixture, 'b', { alias: 'x' });
			expect(await insertOne(store, other)).toMatchObject({ inserted: false });
			await store.remove([{ namespace, key: 'a' }]);
			expect(await insertOne(store, other)).toEqual({ inserted: true });
		});

		it('belongs to one of many that come at once', async () => {
			const stores = [fixture.store, await fixture.openAnother()];
			const replies = await Promise.all(
				Array.from({ length: 60 }, async (_, i) =>
					insertOne(stores[i % 2], insertion(fixture, `key ${i}`, { alias: 'x' })),
				),
			);
			const winners = replies.filter((reply) => reply.inserted);
			expect(winners).toHaveLength(1);
			const keys = replies.flatMap((reply) => (reply.inserted ? [] : [reply.met.key]));
			expect(new Set(keys).size).toBe(1);
		});
	});

	describe('the same content', () => {
		const alike = { fingerprint: 'v1:same content', findSameContent: true } as const;
		const sameContent = async (key: string, change: object = {}) => {
			await sleep(APART_MS);
			const reply = await insertOne(
				fixture.store,
				insertion(fixture, key, { ...alike, ...change }),
			);
			expect(reply.inserted).toBe(true);
			return reply.inserted ? reply.sameContentAs : undefined;
		};

		it('is that of the newest other record with the same fingerprint', async () => {
			expect(await sameContent('z first')).toBeUndefined();
			expect(await sameContent('second')).toBe('z first');
			expect(await sameContent('third')).toBe('second');
			expect(await sameContent('other', { fingerprint: 'v1:other content' })).toBeUndefined();
			expect(await sameContent('without', { fingerprint: undefined })).toBeUndefined();
			const namespace = `${fixture.namespace} elsewhere`;
			expect(await sameContent('elsewhere', { namespace })).toBeUndefined();
		});

		it('is looked for, and found, only with the option', async () => {
			expect(await sameContent('silent', { findSameContent: undefined })).toBeUndefined();
			expect(await sameContent('first')).toBeUndefined();
			expect(await sameContent('silent too', { findSameContent: undefined })).toBeUndefined();
			expect(await sameContent('second')).toBe('first');
		});

		it('is found in a batch, whether it came before or with it', async () => {
			expect(await sameContent('before')).toBeUndefined();
			const other = { ...alike, fingerprint: 'v1:of the batch' };
			const { replies } = await fixture.store.insert([
				insertion(fixture, 'a', alike),
				insertion(fixture, 'b', other),
				insertion(fixture, 'c', other),
			]);
			expect(replies).toEqual([
				{ inserted: true, sameContentAs: 'before' },
				{ inserted: true },
				{ inserted: true, sameContentAs: 'b' },
			]);
		});

		it('is not that of a removed or an expired record, nor of an older content', async () => {
			await sameContent('first');
			await sameContent('second');
			const { store, namespace } = fixture;
			await store.remove([{ namespace, key: 'second' }]);
			expect(await sameContent('third')).toBe('first');
			await store.remove(['first', 'third'].map((key) => ({ namespace, key })));
			expect(await sameContent('first')).toBeUndefined();
			const record = await readOne(store, { namespace, key: 'first' });
			await swapped(fixture, record, { head: { ...headOf(record), fingerprint: 'v1:changed' } });
			expect(await sameContent('fourth')).toBeUndefined();
			await store.remove([{ namespace, key: 'fourth' }]);
			await insertedExpired(fixture, 'expired', alike);
			expect(await sameContent('fifth')).toBeUndefined();
		});

		it('is not told of a record that is in the way', async () => {
			await sameContent('first');
			await sameContent('second');
			const reply = await insertOne(fixture.store, insertion(fixture, 'second', alike));
			expect(reply).toMatchObject({ inserted: false, met: { key: 'second' } });
			expect(reply).not.toHaveProperty('sameContentAs');
		});
	});

	it('shows a new record at once, in every list and to another store', async () => {
		const { store, namespace } = fixture;
		const other = await fixture.openAnother();
		for (const [i, from] of [store, other, store].entries()) {
			const fields = { executionId: 'e', fingerprint: 'f', externalId: 'x' };
			await from.insert([insertion(fixture, `k${i}`, fields)]);
			const to = i === 0 ? other : store;
			const keys = Array.from({ length: i + 1 }, (_, n) => `k${n}`);
			const page = { namespace, limit: 10 };
			for (const by of [{ executionId: 'e' }, { fingerprint: 'f' }, { externalId: 'x' }, {}]) {
				expect(await keysOf(to, { ...page, ...by, order: 'key' })).toEqual(keys);
			}
			const due = await keysOf(to, { ...page, state: 'processing', order: 'due' });
			expect(due.sort()).toEqual(keys);
			expect((await keysOf(to, { ...page, order: 'created' })).sort()).toEqual(keys);
			expect((await to.stats({ namespace, days: 1 })).events.processing).toBe(i + 1);
		}
	});
}
