/** A real n8n with this package in it, and the servers that all contestants share. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';
import { Client } from 'pg';

import { DEFAULT_VERSION, ensureHost } from '../../scripts/n8n/host';
import { installPackage } from '../../scripts/n8n/installPackage';
import { N8n } from '../../scripts/n8n/N8n';
import { startPostgres } from '../../test/servers/postgres';
import { ask, startRedis } from '../../test/servers/redis';
import {
	makeDirectory,
	removeDirectory,
	type ServerProcess,
	until,
} from '../../test/servers/ServerProcess';
import type { Contestant, CredentialName, Mode } from './contestants';
import { workflowOf } from './workflow';

/** In queue mode. */
const WORKERS = 2;

/** For every execution n8n makes a new sandbox for expressions, after the one before has taken the last. */
const SANDBOX_MS = 200;

/** A contestant in n8n. */
export interface Racer extends Contestant {
	/** Of its webhook. */
	url: string;
	workflowId: string;
}

export class Arena {
	private constructor(
		readonly n8n: N8n,
		private readonly servers: ServerProcess[],
		private readonly database: Client,
		private readonly userFolder: string,
		private readonly credentialIds: Record<CredentialName, string>,
		/** Which programs, and how they are set. */
		readonly description: string,
	) {}

	static async open(mode: Mode, { durable = true, env = {} } = {}): Promise<Arena> {
		const host = await ensureHost(DEFAULT_VERSION);
		const userFolder = makeDirectory('n8n-user');
		await installPackage(userFolder);
		const postgres = await startPostgres({ durable });
		const redis = await startRedis();
		const queue = mode === 'queue' ? await startRedis() : undefined;
		const n8n = await N8n.start({
			host,
			userFolder,
			postgresUrl: postgres.url,
			queue: queue && { redisPort: queue.port, workers: WORKERS },
			env,
		});
		await n8n.api.logIn();
		const database = new Client({ connectionString: postgres.url });
		await database.connect();
		await database.query('CREATE TABLE seen (id text PRIMARY KEY)');
		return new Arena(
			n8n,
			[postgres, redis, ...(queue ? [queue] : [])],
			database,
			userFolder,
			await createCredentials(n8n, postgres, redis, userFolder),
			await describeServers(host.version, database, redis),
		);
	}

	async enter(contestant: Contestant): Promise<Racer> {
		const path = randomUUID();
		const { api, url } = this.n8n;
		const workflowId = await api.createWorkflow(workflowOf(contestant, path, this.credentialIds));
		await api.publish(workflowId);
		return { ...contestant, workflowId, url: `${url}/webhook/${path}` };
	}

	/** How many items came out at the end of the newest execution. */
	async itemsPassed({ workflowId }: Racer): Promise<number> {
		await this.saved();
		const [{ id }] = await this.n8n.api.executions(workflowId);
		const { data } = await this.n8n.api.execution(id);
		const { Respond } = data!.resultData.runData as { Respond: IDataObject[] };
		return (Respond[0].data as { main: unknown[][] }).main[0].length;
	}

	/** Waits until nothing of the last call is left to be done, and n8n is ready for the next. */
	async rest(): Promise<void> {
		await this.saved();
		await sleep(SANDBOX_MS);
	}

	private async saved(): Promise<void> {
		await until('n8n to save its executions', async () => {
			const { rows } = await this.database.query<{ running: number }>(
				`SELECT count(*)::int AS running FROM execution_entity WHERE status IN ('new', 'running')`,
			);
			if (rows[0].running > 0) throw new Error(`${rows[0].running} are running`);
		});
	}

	async close(): Promise<void> {
		await this.n8n.stop();
		await this.database.end();
		await Promise.all(this.servers.map((server) => server.stop()));
		removeDirectory(this.userFolder);
	}
}

async function createCredentials(
	{ api }: N8n,
	postgres: ServerProcess,
	redis: ServerProcess,
	userFolder: string,
): Promise<Record<CredentialName, string>> {
	const { hostname: host, port, username: user, password, pathname } = new URL(postgres.url);
	const database = pathname.slice(1);
	const redisServer = { host: '127.0.0.1', port: redis.port };
	const ledger = 'idempotencyLedgerApi';
	const file = join(userFolder, 'ledger.sqlite');
	const all: Record<CredentialName, [type: string, data: IDataObject]> = {
		postgres: ['postgres', { host, port: Number(port), database, user, password, ssl: 'disable' }],
		redis: ['redis', { ...redisServer, database: 0, ssl: false }],
		'ledger on embedded': [ledger, { store: 'embedded', file }],
		'ledger on Postgres': [ledger, { store: 'postgres', connectWith: 'url', url: postgres.url }],
		'ledger on Redis': [ledger, { store: 'redis', topology: 'single', ...redisServer }],
	};
	const ids: Array<[string, string]> = [];
	for (const [name, [type, data]] of Object.entries(all)) {
		ids.push([name, await api.createCredential(name, type, data)]);
	}
	return Object.fromEntries(ids) as Record<CredentialName, string>;
}

async function describeServers(
	n8nVersion: string,
	database: Client,
	redis: ServerProcess,
): Promise<string> {
	const { rows } = await database.query<Record<'version' | 'fsync' | 'commit', string>>(
		`SELECT split_part(current_setting('server_version'), ' ', 1) AS version, current_setting('fsync') AS fsync,
			current_setting('synchronous_commit') AS commit`,
	);
	const [{ version, fsync, commit }] = rows;
	const [info, settings] = await ask(redis.port, async (client) => [
		await client.info('server'),
		(await client.config('GET', 'append*')) as string[],
	]);
	const [, redisVersion] = /redis_version:(\S+)/.exec(info as string) ?? [];
	const setting = (name: string) => settings[settings.indexOf(name) + 1];
	return (
		`n8n ${n8nVersion}; PostgreSQL ${version} (fsync ${fsync}, synchronous_commit ${commit}); ` +
		`Redis ${redisVersion} (appendonly ${setting('appendonly')}, appendfsync ${setting('appendfsync')})`
	);
}
