import { Client } from 'pg';

import { openPostgresStore } from '../../../ledger/stores/postgres/PostgresStore';
import type { StoreUnderTest } from '../harness';
import { server, unique } from './shared';

/** A schema of its own on the server of the tests. */
export async function postgres(): Promise<StoreUnderTest> {
	const url = server('TEST_POSTGRES_URL');
	const schema = unique();
	return {
		open: () => openPostgresStore({ store: 'postgres', url, schema, poolSize: 4 }),
		manyItems: 100_000,
		dispose: async () => {
			const client = new Client({ connectionString: url });
			await client.connect();
			await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
			await client.end();
		},
	};
}
