import type { Cluster, Redis } from 'ioredis';

import type { RedisSettings } from '../../../ledger/settings';
import { openRedisStore } from '../../../ledger/stores/redis/RedisStore';
import type { StorePlace } from './fixture';

/** Keys with a prefix of their own, on a server or a cluster that `connect` connects to. */
export function redisPlace(
	settings: RedisSettings,
	connect: () => { client: Redis | Cluster; masters: () => Redis[] },
): StorePlace {
	return {
		open: () => openRedisStore(settings),
		dispose: async () => {
			const { client, masters } = connect();
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
