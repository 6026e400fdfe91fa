import { Redis } from 'ioredis';
import { Client } from 'pg';

import { startPostgres } from '../../test/servers/postgres';
import { startRedis } from '../../test/servers/redis';
import type { Size } from '../parts';
import { dbos } from './dbos';
import type { Peers } from './install';
import { nodeIdempotency } from './nodeIdempotency';
import { ours } from './ours';
import type { Peer } from './Peer';
import { powertools, powertoolsOnGlide } from './powertools';
import type { Amounts } from './speed';

/** A server that is started for this, and those who use it: all with the same durability. */
export interface Stage {
	store: string;
	/** What it is, and how durable. */
	server: string;
	/** Ours is the first. */
	peers: Peer[];
	/** Only whether it works once is of interest. */
	unmeasured: Peer[];
	amounts: Amounts;
	stop(): Promise<void>;
}

export async function redisStage(installed: Peers, { quick }: Size): Promise<Stage> {
	const server = await startRedis();
	const { hostname: host, port } = new URL(server.url);
	return {
		store: 'Redis',
		server: await describeRedis(server.url),
		peers: [
			ours({ store: 'redis', topology: 'single', nodes: [{ host, port: Number(port) }] }),
			powertools(installed, server.url),
			nodeIdempotency(installed, server.url),
		],
		unmeasured: [powertoolsOnGlide(installed, server.url)],
		amounts: quick
			? { rounds: 7, alone: 100, together: 480 }
			: { rounds: 25, alone: 200, together: 1000 },
		stop: () => server.stop(),
	};
}

export async function postgresStage(installed: Peers, { quick }: Size): Promise<Stage> {
	const server = await startPostgres();
	return {
		store: 'Postgres',
		server: await describePostgres(server.url),
		peers: [ours({ store: 'postgres', url: server.url }), dbos(installed, server.url)],
		unmeasured: [],
		amounts: quick
			? { rounds: 7, alone: 20, together: 120 }
			: { rounds: 25, alone: 60, together: 280 },
		stop: () => server.stop(),
	};
}

async function describeRedis(url: string): Promise<string> {
	const redis = new Redis(url);
	const [, version] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? [];
	const setting = async (name: string) => ((await redis.config('GET', name)) as string[])[1];
	const [appendonly, appendfsync] = [await setting('appendonly'), await setting('appendfsync')];
	redis.disconnect();
	return `Redis ${version}, appendonly ${appendonly}, appendfsync ${appendfsync}`;
}

async function describePostgres(url: string): Promise<string> {
	const client = new Client(url);
	await client.connect();
	const setting = async (name: string) =>
		(await client.query<Record<string, string>>(`SHOW ${name}`)).rows[0][name];
	const version = (await setting('server_version')).split(' ')[0];
	const [fsync, commit] = [await setting('fsync'), await setting('synchronous_commit')];
	await client.end();
	return `PostgreSQL ${version}, fsync ${fsync}, synchronous_commit ${commit}, pools of 10 connections`;
}
