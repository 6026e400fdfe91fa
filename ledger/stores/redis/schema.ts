import { LedgerMisconfiguredError, SchemaTooNewError } from '../../errors';
import type { RedisConnection } from './connection';

export const SCHEMA_VERSION = 1;

/** Tells it from the layout that was never published, which had the same version. */
const LAYOUT = 'records';

interface Schema {
	version: number;
	layout?: string;
	shards: number;
}

/** Checks what is there, or starts anew. Returns the number of shards. */
export async function openSchema(
	connection: RedisConnection,
	prefix: string,
	shardCount: number,
): Promise<number> {
	const key = `${prefix}:schema`;
	const wanted: Schema = { version: SCHEMA_VERSION, layout: LAYOUT, shards: shardCount };
	await connection.ask((client) => client.setnx(key, JSON.stringify(wanted)));
	const text = await connection.ask((client) => client.get(key));
	const found = text === null ? wanted : parse(text, key);
	if (found.version > SCHEMA_VERSION) throw new SchemaTooNewError(found.version, SCHEMA_VERSION);
	if (found.layout === LAYOUT) return found.shards;
	throw new LedgerMisconfiguredError(
		`The prefix '${prefix}' has a ledger in a layout that was never published`,
		'Use another prefix, or delete all keys that start with this one',
	);
}

function parse(text: string, key: string): Schema {
	try {
		return JSON.parse(text) as Schema;
	} catch (error) {
		throw new LedgerMisconfiguredError(
			`The key '${key}' is not that of a ledger`,
			'Use another prefix: something else uses this one',
			{ cause: error },
		);
	}
}
