import type { Pool } from 'pg';

import type { PostgresSettings } from '../../settings';
import { type ConnectionOptions, poolConfig } from './poolConfig';

/** The type of `bigint`, as Postgres numbers it. */
const BIGINT = 20;

/** Returns what opens pools of such connections. */
export async function poolMaker(
	settings: PostgresSettings,
	options: ConnectionOptions,
): Promise<() => Pool> {
	// Not at the top: n8n loads every node at start, whichever ledger is used later.
	const { Pool: PgPool, TypeOverrides } = await import('pg');
	const types = new TypeOverrides();
	// Times and counts: all of them fit.
	types.setTypeParser(BIGINT, Number);
	return () => {
		const pool = new PgPool({ ...poolConfig(settings, options), types });
		// A connection that breaks while idle says so here. Without a listener n8n would crash; the pool replaces it by itself.
		pool.on('error', () => {});
		return pool;
	};
}
