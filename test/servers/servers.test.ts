import { Cluster, Redis } from 'ioredis';
import { Client } from 'pg';

import { startPgBouncer } from './pgbouncer';
import { startPostgres } from './postgres';
import { startRedis } from './redis';

async function query(url: string, sql: string): Promise<unknown[]> {
	const client = new Client({ connectionString: url });
	await client.connect();
	try {
		return (await client.query(sql)).rows;
	} finally {
		await client.end();
	}
}

describe('shared servers', () => {
	test('Postgres answers', async () => {
		expect(await query(process.env.TEST_POSTGRES_URL!, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
	});

	test('Redis answers', async () => {
		const redis = new Redis(process.env.TEST_REDIS_URL!);
		expect(await redis.ping()).toBe('PONG');
		redis.disconnect();
	});

	test('Redis Cluster stores keys on all of its nodes', async () => {
		const nodes = process.env.TEST_REDIS_CLUSTER_NODES!.split(',');
		const cluster = new Cluster(nodes);
		const keys = Array.from({ length: 30 }, (_, i) => `servers.test:${i}`);
		await Promise.all(keys.map((key) => cluster.set(key, key, 'EX', 60)));
		expect(await Promise.all(keys.map((key) => cluster.get(key)))).toEqual(keys);
		const sizes = await Promise.all(cluster.nodes('master').map((node) => node.dbsize()));
		expect(sizes).toHaveLength(nodes.length);
		expect(Math.min(...sizes)).toBeGreaterThan(0);
		cluster.disconnect();
	});
});

describe('private servers', () => {
	test('Postgres keeps a committed row when it is killed', async () => {
		const postgres = await startPostgres();
		await query(postgres.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
		await postgres.kill();
		await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
		await postgres.restart();
		expect(await query(postgres.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
		await postgres.stop();
	});

	test('Redis that syncs always keeps an answered write when it is killed', async () => {
		const server = await startRedis({ appendfsyncAlways: true });
		const redis = new Redis(server.url);
		redis.on('error', () => {});
		await redis.set('kept', '42');
		await server.kill();
		await server.restart();
		expect(await redis.get('kept')).toBe('42');
		redis.disconnect();
		await server.stop();
	});

	test('PgBouncer passes queries on', async () => {
		const bouncer = await startPgBouncer(process.env.TEST_POSTGRES_URL!);
		expect(await query(bouncer.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
		await bouncer.stop();
	});
});
