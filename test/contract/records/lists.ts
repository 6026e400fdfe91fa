import { setTimeout as sleep } from 'node:timers/promises';

import {
	type Insertion,
	NEVER,
	type RecordQuery,
	type StoredRecord,
} from '../../../ledger/stores/RecordStore';
import {
	allPages,
	doneInsertion,
	expectNoHoles,
	type Fixture,
	headOf,
	inserted,
	insertion,
	keysOf,
	readOne,
	swapOf,
	swapped,
	withoutExtras,
} from './fixture';

/** In which UTF-8 and UTF-16 differ, and in which SQL, Redis and Lua have patterns. */
const KEYS = [
	...['a', 'B', 'ab', 'a b', 'a\u{1f600}', 'a\uffee', 'a\ue000', 'a\u{10000}', 'aé', 'ae\u0301'],
	...['a%', 'a_', 'a*', 'a?', 'a[b]', 'a\\', "a'", 'a:', 'a{b}', 'z', '日本', 'é', '0', '10', '9'],
];

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const byAddress = (a: StoredRecord, b: StoredRecord) =>
	byBytes(a.namespace, b.namespace) || byBytes(a.key, b.key);

export function describeLists(fixture: Fixture): void {
	const page = (query: Partial<RecordQuery>): RecordQuery => ({
		namespace: fixture.namespace,
		limit: 1000,
		order: 'key',
		...query,
	});
	const insertAll = async (items: Insertion[]) => await fixture.store.insert(items);
	const insertKeys = async (keys: string[], change: Partial<Insertion> = {}) =>
		await insertAll(keys.map((key) => insertion(fixture, key, change)));

	it('gives records as they are read, without what belongs to them', async () => {
		const { store } = fixture;
		const first = await inserted(fixture, 'k', { input: 'in', executionId: 'e', fingerprint: 'f' });
		const parts = [{ name: 'p', text: 't' }];
		const record = await swapped(fixture, first, { parts, append: '{"n":1}', result: 'out' });
		const rest = withoutExtras(record);
		for (const order of ['key', 'due', 'created'] as const) {
			const { now, records } = await store.list(page({ order, state: 'processing' }));
			expect(now).toBeGreaterThanOrEqual(record.createdAt);
			expect(records).toEqual([rest]);
			records.forEach(expectNoHoles);
		}
	});

	it('by key are in byte order, whatever the size of a page', async () => {
		const { store } = fixture;
		await insertKeys(KEYS);
		const sorted = [...KEYS].sort(byBytes);
		expect(await keysOf(store, page({}))).toEqual(sorted);
		for (const limit of [1, 2, 7]) {
			const records = await allPages(store, page({ limit }));
			expect(records.map(({ key }) => key)).toEqual(sorted);
		}
	});

	it('by key without a namespace go through all namespaces in byte order', async () => {
		const store = await fixture.openEmpty();
		const namespaces = ['b', 'a', 'ab', 'a\u{10000}', 'a\uffee', 'é'];
		await store.insert(
			namespaces.flatMap((namespace) =>
				['k', 'a', '\u{1f600}', '\uffee'].map((key) =>
					insertion({ namespace }, key, { executionId: 'e', externalId: 'x' }),
				),
			),
		);
		for (const filter of [{}, { executionId: 'e' }, { externalId: 'x' }, { keyPart: '' }]) {
			for (const limit of [3, 100]) {
				const records = await allPages(store, { ...filter, limit, order: 'key' });
				expect(records).toHaveLength(24);
				expect(records).toEqual([...records].sort(byAddress));
			}
		}
		const found = await store.list({ keyPart: '\uffee', limit: 100, order: 'key' });
		expect(found.records.map(({ namespace }) => namespace)).toEqual([...namespaces].sort(byBytes));
		const rest = { after: { time: 0, namespace: 'a', key: 'k' }, limit: 2, order: 'key' } as const;
		expect((await store.list(rest)).records).toMatchObject([
			{ namespace: 'a', key: '\uffee' },
			{ namespace: 'a', key: '\u{1f600}' },
		]);
	});

	it('by key can be of one execution, fingerprint or external id', async () => {
		const { store, namespace } = fixture;
		const fields = ['executionId', 'fingerprint', 'externalId'] as const;
		for (const [i, field] of fields.entries()) {
			await insertKeys([`b${i}`, `a${i}`, `c${i}`], { [field]: 'wanted' });
			await insertKeys([`d${i}`], { [field]: 'wanted too' });
			const keys = [`a${i}`, `b${i}`, `c${i}`];
			for (const limit of [1, 2, 100]) {
				const records = await allPages(store, page({ [field]: 'wanted', limit }));
				expect(records.map(({ key }) => key)).toEqual(keys);
			}
			expect(await keysOf(store, page({ [field]: 'missing' }))).toEqual([]);
			expect(await keysOf(store, page({ [field]: 'wanted', state: 'done' }))).toEqual([]);
			const elsewhere = { namespace: `${namespace} elsewhere` };
			expect(await keysOf(store, page({ [field]: 'wanted', ...elsewhere }))).toEqual([]);
		}
	});

	it('by external id find those of parts too, and each record once', async () => {
		const { store } = fixture;
		const own = await inserted(fixture, 'own', { externalId: 'x' });
		const ofPart = await inserted(fixture, 'of part', { externalId: 'other' });
		const both = await inserted(fixture, 'both', { externalId: 'x' });
		await inserted(fixture, 'neither', { externalId: 'other' });
		const part = (name: string) => ({ name, text: 't', externalId: 'x' });
		await swapped(fixture, ofPart, { parts: [part('p'), { name: 'q', text: 't' }] });
		await swapped(fixture, both, { parts: [part('p'), part('q')] });
		await swapped(fixture, own, { parts: [{ name: 'p', text: 't', externalId: 'y' }] });
		for (const limit of [1, 2, 100]) {
			const records = await allPages(store, page({ externalId: 'x', limit }));
			expect(records.map(({ key }) => key)).toEqual(['both', 'of part', 'own']);
		}
		expect(await keysOf(store, page({ externalId: 'y' }))).toEqual(['own']);
		const removal = { namespace: fixture.namespace, key: 'both' };
		await store.remove([removal]);
		expect(await keysOf(store, page({ externalId: 'x' }))).toEqual(['of part', 'own']);
		await inserted(fixture, 'both');
		expect(await keysOf(store, page({ externalId: 'x' }))).toEqual(['of part', 'own']);
	});

	it('by key can be of what starts so', async () => {
		const { store } = fixture;
		await insertKeys(KEYS);
		const sorted = [...KEYS].sort(byBytes);
		const prefixes = ['a', 'a%', 'a_', 'a*', 'a?', 'a[', 'a\\', "a'", 'a\u{1f600}', 'a\uffee'];
		for (const keyPrefix of [...prefixes, '日', 'ae', '1', 'A', '\u{10ffff}', '']) {
			const expected = sorted.filter((key) => key.startsWith(keyPrefix));
			for (const limit of [2, 100]) {
				const records = await allPages(store, page({ keyPrefix, limit }));
				expect(records.map(({ key }) => key)).toEqual(expected);
			}
		}
	});

	it('by key can be of what has it somewhere', async () => {
		const { store } = fixture;
		const keys = [...KEYS, 'v1:field:workflow:ORDER-17', 'v1:field:workflow:order-18'];
		await insertKeys(keys);
		const sorted = [...keys].sort(byBytes);
		const partsOfKeys = ['%', '_', '*', '?', '[b]', '\\', "'", '\u{1f600}', '\u0301', 'e', 'b'];
		for (const keyPart of [...partsOfKeys, 'ORDER-1', 'order-1', 'missing', 'er-1']) {
			const expected = sorted.filter((key) => key.includes(keyPart));
			for (const limit of [1, 100]) {
				const records = await allPages(store, page({ keyPart, limit }));
				expect(records.map(({ key }) => key)).toEqual(expected);
			}
		}
		expect(await keysOf(store, page({ keyPart: 'order', state: 'done' }))).toEqual([]);
	});

	it('by due time are of one state, most urgent first', async () => {
		const { store, namespace } = fixture;
		const times: Record<string, number> = { late: 5000, b: 2000, a: 2000, é: 2000, soon: 1000 };
		const items = Object.entries(times).map(([key, dueAfterMs]) =>
			insertion(fixture, key, { dueAfterMs }),
		);
		await insertAll([...items, doneInsertion(fixture, 'done')]);
		const review = await inserted(fixture, 'in review');
		const never = await inserted(fixture, 'never');
		const { dueAt } = await readOne(store, { namespace, key: 'b' });
		const head = (record: StoredRecord, due: number) => ({
			...headOf(record),
			state: 'review' as const,
			dueAt: due,
		});
		await swapped(fixture, review, { head: head(review, dueAt!) });
		await swapped(fixture, never, { head: head(never, NEVER) });
		// Records of one batch may come from several servers, whose clocks differ by less than this.
		for (const { key } of items) {
			const record = await readOne(store, { namespace, key });
			const due = dueAt! + times[key] - 2000;
			await swapped(fixture, record, { head: { ...headOf(record), dueAt: due } });
		}
		const due = { order: 'due', state: 'processing' } as const;
		const sorted = ['soon', 'a', 'b', 'é', 'late'];
		for (const limit of [1, 2, 100]) {
			const records = await allPages(store, page({ ...due, limit }));
			expect(records.map(({ key }) => key)).toEqual(sorted);
		}
		expect(await keysOf(store, page({ ...due, dueBefore: dueAt }))).toEqual(sorted.slice(0, 4));
		expect(await keysOf(store, page({ ...due, dueBefore: dueAt! - 1 }))).toEqual(['soon']);
		const after = { time: dueAt!, namespace, key: 'a' };
		const rest = { ...due, dueBefore: dueAt, after };
		expect(await keysOf(store, page(rest))).toEqual(['b', 'é']);
		const reviews = page({ order: 'due', state: 'review' });
		expect(await keysOf(store, reviews)).toEqual(['in review', 'never']);
		expect(await keysOf(store, { ...reviews, dueBefore: dueAt })).toEqual(['in review']);
		expect(await keysOf(store, { ...reviews, state: 'waiting' })).toEqual([]);
	});

	it('by due time without a namespace go on where a page ended', async () => {
		const store = await fixture.openEmpty();
		const dueAt = (await store.now()) + 1000;
		for (const namespace of ['b', 'a', '\uffee', '\u{10000}']) {
			const keys = ['k', 'a'];
			await store.insert(keys.map((key) => insertion({ namespace }, key)));
			for (const key of keys) {
				const record = await readOne(store, { namespace, key });
				await store.swap([swapOf(record, { head: { ...headOf(record), dueAt } })]);
			}
		}
		for (const limit of [1, 3, 8]) {
			const records = await allPages(store, { order: 'due', state: 'processing', limit });
			expect(records).toHaveLength(8);
			expect(records).toEqual([...records].sort(byAddress));
		}
	});

	it('by creation are newest first', async () => {
		const { store, namespace } = fixture;
		for (const key of ['b', 'a', 'd', 'c']) {
			await insertKeys([key]);
			await sleep(3);
		}
		await insertKeys(['x', 'z', 'y', 'é']);
		const newest = await readOne(store, { namespace, key: 'x' });
		for (const key of ['z', 'y', 'é']) {
			const record = await readOne(store, { namespace, key });
			await swapped(fixture, record, { head: { ...headOf(record), createdAt: newest.createdAt } });
		}
		const sorted = ['é', 'z', 'y', 'x', 'c', 'd', 'a', 'b'];
		for (const limit of [1, 3, 8, 100]) {
			const records = await allPages(store, page({ order: 'created', limit }));
			expect(records.map(({ key }) => key)).toEqual(sorted);
		}
	});

	it('by creation without a namespace mix all namespaces', async () => {
		const store = await fixture.openEmpty();
		const expected: string[] = [];
		for (const namespace of ['b', 'a', 'c', 'a', 'b']) {
			const key = `k${expected.length}`;
			await store.insert([insertion({ namespace }, key)]);
			expected.unshift(key);
			await sleep(3);
		}
		for (const limit of [1, 2, 100]) {
			const records = await allPages(store, { order: 'created', limit });
			expect(records.map(({ key }) => key)).toEqual(expected);
		}
	});

	it('leave out what was created too early or too late, at these times themselves too', async () => {
		const { store, namespace } = fixture;
		const times: number[] = [];
		for (const key of ['a', 'b', 'c', 'd']) {
			await insertKeys([key], { executionId: 'e', externalId: 'x' });
			times.push((await readOne(store, { namespace, key })).createdAt);
			await sleep(3);
		}
		const between = { createdAfter: times[0], createdBefore: times[3] };
		const orders: Array<Partial<RecordQuery>> = [
			{ order: 'key' },
			{ order: 'key', executionId: 'e' },
			{ order: 'key', externalId: 'x' },
			{ order: 'key', keyPrefix: '' },
			{ order: 'due', state: 'processing' },
			{ order: 'created' },
		];
		for (const query of orders) {
			const keys = async (range: Partial<RecordQuery>) =>
				(await keysOf(store, page({ ...query, ...range }))).sort();
			expect(await keys(between)).toEqual(['b', 'c']);
			expect(await keys({ createdAfter: times[1] })).toEqual(['c', 'd']);
			expect(await keys({ createdBefore: times[1] })).toEqual(['a']);
			const records = await allPages(store, page({ ...query, ...between, limit: 1 }));
			expect(records.map(({ key }) => key).sort()).toEqual(['b', 'c']);
		}
	});

	it('can be of one state', async () => {
		const { store } = fixture;
		await insertAll([
			insertion(fixture, 'open', { executionId: 'e' }),
			doneInsertion(fixture, 'done', { executionId: 'e' }),
		]);
		for (const order of ['key', 'created'] as const) {
			expect(await keysOf(store, page({ order, state: 'done' }))).toEqual(['done']);
			expect(await keysOf(store, page({ order, state: 'processing' }))).toEqual(['open']);
			expect(await keysOf(store, page({ order, state: 'failed' }))).toEqual([]);
		}
		expect(await keysOf(store, page({ executionId: 'e', state: 'done' }))).toEqual(['done']);
	});

	it('leave out what is expired', async () => {
		const { store } = fixture;
		const fields = { executionId: 'e', fingerprint: 'f', externalId: 'x' };
		await insertAll([
			doneInsertion(fixture, 'expired', { expiresAfterMs: 1, ...fields }),
			doneInsertion(fixture, 'live', fields),
		]);
		await sleep(20);
		const filters = [{}, { executionId: 'e' }, { fingerprint: 'f' }, { externalId: 'x' }];
		for (const filter of [...filters, { keyPrefix: '' }, { keyPart: 'e' }]) {
			expect(await keysOf(store, page(filter))).toEqual(['live']);
			expect(await keysOf(store, page({ ...filter, limit: 1 }))).toEqual(['live']);
		}
		expect(await keysOf(store, page({ order: 'created' }))).toEqual(['live']);
	});

	it('are complete with full pages', async () => {
		const { store } = fixture;
		for (const batch of [0, 1, 2]) {
			await insertKeys(
				Array.from({ length: 800 }, (_, i) => `key ${batch} ${i}`),
				{ executionId: 'e' },
			);
		}
		for (const query of [
			page({}),
			page({ executionId: 'e' }),
			page({ order: 'due', state: 'processing' }),
			page({ order: 'created' }),
		]) {
			const keys = (await allPages(store, query)).map(({ key }) => key);
			expect(keys).toHaveLength(2400);
			expect(new Set(keys).size).toBe(2400);
		}
	});
}
