import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { LedgerMisconfiguredError, SchemaTooNewError } from '../../ledger/errors';
import { openRedisStore } from '../../ledger/redis/RedisStore';
import type { RedisSettings } from '../../ledger/settings';
import type { ClaimCommand, LedgerStore } from '../../ledger/Store';
import { server, unique } from './stores/shared';

/** What the conformance suite cannot see: what is left in Redis, and servers that forget scripts or refuse. */

/** Longer than it takes to make all the events, shorter than one likes to wait for them to expire. */
const RETENTION_MS = 3000;
const namespace = 'orders';
const url = new URL(server('TEST_REDIS_URL'));

let settings: RedisSettings;
let client: Redis;
let store: LedgerStore;

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

function claimOf(key: string, change: Partial<ClaimCommand> = {}): ClaimCommand {
	return {
		namespace,
		key,
		token: `token of ${key}`,
		claimant: 'execution/node/0/0',
		executionId: 'execution',
		lease: 60_000,
		retention: RETENTION_MS,
		maxAttempts: 5,
		onStopped: 'takeover',
		...change,
	};
}

function at(key: string) {
	return { namespace, key };
}

function held(key: string) {
	return { ...at(key), token: `token of ${key}` };
}

/** One event through each of the ways that an event can take until it is done. */
async function liveThroughEverything(): Promise<void> {
	const full = { fingerprint: 'fingerprint', input: '"input"', workflowId: 'workflow' };
	await store.claim([
		claimOf('at once', full),
		claimOf('kept', { ...full, keepInput: true }),
		claimOf('with everything', { ...full, findSameContent: true, object: 'object', version: 1 }),
		claimOf('retried'),
		claimOf('seen twice'),
		claimOf('listed'),
		claimOf('released'),
		claimOf('superseded', { object: 'object', version: 1 }),
		claimOf('reviewed'),
	]);
	await store.list({ namespace, order: 'created', limit: 10 });

	const step = {
		...held('with everything'),
		step: 'step',
		claimant: 'c',
		executionId: 'execution',
	};
	await store.begin([{ ...step, whenInDoubt: 'review' }]);
	await store.finish([{ ...held('with everything'), step: 'step', state: 'done', output: '1' }]);
	const gate = { gate: 'gate', fingerprint: 'content', content: '"content"', required: 1 };
	await store.requestApprovals([{ ...held('with everything'), id: 'id', ...gate }]);
	const vote = { approvalId: 'id', voteId: 'vote', decision: 'approved', by: 'olga' } as const;
	await store.decideApproval({ ...at('with everything'), gate: 'gate', ...vote });

	const give = { as: 'failed', reason: 'It broke', retryAfter: 0 } as const;
	await store.fail([{ ...held('retried'), ...give }]);
	const other = {
		token: 'another token',
		executionId: 'other',
		claimant: 'other/node/0/0',
		fingerprint: 'other',
	};
	await store.claim([claimOf('retried', other), claimOf('seen twice', other)]);
	await store.fail([{ ...held('superseded'), ...give }]);
	await store.claim([claimOf('newer', { object: 'object', version: 2 })]);
	await store.claim([claimOf('superseded', { object: 'object', version: 1, token: 'late' })]);
	await store.fail([{ ...held('reviewed'), ...give, as: 'review' }]);
	const filter = { minAge: 0, minAttempts: 0, backoff: 0, maxBackoff: 0 };
	await store.take({ kinds: ['review'], limit: 5, visibility: 1000, by: 'taker', ...filter });

	await store.complete([{ ...held('released'), result: '1' }]);
	await store.release([{ ...at('released'), by: 'olga' }]);
	const names = ['at once', 'kept', 'with everything', 'seen twice', 'listed', 'newer'];
	await store.complete(names.map((key) => ({ ...held(key), result: '"result"' })));
	await store.complete(
		['retried', 'released', 'reviewed'].map((key) => ({ ...at(key), by: 'olga' })),
	);
	await store.import([
		{ ...at('imported'), fingerprint: 'f', result: '1', retention: RETENTION_MS },
	]);
	expect((await store.stats({ days: 1 })).events).toEqual({
		processing: 0,
		waiting: 0,
		done: 11,
		failed: 0,
		review: 0,
	});
}

