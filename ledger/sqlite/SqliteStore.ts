import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { LedgerClosedError } from '../errors';
import type { CheckReport, Stats } from '../Ledger';
import type { EventAddress, EventSummary, HistoryEntry } from '../records';
import { withRetry } from '../retry';
import type { EmbeddedSettings } from '../settings';
import type * as wire from '../Store';
import { decide, requestApproval } from './approvals';
import { findProblems } from './check';
import { claim } from './claims';
import { openDatabase } from './database';
import { complete, fail, failByExecution, release, renew, take } from './events';
import { isBusy, ledgerError } from './failures';
import { importRecord } from './imports';
import { inTransaction, type Mode } from './inTransaction';
import { list } from './lists';
import { SCHEMA_VERSION } from './migrate';
import { Namespaces } from './Namespaces';
import { historyOf, toSummary } from './rows';
import { prepareStatements, type Statements } from './statements';
import { begin, finish } from './steps';
import { Transaction } from './Transaction';
import { countByState, purge, stats } from './upkeep';
import { whenFree } from './whenFree';

/** What may be about any number of events is done in parts of this size, between which others get their turn. */
const PART = 500;

export async function openSqliteStore({
	file,
	patienceMs,
}: EmbeddedSettings): Promise<wire.LedgerStore> {
	return new SqliteStore(await openDatabase(file, patienceMs), file, patienceMs);
}

/**
 * The ledger in a file. Each call is one transaction; what it does is in the other files of this folder. SQLite works in
 * n8n's own thread, which it must not hold up, so a call that finds the file locked by another process comes back later.
 */
export class SqliteStore implements wire.LedgerStore {
	readonly kind = 'embedded';
	private readonly sql: Statements;
	private readonly namespaces: Namespaces;
	private readonly inode: number;
	private closed = false;

	constructor(
		private readonly database: DatabaseSync,
		private readonly file: string,
		private readonly patienceMs?: number,
	) {
		this.sql = prepareStatements(database);
		this.namespaces = new Namespaces(this.sql);
		this.inode = statSync(file).ino;
	}

	async claim(commands: wire.ClaimCommand[]): Promise<wire.ClaimReply[]> {
		return await this.writeEach(commands, claim);
	}

	async begin(commands: wire.BeginCommand[]): Promise<wire.BeginReply[]> {
		return await this.writeEach(commands, begin);
	}

	async finish(commands: wire.FinishCommand[]): Promise<wire.FinishReply[]> {
		return await this.writeEach(commands, finish);
	}

	async complete(commands: wire.CompleteCommand[]): Promise<wire.WriteReply[]> {
		return await this.writeEach(commands, complete);
	}

	async fail(commands: wire.FailCommand[]): Promise<wire.WriteReply[]> {
		return await this.writeEach(commands, fail);
	}

	async renew(commands: wire.RenewCommand[]): Promise<wire.WriteReply[]> {
		return await this.writeEach(commands, renew);
	}

	async release(commands: wire.ReleaseCommand[]): Promise<wire.WriteReply[]> {
		return await this.writeEach(commands, release);
	}

	async failByExecution(command: wire.FailByExecutionCommand): Promise<EventSummary[]> {
		const failed: EventSummary[] = [];
		for (let after = 0; ; await nextTurn()) {
			const part = await this.write((tx) => failByExecution(tx, command, after, PART));
			failed.push(...part.map(toSummary));
			if (part.length < PART) return failed;
			after = part[part.length - 1].id;
		}
	}

	async requestApprovals(commands: wire.ApprovalCommand[]): Promise<wire.ApprovalReply[]> {
		return await this.writeEach(commands, requestApproval);
	}

	async decideApproval(command: wire.DecisionCommand): Promise<wire.DecisionReply> {
		return await this.write((tx) => decide(tx, command));
	}

	async get(addresses: EventAddress[]): Promise<Array<wire.StoredDetails | null>> {
		return await this.read((tx) =>
			addresses.map((address) => {
				const row = tx.find(address);
				return row ? tx.details(row) : null;
			}),
		);
	}

	async list(query: wire.ListQuery): Promise<EventSummary[]> {
		return await this.read((tx) => list(tx, query).map(toSummary));
	}

	async history(address: EventAddress): Promise<HistoryEntry[]> {
		const row = await this.read((tx) => tx.find(address));
		return row ? (JSON.parse(historyOf(row)) as HistoryEntry[]) : [];
	}

	async stats(query: { namespace?: string; days: number }): Promise<Stats> {
		return await this.read((tx) => stats(tx, query));
	}

	async take(command: wire.TakeCommand): Promise<wire.StoredDetails[]> {
		return await this.write((tx) => take(tx, command));
	}

	async import(commands: wire.ImportCommand[]): Promise<wire.ImportReply[]> {
		return await this.writeEach(commands, importRecord);
	}

	async purge(limit: number): Promise<number> {
		for (let purged = 0; ; await nextTurn()) {
			const most = Math.min(limit - purged, PART);
			const part = await this.write((tx) => purge(tx, most));
			purged += part;
			if (part < most || purged === limit) return purged;
		}
	}

	async check(): Promise<CheckReport> {
		const { version, counts } = await this.read((tx) => ({
			version: this.database.prepare('SELECT sqlite_version() AS version').get()!.version,
			counts: Object.values(countByState(tx, null)),
		}));
		return {
			store: this.kind,
			server: `SQLite ${version as string}`,
			schemaVersion: SCHEMA_VERSION,
			entries: counts.reduce((sum, count) => sum + count, 0),
			findings: await findProblems(this.file, this.inode),
		};
	}

	/** Closing the last connection to the file also moves what is in the journal into it. */
	async close(): Promise<void> {
		if (this.closed) return;
		this.closed = true;
		this.database.close();
	}

	private async writeEach<C, R>(
		commands: C[],
		write: (tx: Transaction, command: C) => R,
	): Promise<R[]> {
		return await this.write((tx) => commands.map((command) => write(tx, command)));
	}

	private async write<T>(work: (tx: Transaction) => T): Promise<T> {
		return await this.transact('BEGIN IMMEDIATE', (tx) => {
			const result = work(tx);
			tx.writeCounts();
			return result;
		});
	}

	private async read<T>(work: (tx: Transaction) => T): Promise<T> {
		return await this.transact('BEGIN', work);
	}

	private async transact<T>(mode: Mode, work: (tx: Transaction) => T): Promise<T> {
		try {
			return await withRetry(
				() => whenFree(() => this.attempt(mode, work)),
				isBusy,
				this.patienceMs,
			);
		} catch (error) {
			throw ledgerError(error, this.file);
		}
	}

	private attempt<T>(mode: Mode, work: (tx: Transaction) => T): T {
		if (this.closed) throw new LedgerClosedError();
		try {
			return inTransaction(this.database, mode, () =>
				work(new Transaction(this.sql, this.namespaces)),
			);
		} catch (error) {
			this.namespaces.forget();
			throw error;
		}
	}
}
