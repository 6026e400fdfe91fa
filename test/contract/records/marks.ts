import { setTimeout as sleep } from 'node:timers/promises';

import { BATCH_LIMIT, type Mark } from '../../../ledger/stores/RecordStore';
import { type Fixture, HOUR_MS } from './fixture';

export function describeMarks(fixture: Fixture): void {
	const mark = (version: number, change: Partial<Mark> = {}): Mark => ({
		namespace: fixture.namespace,
		object: 'object',
		version,
		retentionMs: HOUR_MS,
		...change,
	});
	const raise = async (...marks: Mark[]) => await fixture.store.raiseMarks(marks);

	it('are raised, and say who is behind', async () => {
		expect(await raise(mark(2))).toEqual([false]);
		expect(await raise(mark(2))).toEqual([false]);
		expect(await raise(mark(1))).toEqual([true]);
		expect(await raise(mark(3))).toEqual([false]);
		expect(await raise(mark(2))).toEqual([true]);
		expect(await raise(mark(1, { object: 'other' }))).toEqual([false]);
		const namespace = `${fixture.namespace} elsewhere`;
		expect(await raise(mark(1, { namespace }))).toEqual([false]);
		expect(await raise()).toEqual([]);
	});

	it('of one object are raised in their order', async () => {
		const marks = [mark(1), mark(3), mark(1, { object: 'other' }), mark(2), mark(3), mark(4)];
		expect(await raise(...marks)).toEqual([false, false, false, true, false, false]);
		expect(await raise(mark(3.5))).toEqual([true]);
	});

	it('compare any numbers', async () => {
		const versions = [-1.5, -1, 0, 0.1, 0.25, 1e9, 1_790_000_000_000, 2 ** 53 - 1, 2 ** 53, 1e300];
		for (const [i, version] of versions.entries()) {
			expect(await raise(mark(version))).toEqual([false]);
			if (i > 0) expect(await raise(mark(versions[i - 1]))).toEqual([true]);
		}
	});

	it('live for the longest retention they were raised with', async () => {
		await raise(mark(5, { retentionMs: 1 }), mark(5, { object: 'long' }));
		await raise(mark(6, { object: 'long', retentionMs: 1 }));
		await sleep(20);
		expect(await raise(mark(1), mark(1, { object: 'long' }))).toEqual([false, true]);
		expect(await raise(mark(0))).toEqual([true]);
	});

	it('are raised in full batches', async () => {
		const marks = Array.from({ length: BATCH_LIMIT }, (_, i) =>
			mark(i, { object: `object ${i % 500}` }),
		);
		expect(await raise(...marks)).toEqual(marks.map(() => false));
		expect(await raise(...marks)).toEqual(marks.map((_, i) => i < 500));
	});

	it('end at the highest version, however many raise them at once', async () => {
		const other = await fixture.openAnother();
		const stores = [fixture.store, other];
		const objects = Array.from({ length: 20 }, (_, i) => `object ${i}`);
		await Promise.all(
			Array.from({ length: 40 }, (_, version) => {
				const marks = objects.map((object) => mark(version, { object }));
				return stores[version % 2].raiseMarks(version % 4 < 2 ? marks : marks.reverse());
			}),
		);
		const isStale = (version: number) =>
			raise(...objects.map((object) => mark(version, { object })));
		expect(await isStale(38.5)).toEqual(objects.map(() => true));
		expect(await isStale(39)).toEqual(objects.map(() => false));
	});
}

export function describeEntries(fixture: Fixture): void {
	const name = (suffix: string) => `${fixture.namespace}/${suffix}`;
	const read = async (prefix = '') =>
		(await fixture.store.readEntries(name(prefix))).map((entry) => ({
			...entry,
			name: entry.name.slice(name('').length),
		}));

	it('are kept, replaced, and kept if they are there', async () => {
		const { store } = fixture;
		const text = 'é\u{1f600}"\\\n';
		expect(await store.putEntry({ name: name('a'), text })).toBe(text);
		expect(await read()).toEqual([{ name: 'a', text }]);
		const missing = { name: name('a'), text: 'other', onlyIfMissing: true } as const;
		expect(await store.putEntry(missing)).toBe(text);
		expect(await store.putEntry({ name: name('a'), text: 'new' })).toBe('new');
		expect(await read()).toEqual([{ name: 'a', text: 'new' }]);
	});

	it('expire, unless they are put once more', async () => {
		const { store } = fixture;
		const expiresAfterMs = 1;
		await store.putEntry({ name: name('gone'), text: 'old', expiresAfterMs });
		await store.putEntry({ name: name('kept'), text: 'old', expiresAfterMs });
		await store.putEntry({ name: name('kept'), text: 'old' });
		await store.putEntry({ name: name('long'), text: 'old', expiresAfterMs: HOUR_MS });
		await sleep(20);
		expect((await read()).map((entry) => entry.name)).toEqual(['kept', 'long']);
		const again = { name: name('gone'), text: 'new', onlyIfMissing: true } as const;
		expect(await store.putEntry(again)).toBe('new');
		expect(await read('gone')).toEqual([{ name: 'gone', text: 'new' }]);
	});

	it('are read by how their names start, in byte order', async () => {
		const { store } = fixture;
		const names = ['b', 'a', 'ab', 'a%', 'a_', 'a*', 'a\u{10000}', 'a\uffee', 'A', 'a[', 'a\\'];
		for (const suffix of names) await store.putEntry({ name: name(suffix), text: suffix });
		const sorted = [...names].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
		for (const prefix of ['', 'a', 'a%', 'a_', 'a*', 'a[', 'a\\', 'ab', 'missing']) {
			const expected = sorted.filter((suffix) => suffix.startsWith(prefix));
			expect((await read(prefix)).map(({ text }) => text)).toEqual(expected);
		}
	});

	it('are made once, however many try', async () => {
		const stores = [fixture.store, await fixture.openAnother()];
		const texts = await Promise.all(
			Array.from({ length: 40 }, (_, i) =>
				stores[i % 2].putEntry({ name: name('one'), text: `text ${i}`, onlyIfMissing: true }),
			),
		);
		expect(new Set(texts).size).toBe(1);
		expect(await read()).toEqual([{ name: 'one', text: texts[0] }]);
	});
}
