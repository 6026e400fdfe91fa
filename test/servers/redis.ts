import { Redis } from 'ioredis';

import { findProgram } from './find';
import { freePort, makeDirectory, ServerProcess, until } from './ServerProcess';

interface RedisOptions {
	/** Every write is on disk before it is answered, so that none is lost in a crash. */
	appendfsyncAlways?: boolean;
	extraArgs?: string[];
}

/** A Redis of one's own that keeps its data in an append-only file. */
export async function startRedis(options: RedisOptions = {}): Promise<ServerProcess> {
	const command = findProgram('redis');
	const directory = makeDirectory('redis');
	const port = await freePort();
	const settings = {
		port: String(port),
		bind: '127.0.0.1',
		dir: directory,
		save: '',
		appendonly: 'yes',
		appendfsync: options.appendfsyncAlways ? 'always' : 'everysec',
	};
	return await ServerProcess.start({
		command,
		args: [
			...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
			...(options.extraArgs ?? []),
		],
		directory,
		url: `redis://127.0.0.1:${port}`,
		port,
		stopSignal: 'SIGTERM',
		answers: () => ask(port, (redis) => redis.ping()),
	});
}

/** Three masters without replicas. */
export async function startRedisCluster(): Promise<{
	nodes: Array<{ host: string; port: number }>;
	stop(): Promise<void>;
}> {
	const extraArgs = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000'];
	const servers = await Promise.all([1, 2, 3].map(() => startRedis({ extraArgs })));
	const stop = async () => {
		await Promise.all(servers.map((server) => server.stop()));
	};
	try {
		await join(servers.map((server) => server.port));
	} catch (error) {
		await stop();
		throw error;
	}
	return { nodes: servers.map(({ port }) => ({ host: '127.0.0.1', port })), stop };
}

async function join(ports: number[]): Promise<void> {
	const slots = Array.from({ length: 16_384 }, (_, slot) => slot);
	const share = Math.ceil(slots.length / ports.length);
	await Promise.all(
		ports.map((port, i) =>
			ask(port, async (redis) => {
				await redis.cluster('ADDSLOTS', ...slots.slice(i * share, (i + 1) * share));
				// Nodes that meet with the same epoch would have to quarrel it out first.
				await redis.cluster('SET-CONFIG-EPOCH', i + 1);
			}),
		),
	);
	for (const port of ports.slice(1)) {
		await ask(ports[0], (redis) => redis.cluster('MEET', '127.0.0.1', port));
	}
	await until('the Redis Cluster to form', () =>
		Promise.all(
			ports.map(async (port) => {
				const info = await ask(port, (redis) => redis.cluster('INFO'));
				const formed = ['cluster_state:ok', `cluster_size:${ports.length}`];
				if (!formed.every((line) => info.includes(line))) throw new Error(info);
			}),
		),
	);
}

/** One conversation with one server; unlike a normal client it does not try again. */
export async function ask<T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T> {
	const redis = new Redis(port, '127.0.0.1', {
		lazyConnect: true,
		connectTimeout: 2_000,
		retryStrategy: () => null,
	});
	redis.on('error', () => {}); // `connect` already tells.
	await redis.connect();
	try {
		return await question(redis);
	} finally {
		redis.disconnect();
	}
}
