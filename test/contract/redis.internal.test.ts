import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { LedgerMisconfiguredError, SchemaTooNewError } from '../../ledger/errors';
import type { RedisSettings } from '../../ledger/settings';
import type { Insertion, RecordStore, StoredRecord, Swap } from '../../ledger/stores/RecordStore';
import { openRedisStore } from '../../ledger/stores/redis/RedisStore';
import { startRedis } from '../servers/redis';
import { doneInsertion, headOf, insertion, readOne, swapOf } from './records/fixture';
import { server, unique } from './stores/shared';

/** What the suite of all record stores cannot see: what is left in Redis, and servers that forget scripts or refuse. */

/** Longer than it takes to make all the records, shorter than one likes to wait for them to expire. */
const RETENTION_MS = 3000;
const namespace = 'orders';
const url = new URL(server('TEST_REDIS_URL'));

let settings: RedisSettings;
let client: Redis;
let store: RecordStore;

beforeEach(async () => {
	settings = {
		store: 'redis',
		topology: 'single',
		nodes: [{ host: url.hostname, port: Number(url.port || 6379) }],
		username: decodeURIComponent(url.username) || undefined,
		password: decodeURIComponent(url.password) || undefined,
		database: Number(url.pathname.slice(1) || 0),
		prefix: unique(),
	};
	client = new Redis(url.href);
	store = await openRedisStore(settings);
});

afterEach(async () => {
	await store.close();
	for (const key of await keys()) await client.unlink(key);
	await client.quit();
});

/** All keys of the ledger. */
async function keys(): Promise<string[]> {
	const found: string[] = [];
	for await (const page of client.scanStream({ match: `${settings.prefix}:*`, count: 1000 })) {
		found.push(...(page as string[]));
	}
	return found;
}

/** What may stay for ever: the schema, counts of what happened, and whose counts these are. */
async function leftovers(): Promise<string[]> {
	const lasting = /:schema$|:\{\d+\}:(tally:.*|namespaces)$/;
	return (await keys()).filter((key) => !lasting.test(key));
}

/** Inserts, and swaps if there is something to be changed. */
async function make(key: string, change: Partial<Insertion> = {}, ...swaps: Array<Partial<Swap>>) {
	const { replies } = await store.insert([insertion({ namespace }, key, change)]);
	expect(replies[0].inserted).toBe(true);
	for (const swap of swaps) await swapNow(key, swap);
}

async function swapNow(key: string, change: Partial<Swap>) {
	const record = await readOne(store, { namespace, key });
	expect((await store.swap([swapOf(record, change)])).replies[0]).toBeDefined();
}

function done(record: StoredRecord, retentionMs = RETENTION_MS): Swap['head'] {
	const expiresAt = record.createdAt + retentionMs;
	const head: Swap['head'] = { ...headOf(record), state: 'done', expiresAt };
	delete head.dueAt;
	return head;
}

async function finish(key: string, retentionMs?: number) {
	const record = await readOne(store, { namespace, key });
	await swapNow(key, { head: done(record, retentionMs), input: null, result: '"result"' });
}

/** One record through each of the ways that a record can take until it is done. */
async function liveThroughEverything(): Promise<void> {
	const full = { fingerprint: 'fingerprint', executionId: 'execution', input: '"input"' };
	const large = 'x'.repeat(100_000);
	await make('at once', full);
	await make('large', { ...full, input: large }, { result: large });
	await make('with everything', { ...full, findSameContent: true, alias: 'alias' });
	await make('same content', { ...full, findSameContent: true });
	await make('found by id', { externalId: 'external' });
	await make('seen twice');
	await make('listed');
	await store.list({ namespace, order: 'created', limit: 10 });
	await store.raiseMarks([{ namespace, object: 'object', version: 1, retentionMs: RETENTION_MS }]);
	await store.putEntry({ name: 'entry', text: 'text', expiresAfterMs: RETENTION_MS });

	const part = { name: 'part', text: '"text"', externalId: 'external of part' };
	await swapNow('with everything', { parts: [part], append: '{"n":1}' });
	await swapNow('with everything', {
		parts: [{ ...part, externalId: 'another' }],
		append: '{"n":2}',
		rotate: true,
	});
	await swapNow('large', { result: 'small' });
	await store.insert([insertion({ namespace }, 'seen twice')]);
	for (const state of ['waiting', 'failed', 'review', 'processing'] as const) {
		const record = await readOne(store, { namespace, key: 'listed' });
		const head = { ...headOf(record), state, executionId: `execution of ${state}` };
		await swapNow('listed', { head: { ...head, fingerprint: `fingerprint of ${state}` } });
	}
	const names = ['at once', 'large', 'with everything', 'same content', 'found by id'];
	for (const key of [...names, 'seen twice', 'listed']) await finish(key);
	const change = { fingerprint: 'f', result: '1', expiresAfterMs: RETENTION_MS };
	await store.insert([doneInsertion({ namespace }, 'imported', { ...change, count: 'imported' })]);
	const { events } = await store.stats({ days: 1 });
	expect(events).toEqual({ processing: 0, waiting: 0, done: 8, failed: 0, review: 0 });
}

