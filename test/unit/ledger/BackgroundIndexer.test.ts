import { BackgroundIndexer } from '../../../ledger/stores/redis/BackgroundIndexer';
import type { ScriptName } from '../../../ledger/stores/redis/scripts';
import type { Shards } from '../../../ledger/stores/redis/Shards';

/** Shards with so many changes each, of which a call works off a hundred, and with so many expired records. */
function shardsWith(changes: Record<string, number>, expired: Record<string, number> = {}) {
	const calls: Array<[script: ScriptName, shard: string]> = [];
	const shards = {
		all: Object.keys(changes),
		isSpread: false,
		run: async (script: ScriptName, shard: string, [, count]: [number, number]) => {
			calls.push([script, shard]);
			const left = script === 'index' ? changes : expired;
			const taken = Math.min(count, left[shard] ?? 0);
			left[shard] = (left[shard] ?? 0) - taken;
			return script === 'index' ? [taken, left[shard]] : taken;
		},
	};
	const callsTo = (shard: string, script: ScriptName = 'index') =>
		calls.filter(([name, of]) => name === script && of === shard).length;
	return { shards: shards as unknown as Shards, calls, callsTo };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('does nothing until it is woken, and then not at once', async () => {
	const { shards, calls } = shardsWith({ a: 10 });
	const indexer = new BackgroundIndexer(shards);
	await jest.advanceTimersByTimeAsync(10_000);
	indexer.wake('a');
	indexer.wake('a');
	await jest.advanceTimersByTimeAsync(999);
	expect(calls).toEqual([]);
	await jest.advanceTimersByTimeAsync(1);
	expect(calls).toEqual([
		['index', 'a'],
		['purge', 'a'],
	]);
});

it('goes on, a bounded number at a time and with rests, until none is left', async () => {
	const { shards, callsTo } = shardsWith({ a: 1020 });
	const { run } = shards;
	shards.run = async (...call) => {
		await new Promise((resolve) => setTimeout(resolve, 10));
		return await run(...call);
	};
	new BackgroundIndexer(shards).wake('a');
	await jest.advanceTimersByTimeAsync(1010);
	expect(callsTo('a')).toBe(1);
	await jest.advanceTimersByTimeAsync(150);
	expect(callsTo('a')).toBeGreaterThan(2);
	expect(callsTo('a')).toBeLessThan(6);
	await jest.advanceTimersByTimeAsync(5000);
	const total = callsTo('a');
	expect(total).toBeGreaterThanOrEqual(11);
	await jest.advanceTimersByTimeAsync(5000);
	expect(callsTo('a')).toBe(total);
	expect(jest.getTimerCount()).toBe(0);
});

it('leaves what is written meanwhile to the next round', async () => {
	const changes = { a: 250 };
	const { shards, callsTo } = shardsWith(changes);
	const { run } = shards;
	let writes = 3;
	shards.run = async (...call) => {
		const reply = await run(...call);
		if (call[0] === 'index' && writes-- > 0) changes.a += 100;
		return reply;
	};
	new BackgroundIndexer(shards).wake('a');
	await jest.advanceTimersByTimeAsync(1500);
	expect(changes.a).toBeGreaterThan(0);
	const inFirstRound = callsTo('a');
	await jest.advanceTimersByTimeAsync(3000);
	expect(changes.a).toBe(0);
	expect(callsTo('a')).toBeGreaterThan(inFirstRound);
});

it('works only on shards that were written to, each to its end', async () => {
	const { shards, callsTo } = shardsWith({ a: 500, b: 20, c: 500 });
	const indexer = new BackgroundIndexer(shards);
	indexer.wake('a');
	indexer.wake('b');
	await jest.advanceTimersByTimeAsync(10_000);
	expect([callsTo('a') >= 5, callsTo('b') >= 1, callsTo('c')]).toEqual([true, true, 0]);
});

it('removes expired records too, a bounded number at a time', async () => {
	const expired = { a: 250 };
	const { shards, callsTo } = shardsWith({ a: 1 }, expired);
	new BackgroundIndexer(shards).wake('a');
	await jest.advanceTimersByTimeAsync(5000);
	expect(callsTo('a', 'purge')).toBe(3);
	expect(expired.a).toBe(0);
});

it('gives up when the server is away, without harm, and comes back with the next write', async () => {
	const { shards, callsTo } = shardsWith({ a: 10 });
	const { run } = shards;
	shards.run = () => Promise.reject(new Error('away'));
	const indexer = new BackgroundIndexer(shards);
	indexer.wake('a');
	await jest.advanceTimersByTimeAsync(5000);
	shards.run = run;
	indexer.wake('a');
	await jest.advanceTimersByTimeAsync(1000);
	expect(callsTo('a')).toBe(1);
});

it('stops when it is closed, also in the middle, and cannot be woken any more', async () => {
	const { shards, calls } = shardsWith({ a: 5000 });
	const indexer = new BackgroundIndexer(shards);
	const { run } = shards;
	shards.run = async (...call) => {
		if (calls.length === 2) indexer.close();
		return await run(...call);
	};
	indexer.wake('a');
	await jest.advanceTimersByTimeAsync(5000);
	indexer.wake('a');
	await jest.advanceTimersByTimeAsync(5000);
	expect(calls).toHaveLength(3);
	expect(jest.getTimerCount()).toBe(0);
});
