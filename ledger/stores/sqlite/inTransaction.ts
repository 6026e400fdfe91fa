import type { DatabaseSync } from 'node:sqlite';

/** For reading; or for writing, which takes the lock at once and fails at once if another process has it. */
export type Mode = 'BEGIN' | 'BEGIN IMMEDIATE';

/** Runs `work` whole or not at all. It is synchronous, so nothing else of this process can come in between. */
export function inTransaction<T>(database: DatabaseSync, mode: Mode, work: () => T): T {
	database.exec(mode);
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		rollBack(database);
		throw error;
	}
}

function rollBack(database: DatabaseSync): void {
	try {
		database.exec('ROLLBACK');
	} catch {
		// After some errors (disk full, input/output) SQLite has rolled back already. The first error is the one to report.
	}
}