describe('What is left of records', () => {
	test('nothing but the counts, once they have expired and are purged', async () => {
		await liveThroughEverything();
		expect(await leftovers()).not.toEqual([]);
		await sleep(RETENTION_MS + 100);
		expect(await store.purge(1000)).toBe(8);
		expect(await leftovers()).toEqual([]);
	});

	test('nothing, either, when they are removed', async () => {
		await liveThroughEverything();
		const { records } = await store.list({ namespace, order: 'key', limit: 10 });
		const mark = { object: 'object', version: 1 };
		await store.remove(records.map(({ key }) => ({ namespace, key, mark })));
		expect((await leftovers()).map(nameOf).sort()).toEqual(['entries', 'entry:entry']);
	});

	test('nothing, either, when nobody purges: whoever writes records cleans up', async () => {
		await liveThroughEverything();
		// Records that have just expired are left alone.
		await sleep(RETENTION_MS + 10_100);
		await make('last', { executionId: 'execution' });
		await finish('last', 60_000);
		const expected = ['created:orders', 'e:orders\0last', 'entries', 'execution', 'expiry', 'keys'];
		for (let names: string[] = []; names.join() !== expected.join(); await sleep(50)) {
			names = (await leftovers()).map(nameOf).sort();
		}
	}, 30_000);

	test('nothing of the old record, and all of the new one, when its key is used again', async () => {
		const old = { fingerprint: 'old', executionId: 'old', externalId: 'old', alias: 'old' };
		await store.insert([doneInsertion({ namespace }, 'k', { ...old, expiresAfterMs: 1 })]);
		await sleep(20);
		expect(await store.remove([{ namespace, key: 'k', onlyIfExpired: true }])).toEqual([true]);
		await make('k', { fingerprint: 'new', executionId: 'new' });
		const find = async (executionId: string) =>
			(await store.list({ executionId, order: 'key', limit: 10 })).records.length;
		expect([await find('old'), await find('new')]).toEqual([0, 1]);
		expect(await store.purge(10)).toBe(0);
		const query = { namespace, keyPrefix: 'k', order: 'key', limit: 10 } as const;
		expect((await store.list(query)).records).toHaveLength(1);
		for (const key of await leftovers()) {
			expect(key).not.toContain('old');
			if ((await client.type(key)) !== 'zset') continue;
			expect((await client.zrange(key, 0, -1)).join()).not.toContain('old');
		}
	});
});

function nameOf(key: string): string {
	return key.replace(/^.*\}:/, '');
}

function many(count: number, prefix: string): Insertion[] {
	return Array.from({ length: count }, (_, i) => insertion({ namespace }, `${prefix} ${i}`));
}

async function insertMany(count: number, prefix = 'record'): Promise<Insertion[]> {
	const all = many(count, prefix);
	for (let i = 0; i < count; i += 1000) await store.insert(all.slice(i, i + 1000));
	return all;
}

describe('Records that are in no index yet', () => {
	test('many of them: every list and count has all, and each once', async () => {
		const names = (await insertMany(3000)).map(({ key }) => key);
		const page = { namespace, order: 'created', limit: 2000 } as const;
		const first = (await store.list(page)).records;
		const { createdAt, key } = first[1999];
		const after = { time: createdAt, namespace, key };
		const second = (await store.list({ ...page, after })).records;
		expect([...first, ...second].map((record) => record.key).sort()).toEqual(names.sort());
		const { events, tallies } = await store.stats({ days: 1 });
		expect(events.processing).toBe(3000);
		expect(tallies).toMatchObject([{ namespace, kind: 'new', count: 3000 }]);
	});

	test('many of them are entered in short portions, whoever asks first', async () => {
		const FRESH = 10_000;
		await insertMany(FRESH);
		const before = await scriptCalls();
		expect((await store.stats({ days: 1 })).events.processing).toBe(FRESH);
		// Others get their turn between the portions, each of which is some hundred records.
		expect((await scriptCalls()) - before).toBeGreaterThanOrEqual(FRESH / 500);
		const { records } = await store.list({ order: 'created', namespace, limit: 10 });
		expect(records).toHaveLength(10);
	}, 60_000);

	test('they are entered by and by, also if nobody asks', async () => {
		const shard = `${settings.prefix}:{10}:`;
		await insertMany(1000);
		while ((await client.llen(`${shard}dirty`)) > 0) await sleep(10);
		expect(await client.zcard(`${shard}created:${namespace}`)).toBe(1000);
	}, 60_000);

	test('whatever happens to them before', async () => {
		await make('swapped', { executionId: 'a' });
		const record = await readOne(store, { namespace, key: 'swapped' });
		await swapNow('swapped', { head: { ...headOf(record), executionId: 'b' } });
		await store.list({ namespace, order: 'key', limit: 1 });
		await swapNow('swapped', { head: { ...headOf(record), executionId: 'c' } });
		await swapNow('swapped', { head: { ...headOf(record), executionId: 'b' } });
		await make('removed', { executionId: 'b' });
		await store.remove([{ namespace, key: 'removed' }]);
		const find = async (executionId: string) =>
			(await store.list({ executionId, order: 'key', limit: 10 })).records.map(({ key }) => key);
		expect([await find('a'), await find('b'), await find('c')]).toEqual([[], ['swapped'], []]);
		const { tallies } = await store.stats({ namespace, days: 1 });
		expect(tallies).toContainEqual(expect.objectContaining({ kind: 'new', count: 2 }));
	});
});

