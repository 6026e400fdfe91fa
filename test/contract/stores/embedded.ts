import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import type { StoreUnderTest } from '../harness';

/** A file in a folder of its own. */
export async function embedded(): Promise<StoreUnderTest> {
	const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
	const settings = { store: 'embedded', file: join(folder, 'ledger.sqlite') } as const;
	return {
		open: () => openSqliteStore(settings),
		manyItems: 100_000,
		dispose: async () => rmSync(folder, { recursive: true }),
	};
}
