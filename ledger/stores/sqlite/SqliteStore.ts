import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { LedgerClosedError } from '../../errors';
import type { CheckReport } from '../../Ledger';
import { purgeInParts } from '../../purgeInParts';
import type { EmbeddedSettings } from '../../settings';
import type {
	FullRecord,
	Inserted,
	Insertion,
	Mark,
	RecordQuery,
	RecordStats,
	RecordStore,
	Removal,
	StoredRecord,
	Swap,
	Swapped,
	Wanted,
} from '../RecordStore';
import { findProblems } from './check';
import { openDatabase } from './database';
import { type EntryToPut, putEntry, readEntries } from './entries';
import { erase } from './erase';
import { ledgerError } from './failures';
import { insert, insertAlone } from './insertions';
import { inTransaction, type Mode } from './inTransaction';
import { list } from './lists';
import { raiseMark } from './marks';
import { SCHEMA_VERSION } from './migrate';
import { Namespaces } from './Namespaces';
import { read } from './reads';
import { retryWhileLocked } from './retryWhileLocked';
import { prepareStatements, type Statements } from './statements';
import { swap } from './swaps';
import { Transaction } from './Transaction';
import { countRecords, purge, remove, stats } from './upkeep';

/** So many single insertions of a process leave indexes for later, so that nobody ever has to wait for many. */
const UNINDEXED_LIMIT = 200;

export async function openSqliteStore({
	file,
	patienceMs,
}: EmbeddedSettings): Promise<RecordStore> {
	const database = await openDatabase(file, patienceMs);
	try {
		return new SqliteStore(database, file, patienceMs);
	} catch (error) {
		database.close();
		throw ledgerError(error, file);
	}
}

/**
 * The ledger in a file. Each call is one transaction; what it does is in the other files of this folder. SQLite works in n8n's own
 * thread, which it must not hold up, so a call that finds the file locked by another process comes back later.
 */
export class SqliteStore implements RecordStore {
	readonly kind = 'embedded';
	private readonly sql: Statements;
	private readonly namespaces: Namespaces;
	private readonly inode: number;
	/** How many records of this process may be unindexed. Others may have left some too. */
	private unindexed = UNINDEXED_LIMIT;
	private isClosed = false;

	constructor(
		private readonly database: DatabaseSync,
		private readonly file: string,
		private readonly patienceMs?: number,
	) {
		this.sql = prepareStatements(database);
		this.namespaces = new Namespaces(this.sql);
		this.inode = statSync(file).ino;
	}

	now(): Promise<number> {
		return this.look(({ now }) => now);
	}

	async insert(insertions: Insertion[]): Promise<Inserted> {
		if (insertions.length === 1 && this.unindexed < UNINDEXED_LIMIT) {
			this.unindexed++;
			const inserted = await this.attempt((begin) => {
				const tx = begin();
				const reply = insertAlone(tx, insertions[0]);
				return reply && { now: tx.now, replies: [reply] };
			});
			if (inserted) return inserted;
		}
		return await this.writeIndexed((tx) => ({
			now: tx.now,
			replies: insertions.map((item) => insert(tx, item)),
		}));
	}

	read(wanted: Wanted[]): Promise<{ now: number; records: Array<FullRecord | undefined> }> {
		return this.look((tx) => ({ now: tx.now, records: wanted.map((item) => read(tx, item)) }));
	}

	swap(swaps: Swap[]): Promise<{ now: number; replies: Array<Swapped | undefined> }> {
		return this.write((tx) => ({ now: tx.now, replies: swaps.map((item) => swap(tx, item)) }));
	}

	raiseMarks(marks: Mark[]): Promise<boolean[]> {
		return this.write((tx) => marks.map((mark) => raiseMark(tx, mark)));
	}

	list(query: RecordQuery): Promise<{ now: number; records: StoredRecord[] }> {
		return this.lookAtIndexed((tx) => ({ now: tx.now, records: list(tx, query) }));
	}

	stats(query: { namespace?: string; days: number }): Promise<RecordStats> {
		return this.lookAtIndexed((tx) => stats(tx, query));
	}

	async remove(removals: Removal[]): Promise<boolean[]> {
		const removed = await this.writeIndexed((tx) => removals.map((removal) => remove(tx, removal)));
		// What is expired makes room for a successor: it is gone, but nobody has asked to erase it.
		if (!removals.every(({ onlyIfExpired }) => onlyIfExpired)) {
			await this.attempt(() => erase(this.database));
		}
		return removed;
	}

	purge(limit: number): Promise<number> {
		return purgeInParts(limit, (most) => this.writeIndexed((tx) => purge(tx, most)));
	}

	putEntry(entry: EntryToPut): Promise<string> {
		return this.write((tx) => putEntry(tx, entry));
	}

	readEntries(prefix: string): Promise<Array<{ name: string; text: string }>> {
		return this.look((tx) => readEntries(tx, prefix));
	}

	async check(): Promise<CheckReport> {
		const { version, entries } = await this.lookAtIndexed((tx) => ({
			version: this.database.prepare('SELECT sqlite_version() AS version').get()!.version,
			entries: countRecords(tx),
		}));
		return {
			store: this.kind,
			server: `SQLite ${version as string}`,
			schemaVersion: SCHEMA_VERSION,
			entries,
			findings: await findProblems(this.file, this.inode),
		};
	}

	/** Closing the last connection to the file also moves what is in the journal into it. */
	async close(): Promise<void> {
		if (this.isClosed) return;
		this.isClosed = true;
		this.database.close();
	}

	private write<T>(work: (tx: Transaction) => T): Promise<T> {
		return this.transact('BEGIN IMMEDIATE', (tx) => {
			const result = work(tx);
			tx.writeCounts();
			return result;
		});
	}

	/** For what adds records, and for what needs them in all indexes. */
	private async writeIndexed<T>(work: (tx: Transaction) => T): Promise<T> {
		const result = await this.write((tx) => {
			tx.indexAll();
			const done = work(tx);
			tx.sql.saveIndexed.run();
			return done;
		});
		this.unindexed = 0;
		return result;
	}

	private look<T>(work: (tx: Transaction) => T): Promise<T> {
		return this.transact('BEGIN', work);
	}

	/** For what needs indexes that single insertions leave for later. */
	private async lookAtIndexed<T>(work: (tx: Transaction) => T): Promise<T> {
		const { hasUnindexed } = await this.look((tx) => tx.sql.hasUnindexed.get()!);
		if (hasUnindexed) await this.writeIndexed(() => {});
		return await this.look(work);
	}

	private transact<T>(mode: Mode, work: (tx: Transaction) => T): Promise<T> {
		return this.attempt((begin) => inTransaction(this.database, mode, () => work(begin())));
	}

	private async attempt<T>(action: (begin: () => Transaction) => T): Promise<T> {
		try {
			return await retryWhileLocked(() => this.act(action), this.patienceMs);
		} catch (error) {
			throw ledgerError(error, this.file);
		}
	}

	private act<T>(action: (begin: () => Transaction) => T): T {
		if (this.isClosed) throw new LedgerClosedError();
		try {
			return action(() => new Transaction(this.sql, this.namespaces));
		} catch (error) {
			this.namespaces.forget();
			throw error;
		}
	}
}
