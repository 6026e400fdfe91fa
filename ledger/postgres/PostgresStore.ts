import { createHash, randomUUID } from 'node:crypto';

import type { Pool, PoolClient, PoolConfig, QueryConfig, QueryResult } from 'pg';

import type { CheckReport, Finding, Stats } from '../Ledger';
import { purgeInParts } from '../purgeInParts';
import type { EventAddress, EventSummary, HistoryEntry } from '../records';
import { withRetry } from '../retry';
import type { PostgresSettings, TlsSettings } from '../settings';
import type * as wire from '../Store';
import { byColumns } from './columns';
import { isPassing, isUnprepared, ledgerError } from './failures';
import { migrate } from './migrate';
import { DEFAULT_SCHEMA, quoteSchema, SCHEMA_VERSION } from './sql';
import { textArray } from './textArray';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * On our side, because a statement time-out of the session would not survive PgBouncer in transaction mode. The connection is
 * thrown away with it; locks are bounded in the functions themselves.
 */
const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * A connection that nobody needs is given back to the server; not too soon, because for a new one the server has to read and plan
 * all functions anew, which takes ten times as long as a claim.
 */
const IDLE_TIMEOUT_MS = 5 * 60_000;

export async function openPostgresStore(settings: PostgresSettings): Promise<PostgresStore> {
	// Not at the top: n8n loads every node at start, whichever ledger is used later.
	const { Pool: PgPool } = await import('pg');
	const pool = new PgPool(poolConfig(settings));
	// A connection that breaks while idle says so here. Without a listener n8n would crash; the pool replaces it by itself.
	pool.on('error', () => {});
	const store = new PostgresStore(pool, settings.schema ?? DEFAULT_SCHEMA, settings.patienceMs);
	try {
		await store.migrate();
	} catch (error) {
		await store.close();
		throw error;
	}
	return store;
}

/** What a claim answers: who is not among the others is `new`. */
interface Claimed {
	now: number;
	others: Array<[index: number, reply: wire.ClaimReply]>;
}

/** The ledger in Postgres. What is atomic is in `functions/*.sql`; this only calls it. */
export class PostgresStore implements wire.LedgerStore {
	readonly kind = 'postgres';
	private readonly schema: string;
	/** Calls of functions, by their names: each is written once. */
	private readonly statements = new Map<string, Required<Pick<QueryConfig, 'name' | 'text'>>>();
	/** Whether connections remember statements, so that the server reads each only once. */
	private prepares = true;

	constructor(
		private readonly pool: Pool,
		private readonly schemaName: string,
		private readonly patienceMs?: number,
	) {
		this.schema = quoteSchema(schemaName);
	}

	async migrate(): Promise<void> {
		await this.connected((client) => migrate(client, this.schemaName));
	}

	async claim(commands: wire.ClaimCommand[]): Promise<wire.ClaimReply[]> {
		const { now, others } = await this.claimed(commands);
		const replies = new Array<wire.ClaimReply>(commands.length).fill({ outcome: 'new', now });
		for (const [index, reply] of others) replies[index] = reply;
		return replies;
	}

	private async claimed(commands: wire.ClaimCommand[]): Promise<Claimed> {
		if (commands.length === 1 && commands[0].object === undefined) {
			const [c] = commands;
			const reply = await this.call<number | Claimed>(
				'claim_event',
				...[c.namespace, c.key, c.token, c.claimant, c.held, c.executionId, c.workflowId],
				...[c.fingerprint, c.lease, c.retention, c.maxAttempts, c.onStopped, c.input],
				...[c.keepInput, c.findSameContent],
			);
			return typeof reply === 'number' ? { now: reply, others: [] } : reply;
		}
		const { own, columns, common } = byColumns(commands);
		return await this.call('claim_events', ...own.map(textArray), json(columns), json(common));
	}

	async begin(commands: wire.BeginCommand[]): Promise<wire.BeginReply[]> {
		const calls = commands.map((command) => ({ ...command, call: randomUUID() }));
		return await this.call('begin_steps', json(calls));
	}

	async finish(commands: wire.FinishCommand[]): Promise<wire.FinishReply[]> {
		return await this.call('finish_steps', json(commands));
	}

	async takeUndos(commands: wire.TakeUndosCommand[]): Promise<wire.TakeUndosReply[]> {
		return await this.call('take_undos', json(commands));
	}

	async markUndone(commands: wire.UndoneCommand[]): Promise<wire.FinishReply[]> {
		return await this.call('mark_undone', json(commands));
	}

	async complete(commands: wire.CompleteCommand[]): Promise<wire.WriteReply[]> {
		return await this.call('complete_events', json(commands));
	}

	async fail(commands: wire.FailCommand[]): Promise<wire.WriteReply[]> {
		return await this.call('fail_events', json(commands));
	}

	async renew(commands: wire.RenewCommand[]): Promise<wire.WriteReply[]> {
		return await this.call('renew_leases', json(commands));
	}

	async release(commands: wire.ReleaseCommand[]): Promise<wire.WriteReply[]> {
		return await this.call('release_events', json(commands));
	}

	async failByExecution(command: wire.FailByExecutionCommand): Promise<EventSummary[]> {
		return await this.call('fail_by_execution', command.executionId, command.as, command.reason);
	}

