import { RecordCache } from '../../../../ledger/engine/RecordCache';
import { event } from '../events';

const at = (key: string) => ({ namespace: 'ns', key });

function record(revision: number, size = 0) {
	return { revision, event: event(), steps: new Map(), size };
}

describe('What a process remembers of events', () => {
	test('is what it wrote last, until it forgets it', () => {
		const cache = new RecordCache();
		expect(cache.get(at('a'))).toBeUndefined();
		cache.put(at('a'), record(1));
		cache.put(at('b'), record(5));
		cache.put(at('a'), record(2));
		expect(cache.get(at('a'))!.revision).toBe(2);
		cache.drop(at('a'));
		cache.drop(at('a'));
		expect(cache.get(at('a'))).toBeUndefined();
		expect(cache.get(at('b'))!.revision).toBe(5);
	});

	test('is told apart by namespace and key', () => {
		const cache = new RecordCache();
		cache.put({ namespace: 'a', key: 'b c' }, record(1));
		cache.put({ namespace: 'a b', key: 'c' }, record(2));
		expect(cache.get({ namespace: 'a', key: 'b c' })!.revision).toBe(1);
		expect(cache.get({ namespace: 'a b', key: 'c' })!.revision).toBe(2);
	});

	test('is bounded: what was written longest ago goes first', () => {
		const cache = new RecordCache();
		const MIB = 1024 * 1024;
		for (let i = 0; i < 40; i++) {
			cache.put(at(`k${i}`), record(i, MIB));
			// Written again and again, it stays.
			cache.put(at('first'), record(i));
		}
		const left = Array.from({ length: 40 }, (_, i) => cache.get(at(`k${i}`)) !== undefined);
		expect(left.indexOf(true)).toBeGreaterThan(20);
		expect(left.slice(left.indexOf(true)).every(Boolean)).toBe(true);
		expect(left.filter(Boolean).length).toBeGreaterThan(5);
		expect(cache.get(at('first'))).toBeDefined();
	});

	test('is bounded in number too, and never all for one that is too large', () => {
		const cache = new RecordCache();
		for (let i = 0; i < 50_000; i++) cache.put(at(`k${i}`), record(i));
		expect(cache.get(at('k0'))).toBeUndefined();
		expect(cache.get(at('k49999'))).toBeDefined();
		cache.put(at('large'), record(1, 1024 ** 3));
		expect(cache.get(at('large'))).toBeUndefined();
		expect(cache.get(at('k49999'))).toBeDefined();
		// What it was before it grew is outdated.
		cache.put(at('k49999'), record(2, 1024 ** 3));
		expect(cache.get(at('k49999'))).toBeUndefined();
	});

	test('frees what it forgets', () => {
		const cache = new RecordCache();
		for (let i = 0; i < 1000; i++) {
			cache.put(at('same'), record(i, 1024 * 1024));
			cache.put(at(`other ${i}`), record(i, 1024 * 1024));
			cache.drop(at(`other ${i}`));
		}
		cache.put(at('last'), record(1));
		expect(cache.get(at('same'))).toBeDefined();
		expect(cache.get(at('last'))).toBeDefined();
	});
});
