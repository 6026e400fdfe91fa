import type { DatabaseSync } from 'node:sqlite';

import { LedgerMisconfiguredError, SchemaTooNewError } from '../../errors';
import { inTransaction } from './inTransaction';
import { readSql } from './statements';

/** One file for each version of the schema, in order. Published ones are never changed. */
const MIGRATIONS = ['0001_ledger.sql'];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Marks the file as a ledger (`PRAGMA application_id`): "idmp" in ASCII. */
const APPLICATION_ID = 0x69646d70;

/** That of a ledger from before the first published version: "idem". Its tables were other ones. */
const UNPUBLISHED_APPLICATION_ID = 0x6964656d;

/** Brings the schema up to date in one transaction, however many processes try at the same time. */
export function migrate(database: DatabaseSync): void {
	if (pragma(database, 'user_version') === SCHEMA_VERSION) return;
	inTransaction(database, 'BEGIN IMMEDIATE', () => {
		// Asked again: who had the lock before us may have done it.
		const version = pragma(database, 'user_version');
		for (const migration of MIGRATIONS.slice(version)) {
			database.exec(readSql('migrations', migration));
		}
		database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
		database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
	});
}

/** Throws if the file is not ours to use: nothing of it has been changed by then. */
export function assertUsable(database: DatabaseSync, file: string): void {
	// In one transaction: another process may be making the ledger just now.
	const { application, isNew, version } = inTransaction(database, 'BEGIN', () => ({
		application: pragma(database, 'application_id'),
		isNew: isEmpty(database),
		version: pragma(database, 'user_version'),
	}));
	if (application === UNPUBLISHED_APPLICATION_ID) {
		throw new LedgerMisconfiguredError(
			`${file} is a ledger of a version that was never published, and cannot be read any more`,
			'Choose another file for the ledger in the credential. Or stop n8n and remove this file, together with its -wal and ' +
				'-shm files, if you do not need to know what was done before',
		);
	}
	if (application !== APPLICATION_ID && !isNew) {
		throw new LedgerMisconfiguredError(
			`${file} is the database of another program`,
			'Choose a file of its own for the ledger in the credential',
		);
	}
	if (version > SCHEMA_VERSION) throw new SchemaTooNewError(version, SCHEMA_VERSION);
}

function isEmpty(database: DatabaseSync): boolean {
	return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function pragma(database: DatabaseSync, name: string): number {
	return Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0] as number;
}
