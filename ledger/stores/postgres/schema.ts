import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LedgerMisconfiguredError } from '../../errors';

export const DEFAULT_SCHEMA = 'idempotency';

/** What a name may be without surprises in anyone's tools; it is quoted all the same. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** One file per version. Append only: what was released is never edited or reordered. */
const MIGRATIONS = ['0001_ledger.sql'];

export const SCHEMA_VERSION = MIGRATIONS.length;

export function quoteSchema(schema: string): string {
	if (!SCHEMA_NAME.test(schema)) {
		throw new LedgerMisconfiguredError(
			`'${schema}' cannot be the name of the ledger's schema`,
			'Use up to 63 small letters, digits and underscores, not starting with a digit',
		);
	}
	return `"${schema}"`;
}

/**
 * The statements that bring a schema from version `from` to the present one. Meant to run in one transaction.
 * They create no schema: who may is settled by the caller.
 */
export function migrationSql(schema: string, from: number): string {
	return [
		...MIGRATIONS.slice(from).map(readMigration),
		`INSERT INTO :schema.version (version) VALUES (${SCHEMA_VERSION}) ON CONFLICT DO NOTHING;`,
	]
		.join('\n')
		.replaceAll(':schema', quoteSchema(schema));
}

/**
 * Everything that an administrator has to run for a role which may not create a schema itself; for a ledger that is there already,
 * from its version on.
 */
export function ddl(schema = DEFAULT_SCHEMA, role?: string, from = 0): string {
	const name = quoteSchema(schema);
	const grants = role === undefined ? [] : grantSql(name, `"${role.replaceAll('"', '""')}"`);
	return [
		'BEGIN;',
		`CREATE SCHEMA IF NOT EXISTS ${name};`,
		migrationSql(schema, from),
		...grants,
		'COMMIT;',
	].join('\n');
}

/** The least that a role needs to use a ledger that somebody else created. */
function grantSql(schema: string, role: string): string[] {
	return [
		`GRANT USAGE ON SCHEMA ${schema} TO ${role};`,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};`,
		`REVOKE INSERT, UPDATE, DELETE ON ${schema}.version FROM ${role};`,
	];
}

function readMigration(file: string): string {
	return readFileSync(join(__dirname, 'migrations', file), 'utf8');
}