describe('Servers', () => {
	test('a server that forgets its scripts gets them again', async () => {
		const forget = () => client.script('FLUSH');
		await forget();
		const { now, replies } = await store.insert(many(600, 'k'));
		expect(replies.every(({ inserted }) => inserted)).toBe(true);
		await forget();
		const { records } = await store.read(many(600, 'k').map(({ key }) => ({ namespace, key })));
		const swaps = records.map((record) => swapOf(record!, { head: done(record!) }));
		await forget();
		expect((await store.swap(swaps.slice(0, 1))).replies).toHaveLength(1);
		await forget();
		expect(await readOne(store, swaps[0])).toMatchObject({ state: 'done', createdAt: now });
		await forget();
		const page = { namespace, order: 'created', limit: 1 } as const;
		const [{ replies: swapped }] = await Promise.all([
			store.swap(swaps.slice(1)),
			store.list(page),
		]);
		expect(swapped.filter(Boolean)).toHaveLength(599);
	});

	test('a server whose memory is full lets a ledger free it', async () => {
		const full = await startRedis();
		const node = { host: '127.0.0.1', port: full.port };
		const admin = new Redis(full.url);
		const there = await openRedisStore({ store: 'redis', topology: 'single', nodes: [node] });
		try {
			const records = many(1000, 'k').map(({ key }) =>
				doneInsertion({ namespace }, key, { expiresAfterMs: 1, result: 'x'.repeat(1000) }),
			);
			await there.insert(records);
			await admin.config('SET', 'maxmemory', '1mb');
			await expect(there.insert(many(1, 'other'))).rejects.toThrow(/no memory left/);
			expect(await there.purge(1000)).toBe(1000);
		} finally {
			await there.close();
			admin.disconnect();
			await full.stop();
		}
	});

	test('a ledger of a newer version is left alone', async () => {
		await client.set(`${settings.prefix}:schema`, JSON.stringify({ version: 2, shards: 1 }));
		await expect(openRedisStore(settings)).rejects.toThrow(SchemaTooNewError);
	});

	test.each([
		['that was never published', JSON.stringify({ version: 1, shards: 1 }), /never published/],
		['of something else', 'something else', /not that of a ledger/],
	])('a layout %s is refused, with what to do', async (_, schema, words) => {
		await client.set(`${settings.prefix}:schema`, schema);
		const opening = openRedisStore(settings);
		await expect(opening).rejects.toThrow(LedgerMisconfiguredError);
		await expect(opening).rejects.toThrow(words);
		await expect(opening).rejects.toMatchObject({ remedy: expect.stringMatching(/prefix/) });
	});

	test('the number of shards is part of the ledger, and not of who opens it', async () => {
		const schema = JSON.parse((await client.get(`${settings.prefix}:schema`))!) as object;
		await client.set(`${settings.prefix}:schema`, JSON.stringify({ ...schema, shards: 16 }));
		const moved = await openRedisStore(settings);
		await moved.insert(many(100, 'k'));
		const shards = new Set((await leftovers()).map((key) => /\{(\d+)\}/.exec(key)![1]));
		expect(shards.size).toBe(16);
		const { records } = await moved.list({ namespace, order: 'created', limit: 1000 });
		expect(records).toHaveLength(100);
		await moved.close();
	});

	test.each([
		['a database that does not exist', { database: 99_999 }, /no database/],
		['a password that is wrong', { username: 'nobody', password: 'wrong' }, /password/],
		['a single server that is taken for a cluster', { topology: 'cluster' }, /not a cluster/],
		['a prefix with a brace', { prefix: 'a{b' }, /brace/],
		['a Sentinel without a master', { topology: 'sentinel' }, /master/],
	] as Array<[string, Partial<RedisSettings>, RegExp]>)(
		'%s is refused in plain words',
		async (_, change, words) => {
			const opening = openRedisStore({ ...settings, ...change });
			await expect(opening).rejects.toThrow(LedgerMisconfiguredError);
			await expect(opening).rejects.toThrow(words);
		},
	);
});

async function scriptCalls(): Promise<number> {
	const info = await client.info('commandstats');
	return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
}
