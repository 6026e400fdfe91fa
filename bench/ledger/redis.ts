import { Redis } from 'ioredis';

import { DEFAULTS } from '../../ledger/records';
import { startRedis } from '../../test/servers/redis';
import type { Contestant, Item } from './contestant';

export async function redisContestant(): Promise<Contestant> {
	const server = await startRedis();
	const { hostname, port } = new URL(server.url);
	const redis = new Redis(server.url);
	const [, version] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? [];
	const [, aof] = (await redis.config('GET', 'appendonly')) as string[];
	const name = ({ namespace, key }: Item) => `bare:${namespace}:${key}`;
	const value = ({ owner, input }: Item) => `${owner} ${input}`;
	return {
		name: 'Redis',
		server: `Redis ${version}, appendonly ${aof}`,
		statement: 'SET … PX … NX (batch: pipeline)',
		settings: {
			store: 'redis',
			topology: 'single',
			nodes: [{ host: hostname, port: Number(port) }],
		},
		async bareSingle(item) {
			await redis.set(name(item), value(item), 'PX', DEFAULTS.retentionMs, 'NX');
		},
		async bareBatch(items) {
			const pipeline = redis.pipeline();
			for (const item of items) {
				pipeline.set(name(item), value(item), 'PX', DEFAULTS.retentionMs, 'NX');
			}
			await pipeline.exec();
		},
		async bytes() {
			const [, used] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? [];
			return Number(used);
		},
		async serverCpu() {
			const used = [...(await redis.info('cpu')).matchAll(/used_cpu_(?:sys|user):(\S+)/g)];
			return used.reduce((sum, [, seconds]) => sum + 1000 * Number(seconds), 0);
		},
		async stop() {
			redis.disconnect();
			await server.stop();
		},
	};
}