	async requestApprovals(commands: wire.ApprovalCommand[]): Promise<wire.ApprovalReply[]> {
		return await this.call('request_approvals', json(commands));
	}

	async decideApproval(command: wire.DecisionCommand): Promise<wire.DecisionReply> {
		return await this.call('decide_approval', json(command));
	}

	async noteApproval(command: wire.NoteCommand): Promise<wire.NoteReply> {
		return await this.call('note_approval', json(command));
	}

	async get(addresses: EventAddress[]): Promise<Array<wire.StoredDetails | null>> {
		return await this.call('get_events', json(addresses));
	}

	async list(query: wire.ListQuery): Promise<EventSummary[]> {
		return await this.call('list_events', json(query));
	}

	async history(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		return await this.call('event_histories', json(addresses));
	}

	async stats({ namespace, days }: { namespace?: string; days: number }): Promise<Stats> {
		return await this.call('ledger_stats', namespace, days);
	}

	async take(command: wire.TakeCommand): Promise<wire.StoredDetails[]> {
		return await this.call('take_events', json(command));
	}

	async import(commands: wire.ImportCommand[]): Promise<wire.ImportReply[]> {
		return await this.call('import_records', json(commands));
	}

	async delete(addresses: EventAddress[]): Promise<boolean[]> {
		return await this.call('delete_events', json(addresses));
	}

	async purge(limit: number): Promise<number> {
		return await purgeInParts(limit, (most) => this.call('purge_expired', most));
	}

	async check(): Promise<CheckReport> {
		const { rows } = await this.retrying(() =>
			this.pool.query<{ version: string; fsync: string; commit: string }>(
				`SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
					current_setting('synchronous_commit') AS commit`,
			),
		);
		const { events } = await this.stats({ days: 1 });
		return {
			store: this.kind,
			server: `PostgreSQL ${rows[0].version}`,
			schemaVersion: SCHEMA_VERSION,
			entries: Object.values(events).reduce((sum, count) => sum + count, 0),
			findings: durability(rows[0].fsync, rows[0].commit),
		};
	}

	async close(): Promise<void> {
		await this.pool.end();
	}

	/** Calls a function of the schema. It is one statement, so it is one transaction and one round trip. */
	private async call<T>(
		name: string,
		...values: Array<string | number | boolean | Buffer | undefined>
	): Promise<T> {
		const statement = this.statements.get(name) ?? this.statement(name, values.length);
		const { rows } = await this.retrying(() => this.query<{ reply: T }>({ ...statement, values }));
		return rows[0].reply;
	}

	private async query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
		if (!this.prepares) return await this.pool.query<Row>({ ...query, name: undefined });
		try {
			return await this.pool.query<Row>(query);
		} catch (error) {
			if (!isUnprepared(error)) throw error;
			// A pooler lent us the connection of somebody else. Nothing was done yet.
			this.prepares = false;
			return await this.query(query);
		}
	}

	private statement(functionName: string, count: number) {
		const parameters = Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ');
		const text = `SELECT ${this.schema}.${functionName}(${parameters}) AS reply`;
		// The same name for the same text only, whoever shares the connection.
		const name = `ledger_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
		const statement = { name, text };
		this.statements.set(functionName, statement);
		return statement;
	}

	private async connected<T>(action: (client: PoolClient) => Promise<T>): Promise<T> {
		return await this.retrying(async () => {
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
		});
	}

	private async retrying<T>(action: () => Promise<T>): Promise<T> {
		try {
			return await withRetry(action, isPassing, this.patienceMs);
		} catch (error) {
			throw ledgerError(error);
		}
	}
}

function ignore(): void {}

function json(value: unknown): string {
	return JSON.stringify(value);
}

function poolConfig(settings: PostgresSettings): PoolConfig {
	return {
		...(settings.url !== undefined
			? { connectionString: settings.url }
			: {
					host: settings.host,
					port: settings.port,
					database: settings.database,
					user: settings.user,
					password: settings.password,
				}),
		...(settings.tls !== undefined && { ssl: tlsConfig(settings.tls) }),
		max: settings.poolSize ?? 10,
		connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
		query_timeout: STATEMENT_TIMEOUT_MS,
		idleTimeoutMillis: IDLE_TIMEOUT_MS,
		// An idle pool must not keep a process alive that wants to end.
		allowExitOnIdle: true,
		keepAlive: true,
		application_name: 'n8n-nodes-idempotency',
	};
}

function tlsConfig(tls: TlsSettings): PoolConfig['ssl'] {
	return {
		ca: tls.ca,
		cert: tls.certificate,
		key: tls.privateKey,
		rejectUnauthorized: !tls.allowUnauthorized,
	};
}

function durability(fsync: string, synchronousCommit: string): Finding[] {
	const findings: Finding[] = [];
	if (fsync === 'off') {
		findings.push({
			severity: 'error',
			message: 'Postgres runs with fsync = off: a power cut can destroy the ledger',
			remedy: 'Set fsync = on',
		});
	}
	if (synchronousCommit === 'off') {
		findings.push({
			severity: 'error',
			message:
				'Postgres runs with synchronous_commit = off: a crash forgets the newest claims, and their work is doubled',
			remedy: 'Set synchronous_commit = on for the database or the role of the ledger',
		});
	}
	return findings;
}
