/** A running n8n: the main process and, in queue mode, its workers. */
import { freePort, makeDirectory, ServerProcess } from '../../test/servers/ServerProcess';
import type { N8nHost } from './host';
import { N8nApi } from './N8nApi';

export interface N8nOptions {
	host: N8nHost;
	userFolder: string;
	port?: number;
	/** n8n's own database. Without it n8n uses SQLite in the user folder. */
	postgresUrl?: string;
	/** Queue mode. */
	queue?: { redisPort: number; workers: number };
	env?: NodeJS.ProcessEnv;
}

export class N8n {
	readonly workers: ServerProcess[] = [];
	readonly api: N8nApi;

	private constructor(
		readonly url: string,
		readonly main: ServerProcess,
		private readonly options: N8nOptions,
	) {
		this.api = new N8nApi(url);
	}

	static async start(options: N8nOptions): Promise<N8n> {
		const port = options.port ?? (await freePort());
		const url = `http://127.0.0.1:${port}`;
		const main = await launch(options, 'start', port, url, `${url}/rest/settings`);
		const n8n = new N8n(url, main, options);
		try {
			const workers = Array.from({ length: options.queue?.workers ?? 0 }, () => n8n.addWorker());
			await Promise.all(workers);
		} catch (error) {
			await n8n.stop();
			throw error;
		}
		return n8n;
	}

	async addWorker(): Promise<ServerProcess> {
		const port = await freePort();
		const health = `http://127.0.0.1:${port}/healthz`;
		const worker = await launch(this.options, 'worker', port, this.url, health);
		this.workers.push(worker);
		return worker;
	}

	async stop(): Promise<void> {
		// The workers first: what they finish, the main process still wants to know.
		await Promise.all(this.workers.map((worker) => worker.stop()));
		await this.main.stop();
	}
}

/** `port` is where the process listens, `url` where the main process is. */
async function launch(
	{ host, userFolder, postgresUrl, queue, env }: N8nOptions,
	role: 'start' | 'worker',
	port: number,
	url: string,
	healthUrl: string,
): Promise<ServerProcess> {
	return await ServerProcess.start({
		command: process.execPath,
		args: [host.program, role, ...(role === 'worker' ? ['--concurrency=5'] : [])],
		directory: makeDirectory('n8n'),
		url,
		port,
		stopSignal: 'SIGTERM',
		asOwnUser: true,
		env: {
			...quiet,
			N8N_USER_FOLDER: userFolder,
			N8N_ENCRYPTION_KEY: 'the key of a demo, which protects nothing',
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(port),
			WEBHOOK_URL: `${url}/`,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...(postgresUrl ? postgres(new URL(postgresUrl)) : {}),
			...(queue ? bull(queue.redisPort, port) : {}),
			...env,
		},
		answers: async () => {
			// While it starts, n8n says so in plain text, and with status 200.
			const response = await fetch(healthUrl);
			if (!response.ok) throw new Error(`${healthUrl} answered ${response.status}`);
			await response.json();
		},
	});
}

/** What a private n8n on this machine needs neither to ask nor to tell. */
const quiet: NodeJS.ProcessEnv = {
	// Not what jest would pass on: n8n takes that for its own unit tests.
	NODE_ENV: 'production',
	JEST_WORKER_ID: undefined,
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_ONBOARDING_FLOW_DISABLED: 'true',
	N8N_SECURE_COOKIE: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
};

function postgres(url: URL): NodeJS.ProcessEnv {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: url.hostname,
		DB_POSTGRESDB_PORT: url.port,
		DB_POSTGRESDB_DATABASE: url.pathname.slice(1),
		DB_POSTGRESDB_USER: url.username,
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(url.password),
	};
}

function bull(redisPort: number, healthPort: number): NodeJS.ProcessEnv {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(healthPort),
	};
}