describe('What is left of events', () => {
	test('nothing but the counts, once they have expired and are purged', async () => {
		await liveThroughEverything();
		expect(await leftovers()).not.toEqual([]);
		await sleep(RETENTION_MS + 100);
		expect(await store.purge(1000)).toBe(11);
		expect(await leftovers()).toEqual([]);
	});

	test('nothing, either, when nobody purges: whoever completes events cleans up', async () => {
		await liveThroughEverything();
		await sleep(RETENTION_MS + 100);
		await store.claim([claimOf('last', { retention: 60_000 })]);
		await store.complete([held('last')]);
		const names = (await leftovers()).map((key) => key.replace(/^.*\}:/, ''));
		expect(names.sort()).toEqual([
			`created:${namespace}`,
			`e:${namespace}\0last`,
			'execution:execution',
			'expiry',
			`keys:${namespace}`,
		]);
	});

	test('nothing of the old event, and all of the new one, when its key is used again', async () => {
		await store.claim([claimOf('k', { fingerprint: 'old', executionId: 'old' })]);
		await store.complete([held('k')]);
		await sleep(RETENTION_MS + 100);
		const again = { fingerprint: 'new', executionId: 'new', token: 'again', retention: 60_000 };
		expect((await store.claim([claimOf('k', again)]))[0].outcome).toBe('new');
		expect(await store.purge(10)).toBe(1);
		const find = async (executionId: string) =>
			(await store.list({ executionId, order: 'key', limit: 10 })).length;
		expect([await find('old'), await find('new')]).toEqual([0, 1]);
		expect(await store.list({ namespace, keyPrefix: 'k', order: 'key', limit: 10 })).toHaveLength(
			1,
		);
		expect((await leftovers()).filter((key) => key.includes('old'))).toEqual([]);
	});
});

describe('Fresh events', () => {
	test('many of them: every list and count has all, and each once', async () => {
		const names = Array.from({ length: 3000 }, (_, i) => `event ${i}`);
		for (let i = 0; i < names.length; i += 1000) {
			await store.claim(names.slice(i, i + 1000).map((key) => claimOf(key)));
		}
		const first = await store.list({ namespace, order: 'created', limit: 2000 });
		const { createdAt, key } = first[1999];
		const after = { time: createdAt, namespace, key };
		const second = await store.list({ namespace, order: 'created', limit: 2000, after });
		expect([...first, ...second].map((event) => event.key).sort()).toEqual(names.sort());
		const { events, tallies } = await store.stats({ days: 1 });
		expect(events.processing).toBe(3000);
		expect(tallies).toMatchObject([{ namespace, kind: 'new', count: 3000 }]);
	});
});

describe('Servers', () => {
	test('a server that forgets its scripts gets them again', async () => {
		const forget = () => client.script('FLUSH');
		await forget();
		const claims = Array.from({ length: 600 }, (_, i) => claimOf(`k${i}`));
		expect((await store.claim(claims)).every(({ outcome }) => outcome === 'new')).toBe(true);
		await forget();
		const [first, ...rest] = claims.map(({ key }) => held(key));
		expect((await store.complete([first]))[0].status).toBe('ok');
		await forget();
		expect((await store.get([first]))[0]?.event.state).toBe('done');
		await forget();
		const closing = [store.complete(rest), store.list({ namespace, order: 'created', limit: 1 })];
		const [completed] = await Promise.all(closing);
		expect(completed).toHaveLength(599);
	});

	test('a ledger of a newer version is left alone', async () => {
		await client.set(`${settings.prefix}:schema`, JSON.stringify({ version: 2, shards: 1 }));
		await expect(openRedisStore(settings)).rejects.toThrow(SchemaTooNewError);
	});

	test('the number of shards is part of the ledger, and not of who opens it', async () => {
		await client.set(`${settings.prefix}:schema`, JSON.stringify({ version: 1, shards: 16 }));
		const moved = await openRedisStore(settings);
		const claims = Array.from({ length: 100 }, (_, i) => claimOf(`k${i}`));
		await moved.claim(claims);
		const shards = new Set((await leftovers()).map((key) => /\{(\d+)\}/.exec(key)![1]));
		expect(shards.size).toBe(16);
		expect(await moved.list({ namespace, order: 'created', limit: 1000 })).toHaveLength(100);
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

it('gives many untouched claims their places in short portions, whoever asks first', async () => {
	const FRESH = 10_000;
	for (let first = 0; first < FRESH; first += 1000) {
		const part = Array.from({ length: 1000 }, (_, i) => claimOf(`fresh ${first + i}`));
		await store.claim(part.map((command) => ({ ...command, retention: 60_000 })));
	}
	const before = await scriptCalls();
	expect((await store.stats({ days: 1 })).events.processing).toBe(FRESH);
	// Others get their turn between the portions, each of which is some hundred events.
	expect((await scriptCalls()) - before).toBeGreaterThanOrEqual(FRESH / 500);
	expect(await store.list({ order: 'created', namespace, limit: 10 })).toHaveLength(10);
}, 60_000);

it('gives untouched claims their places by and by, also if nobody asks', async () => {
	const shard = `${settings.prefix}:{10}:`;
	const fresh = () => client.hlen(`${shard}fresh`);
	const placed = () => client.zcard(`${shard}created:${namespace}`);
	while ((await fresh()) > 0) await sleep(10);
	const before = await placed();
	await store.claim(Array.from({ length: 1000 }, (_, i) => claimOf(`untouched ${i}`)));
	while ((await fresh()) > 0) await sleep(10);
	expect(await placed()).toBe(before + 1000);
}, 60_000);

async function scriptCalls(): Promise<number> {
	const info = await client.info('commandstats');
	return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
}
