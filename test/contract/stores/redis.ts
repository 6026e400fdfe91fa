import { Cluster, Redis } from 'ioredis';

import type { RedisSettings } from '../../../ledger/settings';
import { openRedisStore } from '../../../ledger/stores/redis/RedisStore';
import type { StoreUnderTest } from '../harness';
import { server, unique } from './shared';

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
	return underTest(settings, client, () => [client]);
}

/** The same on the cluster of the tests. */
export async function redisCluster(): Promise<StoreUnderTest> {
	const nodes = server('TEST_REDIS_CLUSTER_NODES')
		.split(',')
		.map((node) => ({ host: node.split(':')[0], port: Number(node.split(':')[1]) }));
	const client = new Cluster(nodes);
	const settings: RedisSettings = { store: 'redis', topology: 'cluster', nodes, prefix: unique() };
	return underTest(settings, client, () => client.nodes('master'));
}

function underTest(
	settings: RedisSettings,
	client: Redis | Cluster,
	masters: () => Redis[],
): StoreUnderTest {
	return {
		open: () => openRedisStore(settings),
		manyItems: 30_000,
		dispose: async () => {
			await client.ping();
			for (const node of masters()) {
				for await (const found of node.scanStream({ match: `${settings.prefix}:*`, count: 1000 })) {
					await Promise.all((found as string[]).map((key) => node.unlink(key)));
				}
			}
			await client.quit();
		},
	};
}
