import { Settler } from '../../../ledger/redis/Settler';
import type { Shards } from '../../../ledger/redis/Shards';

/** Shards with so many fresh events each, of which a call settles fifty. */
function shardsWith(fresh: Record<string, number>) {
	const calls: Array<[shard: string, cursor: string]> = [];
	const shards = {
		all: Object.keys(fresh),
		run: async (script: string, shard: string, [cursor]: [string]) => {
			expect(script).toBe('settle');
			calls.push([shard, cursor]);
			fresh[shard] = Math.max(0, fresh[shard] - 50);
			return [fresh[shard] > 0 ? String(calls.length) : '0', fresh[shard]];
		},
	};
	return { shards: shards as unknown as Shards, calls };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('does nothing until it is woken, and then not at once', async () => {
	const { shards, calls } = shardsWith({ a: 10 });
	const settler = new Settler(shards);
	await jest.advanceTimersByTimeAsync(10_000);
	settler.wake();
	settler.wake();
	await jest.advanceTimersByTimeAsync(999);
	expect(calls).toEqual([]);
	await jest.advanceTimersByTimeAsync(1);
	expect(calls).toEqual([['a', '0']]);
});

it('goes on where it was, a bounded number at a time, until none is left', async () => {
	const { shards, calls } = shardsWith({ a: 1020 });
	new Settler(shards).wake();
	for (const done of [10, 20, 21, 21]) {
		await jest.advanceTimersByTimeAsync(1000);
		expect(calls).toHaveLength(done);
	}
	expect(calls.map(([, cursor]) => Number(cursor))).toEqual(calls.map((_, i) => i));
	expect(jest.getTimerCount()).toBe(0);
});

it('gives each shard its share', async () => {
	const { shards, calls } = shardsWith({ a: 5000, b: 20, c: 5000 });
	new Settler(shards).wake();
	await jest.advanceTimersByTimeAsync(1000);
	const callsTo = (name: string) => calls.filter(([shard]) => shard === name).length;
	expect([callsTo('a'), callsTo('b'), callsTo('c')]).toEqual([4, 1, 4]);
});

it('gives up when the server is away, without harm, and comes back with the next claim', async () => {
	const { shards, calls } = shardsWith({ a: 10 });
	const { run } = shards;
	shards.run = () => Promise.reject(new Error('away'));
	const settler = new Settler(shards);
	settler.wake();
	await jest.advanceTimersByTimeAsync(5000);
	shards.run = run;
	settler.wake();
	await jest.advanceTimersByTimeAsync(1000);
	expect(calls).toHaveLength(1);
});

it('stops when it is closed, also in the middle, and cannot be woken any more', async () => {
	const { shards, calls } = shardsWith({ a: 5000 });
	const settler = new Settler(shards);
	const { run } = shards;
	shards.run = async (...call) => {
		if (calls.length === 2) settler.close();
		return await run(...call);
	};
	settler.wake();
	await jest.advanceTimersByTimeAsync(5000);
	settler.wake();
	await jest.advanceTimersByTimeAsync(5000);
	expect(calls).toHaveLength(3);
	expect(jest.getTimerCount()).toBe(0);
});
