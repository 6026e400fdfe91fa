import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

import { LedgerClosedError } from '../../errors';
import { withRetry } from '../../retry';
import type { PostgresSettings } from '../../settings';
import { isPassing, isSilence, isUnprepared, ledgerError, refusesOptions } from './failures';
import { poolMaker } from './pools';
import { BEGIN_WITH_SETTINGS, HAS_SETTINGS, SESSION_OPTIONS } from './sessionSettings';
import type { Query } from './Statements';

/** How long a statement may take, from its values in megabytes. Then its connection is given up. */
const timeoutMs = (megabytes: number) => 5_000 + 1_000 * megabytes;

/** For statements that read or remove much. */
const LONG_TIMEOUT_MS = 15_000;

export interface SendOptions {
	/** Its best plan depends on the size of the tables: it is planned anew each time. */
	isPlannedAnew?: boolean;
	isLong?: boolean;
}

/** Runs statements on a pool of connections. A call that fails because the server is away is repeated. */
export class Database {
	private pool: Pool;
	/** Whether connections remember statements, so that the server plans each only once. */
	private prepares = true;
	private isClosed = false;

	private constructor(
		private readonly newPool: () => Pool,
		/** Whether all connections have the ledger's settings. If not, each statement brings them along. */
		private readonly hasSettings: boolean,
		private readonly patienceMs?: number,
	) {
		this.pool = newPool();
	}

	static async open(settings: PostgresSettings): Promise<Database> {
		const withOptions = await poolMaker(settings, { options: SESSION_OPTIONS });
		const database = new Database(withOptions, true, settings.patienceMs);
		try {
			if (await database.retrying(() => database.acceptsSettings())) return database;
		} catch (error) {
			await database.close();
			throw error;
		}
		await database.close();
		return new Database(await poolMaker(settings, { pipeline: true }), false, settings.patienceMs);
	}

	/** The statement is one transaction and one round trip. */
	async send<Row extends object>(query: Query, options: SendOptions = {}): Promise<Row[]> {
		return await this.retrying(() => this.sendOnce<Row>(query, options));
	}

	/** For transactions of several statements. */
	async connected<T>(action: (client: PoolClient) => Promise<T>): Promise<T> {
		return await this.retrying(() => this.checkedOut(action));
	}

	async close(): Promise<void> {
		if (this.isClosed) return;
		this.isClosed = true;
		await this.pool.end();
	}

	/** False if the server, or a pooler in front of it, does not take the settings from the start of a connection. */
	private async acceptsSettings(): Promise<boolean> {
		try {
			return await this.checkedOut(async (client) => {
				const { rows } = await client.query<{ hasSettings: boolean }>(HAS_SETTINGS);
				return rows[0].hasSettings;
			});
		} catch (error) {
			if (refusesOptions(error)) return false;
			throw error;
		}
	}

	private async sendOnce<Row extends object>(query: Query, options: SendOptions): Promise<Row[]> {
		const config = {
			text: query.text,
			values: query.values,
			name: this.prepares && !options.isPlannedAnew ? query.name : undefined,
			query_timeout: options.isLong ? LONG_TIMEOUT_MS : timeoutMs(megabytes(query)),
		};
		try {
			const { rows } = this.hasSettings
				? await this.pool.query<Row>(config)
				: await this.checkedOut((client) => withSettings<Row>(client, config));
			return rows;
		} catch (error) {
			if (config.name === undefined || !isUnprepared(error)) throw error;
			// A pooler lent us the connection of somebody else. Nothing was done yet.
			this.prepares = false;
			return await this.sendOnce<Row>(query, options);
		}
	}

	private async checkedOut<T>(action: (client: PoolClient) => Promise<T>): Promise<T> {
		const client = await this.pool.connect();
		// While it is checked out, a connection that breaks says so to its client and not to the pool.
		client.on('error', ignore);
		try {
			const value = await action(client);
			client.off('error', ignore);
			client.release();
			return value;
		} catch (error) {
			client.release(true);
			throw error;
		}
	}

	private async retrying<T>(action: () => Promise<T>): Promise<T> {
		if (this.isClosed) throw new LedgerClosedError();
		try {
			return await withRetry(() => this.onThisPool(action), isPassing, this.patienceMs);
		} catch (error) {
			throw ledgerError(error);
		}
	}

	/** If a server falls silent, its other connections are as dead: waiting for each of them would take minutes. */
	private async onThisPool<T>(action: () => Promise<T>): Promise<T> {
		const { pool } = this;
		try {
			return await action();
		} catch (error) {
			if (isSilence(error) && pool === this.pool && !this.isClosed) {
				this.pool = this.newPool();
				pool.end().catch(ignore);
			}
			throw error;
		}
	}
}

/** All three are sent at once. If the statement fails, the COMMIT rolls back. */
async function withSettings<Row extends object>(
	client: PoolClient,
	config: QueryConfig,
): Promise<QueryResult<Row>> {
	const [begun, result, committed] = await Promise.allSettled([
		client.query(BEGIN_WITH_SETTINGS),
		client.query<Row>(config),
		client.query('COMMIT'),
	]);
	if (begun.status === 'rejected') throw begun.reason;
	if (result.status === 'rejected') throw result.reason;
	if (committed.status === 'rejected') throw committed.reason;
	return result.value;
}

function megabytes({ values }: Query): number {
	let bytes = 0;
	for (const value of values) {
		if (typeof value === 'string' || Buffer.isBuffer(value)) bytes += value.length;
	}
	return bytes / 1024 / 1024;
}

function ignore(): void {}
