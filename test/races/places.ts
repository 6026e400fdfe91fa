import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Cluster, Redis } from 'ioredis';
import { Client } from 'pg';

import type { LedgerSettings } from '../../ledger/settings';

/** A store that belongs to one test file. */
export interface Place {
	settings: LedgerSettings;
	dispose(): Promise<void>;
}

export const PLACES: Record<string, () => Promise<Place>> = {
	embedded,
	Postgres: () => postgres(required('TEST_POSTGRES_URL')),
	Redis: () => redis(required('TEST_REDIS_URL')),
	'Redis Cluster': () => redisCluster(required('TEST_REDIS_CLUSTER_NODES')),
};

async function embedded(): Promise<Place> {
	const directory = mkdtempSync(join(tmpdir(), 'idempotency-races-'));
	return {
		settings: { store: 'embedded', file: join(directory, 'ledger.sqlite') },
		dispose: async () => rmSync(directory, { recursive: true, force: true }),
	};
}

async function postgres(url: string): Promise<Place> {
	const schema = uniqueName();
	return {
		// As many connections as the server has are shared by all workers of all tests.
		settings: { store: 'postgres', url, schema, poolSize: 4 },
		dispose: () => onPostgres(url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`),
	};
}

async function redis(url: string): Promise<Place> {
	const prefix = uniqueName();
	return {
		settings: { store: 'redis', topology: 'single', nodes: [address(new URL(url).host)], prefix },
		dispose: async () => {
			const client = new Redis(url);
			await removeKeys(client, prefix);
			client.disconnect();
		},
	};
}

async function redisCluster(list: string): Promise<Place> {
	const nodes = list.split(',').map(address);
	const prefix = uniqueName();
	return {
		settings: { store: 'redis', topology: 'cluster', nodes, prefix },
		dispose: async () => {
			const cluster = new Cluster(nodes);
			await new Promise((resolve) => cluster.once('ready', resolve));
			await Promise.all(cluster.nodes('master').map((node) => removeKeys(node, prefix)));
			cluster.disconnect();
		},
	};
}

/** Runs a statement on a connection of its own. */
export async function onPostgres(url: string, sql: string): Promise<void> {
	const client = new Client({ connectionString: url });
	await client.connect();
	try {
		await client.query(sql);
	} finally {
		await client.end();
	}
}

async function removeKeys(client: Redis, prefix: string): Promise<void> {
	for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1000 })) {
		await Promise.all((keys as string[]).map((key) => client.unlink(key)));
	}
}

function address(host: string): { host: string; port: number } {
	const [name, port] = host.split(':');
	return { host: name, port: Number(port || 6379) };
}

function uniqueName(): string {
	return `races_${randomBytes(6).toString('hex')}`;
}

function required(variable: string): string {
	const value = process.env[variable];
	if (!value) throw new Error(`${variable} is not set: the test servers have not been started`);
	return value;
}
