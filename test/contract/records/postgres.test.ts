import { Client } from 'pg';

import { openPostgresStore } from '../../../ledger/stores/postgres/PostgresStore';
import { server, unique } from '../stores/shared';
import { describeRecordStore } from './suite';

describeRecordStore('The Postgres record store', async () => {
	const url = server('TEST_POSTGRES_URL');
	const schema = unique();
	return {
		open: () => openPostgresStore({ store: 'postgres', url, schema, poolSize: 4 }),
		dispose: async () => {
			const client = new Client({ connectionString: url });
			await client.connect();
			await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
			await client.end();
		},
	};
});
