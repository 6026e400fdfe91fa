import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { ConnectionOptions } from 'node:tls';

import { LedgerClosedError, LedgerMisconfiguredError } from '../../errors';
import { withRetry } from '../../retry';
import type { RedisSettings, TlsSettings } from '../../settings';
import { explain, isPassing, isRefusal } from './failures';
import { type Argument, evaluate, type ScriptName } from './scripts';

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 10_000;
const LONGEST_RECONNECT_DELAY_MS = 2_000;

/**
 * The connection to one Redis, whatever its topology. It reconnects by itself for as long as it is open; a call in the
 * meantime waits for a bounded time. The driver queues and resends nothing: one place decides what is tried
 * again, and for how long.
 */
export class RedisConnection {
	/** What the driver said last about the connection itself; commands that suffer from it do not tell. */
	private trouble?: unknown;
	private isClosed = false;

	private constructor(
		private readonly client: Redis | Cluster,
		private readonly place: string,
		private readonly patienceMs?: number,
	) {
		client.on('error', (error) => this.remember(error));
		client.on('node error', (error) => this.remember(error));
		client.on('connect', () => {
			this.trouble = undefined;
		});
		const mend = (node: Redis) => {
			keepQuiet(node);
			stopOldTimer(node);
		};
		if (client instanceof Redis) mend(client);
		else client.on('+node', mend);
	}

	static async open(settings: RedisSettings): Promise<RedisConnection> {
		const place = settings.nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
		const connection = new RedisConnection(createClient(settings), place, settings.patienceMs);
		await connection.firstContact();
		return connection;
	}

	/** Runs a script on one shard. Scripts may be repeated, so that a lost answer does no harm. */
	run(script: ScriptName, shard: string, args: Argument[]): Promise<unknown> {
		return this.ask((client) => evaluate(client, script, shard, args));
	}

	async ask<T>(question: (client: Redis | Cluster) => Promise<T>): Promise<T> {
		if (this.isClosed) throw new LedgerClosedError();
		try {
			return await withRetry(
				() => {
					// A connection whose database could not be selected still takes commands, for another database.
					if (isRefusal(this.trouble)) throw this.trouble;
					return question(this.client);
				},
				(error) => !this.isClosed && isPassing(error),
				this.patienceMs,
			);
		} catch (error) {
			throw explain(isPassing(error) ? (this.trouble ?? error) : error, this.place);
		}
	}

	private remember(error: unknown): void {
		this.trouble = (error as { lastNodeError?: unknown }).lastNodeError ?? error;
	}

	/** Asks every server that holds data. */
	async askAll<T>(question: (node: Redis) => Promise<T>): Promise<T[]> {
		return await this.ask((client) => {
			const nodes = client instanceof Cluster ? client.nodes('master') : [client];
			return Promise.all(nodes.map(question));
		});
	}

	async close(): Promise<void> {
		this.isClosed = true;
		await this.client.quit().catch(() => {});
		this.client.disconnect();
	}

	/** Ends with the first success or failure; whoever asks next tries again or is told. */
	private async firstContact(): Promise<void> {
		const failure = new Promise((resolve) => this.client.once('error', resolve));
		await Promise.race([this.client.connect().catch(() => {}), failure]);
	}
}

/**
 * The driver listens for the first error of a socket only, and a socket may have two (one of writing, one of reading): the second
 * would end the whole process.
 */
function keepQuiet(client: Redis): void {
	const listen = () => {
		const { stream } = client as unknown as { stream?: NodeJS.EventEmitter };
		if (stream && !stream.listeners('error').includes(ignore)) stream.on('error', ignore);
	};
	client.on('connect', listen).on('error', listen).on('close', listen);
}

function ignore(): void {}

/** The driver lets the time-out of a connection that broke run on, and then takes it out on the next one. */
function stopOldTimer(client: Redis): void {
	const driver = client as unknown as { socketTimeoutTimer?: NodeJS.Timeout };
	client.on('close', () => {
		clearTimeout(driver.socketTimeoutTimer);
		driver.socketTimeoutTimer = undefined;
	});
}

function createClient(settings: RedisSettings): Redis | Cluster {
	const tls = settings.tls && tlsOptions(settings.tls);
	const common: RedisOptions = {
		username: settings.username,
		password: settings.password,
		tls,
		connectionName: 'n8n-nodes-idempotency',
		connectTimeout: CONNECT_TIMEOUT_MS,
		// Instead of a time-out per command: answers come in order, so none is late unless the whole connection is, and
		// a connection that hangs has to go.
		socketTimeout: ANSWER_TIMEOUT_MS,
		keepAlive: 30_000,
		lazyConnect: true,
		maxRetriesPerRequest: 0,
		autoResendUnfulfilledCommands: false,
	};
	if (settings.topology === 'cluster') {
		return new Cluster(settings.nodes, {
			redisOptions: common,
			lazyConnect: true,
			enableOfflineQueue: false,
			clusterRetryStrategy: reconnectDelay,
			slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
			// Certificates are made out to names: addresses would not match them.
			...(tls && { dnsLookup: (address, callback) => callback(null, address) }),
		});
	}
	const single: RedisOptions = {
		...common,
		db: settings.database ?? 0,
		enableOfflineQueue: false,
		retryStrategy: reconnectDelay,
		// After a failover this may be a connection to what was the master.
		reconnectOnError: (error) => /\bREADONLY\b/.test(error.message),
	};
	if (settings.topology === 'single') return new Redis({ ...single, ...settings.nodes[0] });
	if (!settings.masterName) {
		throw new LedgerMisconfiguredError(
			'The name of the master group is missing',
			"Give the name that the Sentinels know it by, often 'mymaster'",
		);
	}
	return new Redis({
		...single,
		sentinels: settings.nodes,
		name: settings.masterName,
		sentinelUsername: settings.sentinelUsername,
		sentinelPassword: settings.sentinelPassword,
		sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
		sentinelRetryStrategy: reconnectDelay,
		...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
	});
}

function reconnectDelay(attempt: number): number {
	return Math.min(50 * 2 ** Math.min(attempt, 10), LONGEST_RECONNECT_DELAY_MS);
}

function tlsOptions(settings: TlsSettings): ConnectionOptions {
	return {
		ca: settings.ca,
		cert: settings.certificate,
		key: settings.privateKey,
		rejectUnauthorized: !settings.allowUnauthorized,
	};
}
