import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { describeRecordStore } from './suite';

describeRecordStore('The embedded record store', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'records-'));
	return {
		open: () => openSqliteStore({ store: 'embedded', file: join(folder, 'ledger.sqlite') }),
		dispose: async () => rmSync(folder, { recursive: true }),
	};
});
