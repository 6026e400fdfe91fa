import { Cluster, Redis } from 'ioredis';

import type { EventAddress } from '../../../ledger/records';
import { idOf, Keys, shardCountFor } from '../../../ledger/redis/keys';
import { openRedisStore } from '../../../ledger/redis/RedisStore';
import type { RedisSettings } from '../../../ledger/settings';
import type { StoreUnderTest } from '../harness';
import { AGO_MS, server, unique } from './shared';

/** Keys with a prefix of their own on the server of the tests. */
export async function redis(): Promise<StoreUnderTest> {
	const url = new URL(server('TEST_REDIS_URL'));
	const settings: RedisSettings = {
		store: 'redis',
		topology: 'single',
		nodes: [{ host: url.hostname, port: Number(url.port || 6379) }],
		username: decodeURIComponent(url.username) || undefined,
		password: decodeURIComponent(url.password) || undefined,
		database: Number(url.pathname.slice(1) || 0),
		prefix: unique(),
	};
	const client = new Redis(url.href);
	return redisUnderTest(settings, client, () => [client]);
}

/** The same on the cluster of the tests. */
export async function redisCluster(): Promise<StoreUnderTest> {
	const nodes = server('TEST_REDIS_CLUSTER_NODES')
		.split(',')
		.map((node) => ({ host: node.split(':')[0], port: Number(node.split(':')[1]) }));
	const client = new Cluster(nodes);
	const settings: RedisSettings = { store: 'redis', topology: 'cluster', nodes, prefix: unique() };
	return redisUnderTest(settings, client, () => client.nodes('master'));
}

/**
 * Changes the JSON in a field of an event's hash, and its place in the index of what is due. A script, because others may
 * change the event at the same time.
 */
const CHANGE = `
	local event, shard, id, field, change = KEYS[1], KEYS[2], ARGV[1], ARGV[2], cjson.decode(ARGV[3])
	local found = redis.call('HGET', event, field)
	local record = cjson.decode(redis.call('HGET', event, 'r') or '{}')
	if not found or change.ifState and record.state ~= change.ifState then return false end
	local changed = field == 'r' and record or cjson.decode(found)
	for name, value in pairs(change.set) do changed[name] = value end
	redis.call('HSET', event, field, cjson.encode(changed))
	if change.set.dueAt then
		redis.call('ZADD', shard .. 'due:' .. record.state, change.set.dueAt, id)
	end
	return cjson.encode(changed)
`;

/** Lets the time pass for which steps are handed out to be undone. */
const EXPIRE_UNDOS = `
	local event, past = KEYS[1], ARGV[1]
	local record = cjson.decode(redis.call('HGET', event, 'r') or '{}')
	for _, name in ipairs(record.steps or {}) do
		local step = cjson.decode(redis.call('HGET', event, 's:' .. name))
		if step.undoUntil then
			step.undoUntil = tonumber(past)
			redis.call('HSET', event, 's:' .. name, cjson.encode(step))
		end
	end
`;

interface Change {
	ifState?: string;
	set: Record<string, number>;
}

function redisUnderTest(
	settings: RedisSettings,
	client: Redis | Cluster,
	masters: () => Redis[],
): StoreUnderTest {
	const keys = new Keys(settings.prefix!, shardCountFor(settings));
	const clock = async () => {
		const [seconds, microseconds] = await masters()[0].time();
		return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
	};
	const past = async () => (await clock()) - AGO_MS;
	const shardOf = (address: EventAddress) => keys.shards[keys.shardOf(idOf(address))];

	// An event that nobody touched since it was claimed has no hash yet; a list gives it one.
	const opening = openRedisStore(settings);
	const settle = async (address: EventAddress) => {
		if ((await client.type(keys.event(address))) !== 'string') return;
		const { namespace } = address;
		await (await opening).list({ namespace, order: 'created', limit: 1 });
	};
	const change = async (address: EventAddress, field: string, wanted: Change) => {
		await settle(address);
		const args = [idOf(address), field, JSON.stringify(wanted)];
		const names = [keys.event(address), shardOf(address)];
		return (await client.eval(CHANGE, 2, ...names, ...args)) as string | null;
	};
	const mustChange = async (address: EventAddress, field: string, wanted: Change) => {
		const changed = await change(address, field, wanted);
		if (changed === null) throw new Error(`Nothing to do for ${field} of ${address.key}`);
		return JSON.parse(changed) as Record<string, string | number | undefined>;
	};

	return {
		open: () => openRedisStore(settings),
		manyItems: 30_000,
		expireLease: async (address) => {
			const set = { leaseUntil: await past(), dueAt: await past() };
			await mustChange(address, 'r', { ifState: 'processing', set });
		},
		expireRecord: async (address) => {
			const expiresAt = await past();
			const record = await mustChange(address, 'r', { ifState: 'done', set: { expiresAt } });
			const { executionId = '', fingerprint = '', createdAt } = record;
			const remains = [idOf(address), executionId, fingerprint, createdAt].join('\0');
			if ((await client.zscore(`${shardOf(address)}expiry`, remains)) === null) {
				throw new Error(`${address.key} is not going to expire`);
			}
			await client.zadd(`${shardOf(address)}expiry`, expiresAt, remains);
			// A time in the past: Redis removes it, as it would have done at that time.
			await client.pexpireat(keys.event(address), expiresAt);
			// No event lives for less than a millisecond, and by that its successor is told from it.
			while ((await clock()) <= Number(createdAt));
		},
		expireApproval: async (address, gate) => {
			await mustChange(address, `g:${gate}`, { set: { expiresAt: await past() } });
			await change(address, 'r', { ifState: 'waiting', set: { dueAt: await past() } });
		},
		makeDue: async (address) => {
			await mustChange(address, 'r', { set: { dueAt: await past() } });
		},
		expireUndos: async (address) => {
			await settle(address);
			await client.eval(EXPIRE_UNDOS, 1, keys.event(address), await past());
		},
		dispose: async () => {
			await (await opening).close();
			for (const node of masters()) {
				for await (const found of node.scanStream({ match: `${settings.prefix}:*`, count: 1000 })) {
					await Promise.all((found as string[]).map((key) => node.unlink(key)));
				}
			}
			await client.quit();
		},
	};
}
