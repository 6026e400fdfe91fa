import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { LedgerClosedError } from '../errors';
import type { CheckReport, Stats } from '../Ledger';
import { purgeInParts } from '../purgeInParts';
import type { EventAddress, EventSummary, HistoryEntry } from '../records';
import type { EmbeddedSettings } from '../settings';
import type * as wire from '../Store';
import { decide, note, requestApproval } from './approvals';
import { findProblems } from './check';
import { claim, claimFresh } from './claims';
import { openDatabase } from './database';
import { complete, fail, failByExecution, release, renew, take } from './events';
import { ledgerError } from './failures';
import { importRecord } from './imports';
import { inTransaction, type Mode } from './inTransaction';
import { list } from './lists';
import { SCHEMA_VERSION } from './migrate';
import { Namespaces } from './Namespaces';
import { historyOf, toSummary } from './rows';
import { prepareStatements, type Statements } from './statements';
import { begin, finish } from './steps';
import { markUndone, takeUndos } from './undo';
import { Transaction } from './Transaction';
import { countByState, deleteEvent, purge, stats } from './upkeep';
import { whenFree } from './whenFree';

/** What may be about any number of events is done in parts of this size, between which others get their turn. */
const PART = 500;

/** Of so many single claims of a process one settles what the others left fresh, so that nobody ever has to settle many. */
const FRESH_LIMIT = 100;

export async function openSqliteStore({
	file,
	patienceMs,
}: EmbeddedSettings): Promise<wire.LedgerStore> {
	const database = await openDatabase(file, patienceMs);
	try {
		return new SqliteStore(database, file, patienceMs);
	} catch (error) {
		database.close();
		throw ledgerError(error, file);
	}
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
	private singleClaims = 0;
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
		if (commands.length === 1 && this.singleClaims++ % FRESH_LIMIT !== 0) {
			const reply = await this.attempt((begin) => claimFresh(begin(), commands[0]));
			if (reply) return [reply];
		}
		return await this.writeEach(commands, claim);
	}

	begin(commands: wire.BeginCommand[]): Promise<wire.BeginReply[]> {
		return this.writeEach(commands, begin);
	}

	finish(commands: wire.FinishCommand[]): Promise<wire.FinishReply[]> {
		return this.writeEach(commands, finish);
	}

	takeUndos(commands: wire.TakeUndosCommand[]): Promise<wire.TakeUndosReply[]> {
		return this.writeEach(commands, takeUndos);
	}

	markUndone(commands: wire.UndoneCommand[]): Promise<wire.FinishReply[]> {
		return this.writeEach(commands, markUndone);
	}

	complete(commands: wire.CompleteCommand[]): Promise<wire.WriteReply[]> {
		return this.writeEach(commands, complete);
	}

	fail(commands: wire.FailCommand[]): Promise<wire.WriteReply[]> {
		return this.writeEach(commands, fail);
	}

	renew(commands: wire.RenewCommand[]): Promise<wire.WriteReply[]> {
		return this.writeEach(commands, renew);
	}

	release(commands: wire.ReleaseCommand[]): Promise<wire.WriteReply[]> {
		return this.writeEach(commands, release);
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

	requestApprovals(commands: wire.ApprovalCommand[]): Promise<wire.ApprovalReply[]> {
		return this.writeEach(commands, requestApproval);
	}

	decideApproval(command: wire.DecisionCommand): Promise<wire.DecisionReply> {
		return this.write((tx) => decide(tx, command));
	}

	noteApproval(command: wire.NoteCommand): Promise<wire.NoteReply> {
		return this.write((tx) => note(tx, command));
	}

	get(addresses: EventAddress[]): Promise<Array<wire.StoredDetails | null>> {
		return this.read((tx) =>
			addresses.map((address) => {
				const row = tx.find(address);
				return row ? tx.details(row) : null;
			}),
		);
	}

	list(query: wire.ListQuery): Promise<EventSummary[]> {
		return this.readSettled((tx) => list(tx, query).map(toSummary));
	}

	async history(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		const rows = await this.read((tx) => addresses.map((address) => tx.find(address)));
		return rows.map((row) => (row ? (JSON.parse(historyOf(row)) as HistoryEntry[]) : []));
	}

	stats(query: { namespace?: string; days: number }): Promise<Stats> {
		return this.readSettled((tx) => stats(tx, query));
	}

	take(command: wire.TakeCommand): Promise<wire.StoredDetails[]> {
		return this.write((tx) => take(tx, command));
	}

	import(commands: wire.ImportCommand[]): Promise<wire.ImportReply[]> {
		return this.writeEach(commands, importRecord);
	}

	delete(addresses: EventAddress[]): Promise<boolean[]> {
		return this.writeEach(addresses, deleteEvent);
	}

	purge(limit: number): Promise<number> {
		return purgeInParts(limit, (most) => this.write((tx) => purge(tx, most)));
	}

	async check(): Promise<CheckReport> {
		const { version, counts } = await this.readSettled((tx) => ({
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

	private writeEach<C, R>(commands: C[], write: (tx: Transaction, command: C) => R): Promise<R[]> {
		return this.write((tx) => commands.map((command) => write(tx, command)));
	}

	private write<T>(work: (tx: Transaction) => T): Promise<T> {
		return this.transact('BEGIN IMMEDIATE', (tx) => {
			tx.settle();
			const result = work(tx);
			tx.conclude();
			return result;
		});
	}

	private read<T>(work: (tx: Transaction) => T): Promise<T> {
		return this.transact('BEGIN', work);
	}

	/** For what looks through indexes that fresh events are not in. */
	private async readSettled<T>(work: (tx: Transaction) => T): Promise<T> {
		const { hasFresh } = await this.read((tx) => tx.sql.hasFresh.get()!);
		if (hasFresh) await this.write(() => {});
		return await this.read(work);
	}

	private transact<T>(mode: Mode, work: (tx: Transaction) => T): Promise<T> {
		return this.attempt((begin) => inTransaction(this.database, mode, () => work(begin())));
	}

	private async attempt<T>(action: (begin: () => Transaction) => T): Promise<T> {
		try {
			return await whenFree(() => this.act(action), this.patienceMs);
		} catch (error) {
			throw ledgerError(error, this.file);
		}
	}

	private act<T>(action: (begin: () => Transaction) => T): T {
		if (this.closed) throw new LedgerClosedError();
		try {
			return action(() => new Transaction(this.sql, this.namespaces));
		} catch (error) {
			this.namespaces.forget();
			throw error;
		}
	}
}
