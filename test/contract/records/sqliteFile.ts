import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { RecordStore } from '../../../ledger/stores/RecordStore';
import { openSqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';

/** A file for each test, of which the test knows more than a store does. */
export class SqliteFile {
	folder!: string;
	path!: string;

	constructor() {
		beforeEach(() => {
			this.folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
			this.path = join(this.folder, 'new folder', 'ledger.sqlite');
		});
		afterEach(() => rmSync(this.folder, { recursive: true }));
	}

	async withStore<T>(action: (store: RecordStore) => Promise<T>, patienceMs?: number): Promise<T> {
		const store = await openSqliteStore({ store: 'embedded', file: this.path, patienceMs });
		try {
			return await action(store);
		} finally {
			await store.close();
		}
	}

	/** Another program's hand in the file. */
	tamper(sql: string): void {
		const database = new DatabaseSync(this.path);
		database.exec(sql);
		database.close();
	}

	/** What another program sees in it. */
	query(sql: string): Array<Record<string, unknown>> {
		const database = new DatabaseSync(this.path);
		try {
			return database.prepare(sql).all();
		} finally {
			database.close();
		}
	}
}
