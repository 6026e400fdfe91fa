import type { PoolClient } from 'pg';

import { LedgerMisconfiguredError, SchemaTooNewError } from '../../errors';
import { migrationSql, quoteSchema, SCHEMA_VERSION } from './schema';

/** The oldest server that the statements were written for. */
const OLDEST_SERVER = 130_000;

/** One number for all ledgers of a database: migrations are rare and may wait for each other. */
const MIGRATION_LOCK = 0x1de3_90ca;

/**
 * Brings the schema to the present version, in one transaction. Processes that start at the same time wait for the first
 * and find everything done. Creates the schema if it is missing and the role may.
 */
export async function migrate(client: PoolClient, schema: string): Promise<void> {
	await assertServer(client);
	if ((await currentVersion(client, schema)) === SCHEMA_VERSION) return;
	await client.query('BEGIN');
	try {
		await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
		const version = await currentVersion(client, schema);
		if (version < SCHEMA_VERSION) {
			// Asked for first, because IF NOT EXISTS wants the right to create even when nothing has to be.
			if (!(await schemaExists(client, schema))) {
				await client.query(`CREATE SCHEMA ${quoteSchema(schema)}`);
			}
			await client.query(migrationSql(schema, version));
		}
		await client.query('COMMIT');
	} catch (error) {
		await client.query('ROLLBACK').catch(() => {});
		throw error;
	}
}

/** 0 where there is no ledger yet. */
export async function currentVersion(client: PoolClient, schema: string): Promise<number> {
	// Asked of the catalogue itself: to_regclass may answer from a cache that a waiting migrator filled before it waited.
	const { rows: found } = await client.query<{ table: string }>(
		`SELECT c.relname AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = $1 AND c.relname IN ('version', 'approval')`,
		[schema],
	);
	const tables = found.map(({ table }) => table);
	if (!tables.includes('version')) return 0;
	if (tables.includes('approval')) throw unpublishedLedger(schema);
	const { rows } = await client.query<{ version: number | null }>(
		`SELECT max(version) AS version FROM ${quoteSchema(schema)}.version`,
	);
	const version = rows[0].version ?? 0;
	if (version > SCHEMA_VERSION) throw new SchemaTooNewError(version, SCHEMA_VERSION);
	return version;
}

/** Only development versions of the package kept approvals in a table of their own. */
function unpublishedLedger(schema: string): LedgerMisconfiguredError {
	return new LedgerMisconfiguredError(
		`The schema '${schema}' holds a ledger of a development version that was never published; this version cannot read it`,
		`Choose another schema in the credential, or let an administrator remove the old ledger: DROP SCHEMA "${schema}" CASCADE`,
	);
}

async function schemaExists(client: PoolClient, schema: string): Promise<boolean> {
	const { rows } = await client.query<{ exists: boolean }>(
		'SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS exists',
		[schema],
	);
	return rows[0].exists;
}

async function assertServer(client: PoolClient): Promise<void> {
	const { rows } = await client.query<{ number: string; version: string }>(
		"SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version",
	);
	if (Number(rows[0].number) >= OLDEST_SERVER) return;
	throw new LedgerMisconfiguredError(
		`This is Postgres ${rows[0].version}; the ledger needs 13 or newer`,
		'Update the server, or choose another ledger',
	);
}
