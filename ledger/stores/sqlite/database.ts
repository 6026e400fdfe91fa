import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { LedgerMisconfiguredError } from '../../errors';
import { withRetry } from '../../retry';
import { isBusy, ledgerError } from './failures';
import { assertUsable, migrate } from './migrate';

/**
 * - `busy_timeout`: SQLite would wait for a lock by blocking all of n8n; we wait ourselves.
 * - `journal_mode`, `synchronous`: readers and the writer do not wait for each other, and what is committed survives a power cut.
 * - `secure_delete`: what is removed is overwritten with zeros.
 * - `cache_size`: 16 MiB. A batch of random keys touches more pages of the index than the usual 2 MiB hold.
 * - `wal_autocheckpoint`: 16 MiB, four times the usual. Such a batch fills most of the usual journal by itself, and moving it into
 *   the file after every batch takes longer than the batch.
 * - `journal_size_limit`: gives the space of a burst back to the disk.
 */
const SETTINGS = `
	PRAGMA busy_timeout = 0;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = FULL;
	PRAGMA secure_delete = ON;
	PRAGMA cache_size = -16384;
	PRAGMA temp_store = MEMORY;
	PRAGMA wal_autocheckpoint = 4096;
	PRAGMA journal_size_limit = 67108864;
`;

/** Opens the file, makes it if it is missing, and brings its schema up to date. Safe when several processes start at once. */
export async function openDatabase(file: string, patienceMs?: number): Promise<DatabaseSync> {
	const { DatabaseSync: Database } = await loadDriver();
	let database: DatabaseSync | undefined;
	try {
		create(file);
		const opened = (database = new Database(file));
		await withRetry(
			async () => {
				assertUsable(opened, file);
				opened.exec(SETTINGS);
				migrate(opened);
			},
			isBusy,
			patienceMs,
		);
		return opened;
	} catch (error) {
		database?.close();
		throw ledgerError(error, file);
	}
}

/** Not at the top of the file: n8n loads every node at start, also where Node has no SQLite. */
async function loadDriver(): Promise<typeof import('node:sqlite')> {
	try {
		return await import('node:sqlite');
	} catch (error) {
		throw new LedgerMisconfiguredError(
			`The embedded ledger needs Node 22.13 or newer, and n8n runs on Node ${process.versions.node}`,
			'Run n8n on Node 24, or choose Postgres or Redis in the credential',
			{ cause: error },
		);
	}
}

/** Nobody else on the machine has to read it: it holds the data of workflows. */
function create(file: string): void {
	makeFolder(dirname(file));
	closeSync(openSync(file, 'a', 0o600));
}

/** Not with `recursive`: where a folder cannot be made although its parent is there, as in /proc, Node would try for ever. */
function makeFolder(folder: string): void {
	if (existsSync(folder)) return;
	makeFolder(dirname(folder));
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		// Another process was faster.
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
}
