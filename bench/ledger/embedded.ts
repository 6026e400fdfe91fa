import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Contestant } from './contestant';

export async function embeddedContestant(): Promise<Contestant> {
	const folder = mkdtempSync(join(tmpdir(), 'idempotency-bench-'));
	const database = new DatabaseSync(join(folder, 'bare.sqlite'));
	database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
		CREATE TABLE bare (namespace TEXT, key TEXT, owner TEXT, input TEXT, at INTEGER, PRIMARY KEY (namespace, key)) STRICT`);
	const insert = database.prepare(
		'INSERT INTO bare (namespace, key, owner, input, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
	);
	const { version } = database.prepare('SELECT sqlite_version() AS version').get() as {
		version: string;
	};
	const file = join(folder, 'ledger.sqlite');
	return {
		name: 'Embedded',
		server: `SQLite ${version}, WAL, synchronous = FULL`,
		statement: 'prepared INSERT … ON CONFLICT DO NOTHING (batch: one transaction)',
		settings: { store: 'embedded', file },
		async bareSingle({ namespace, key, owner, input }) {
			insert.run(namespace, key, owner, input, Date.now());
		},
		async bareBatch(items) {
			database.exec('BEGIN IMMEDIATE');
			for (const { namespace, key, owner, input } of items) {
				insert.run(namespace, key, owner, input, Date.now());
			}
			database.exec('COMMIT');
		},
		async bytes() {
			// Not the size of the file: what was written last may still be in the journal beside it.
			const reader = new DatabaseSync(file, { readOnly: true });
			const pragma = (name: string) => Object.values(reader.prepare(`PRAGMA ${name}`).get()!)[0];
			const bytes = Number(pragma('page_count')) * Number(pragma('page_size'));
			reader.close();
			return bytes;
		},
		async stop() {
			database.close();
			rmSync(folder, { recursive: true });
		},
	};
}
