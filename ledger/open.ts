import { DEFAULTS } from './records';
import type { Ledger } from './Ledger';
import type { LedgerSettings } from './settings';
import { RecordLedger } from './RecordLedger';
import type { RecordStore } from './stores/RecordStore';

/** Opens a ledger of its own: connects, and brings the store's schema up to date. The caller closes it. */
export async function openLedger(
	settings: LedgerSettings,
	maxValueBytes: number = DEFAULTS.maxValueBytes,
): Promise<Ledger> {
	return new RecordLedger(await openStore(settings), maxValueBytes);
}

/** Drivers are loaded only when they are needed: n8n loads this package at every start. */
async function openStore(settings: LedgerSettings): Promise<RecordStore> {
	switch (settings.store) {
		case 'embedded':
			return await (await import('./stores/sqlite/SqliteStore')).openSqliteStore(settings);
		case 'postgres':
			return await (await import('./stores/postgres/PostgresStore')).openPostgresStore(settings);
		case 'redis':
			return await (await import('./stores/redis/RedisStore')).openRedisStore(settings);
	}
}
