import { Pool } from 'pg';

import { openPostgresStore } from '../../../ledger/postgres/PostgresStore';
import type { EventAddress } from '../../../ledger/records';
import type { StoreUnderTest } from '../harness';
import { AGO_MS, server, unique } from './shared';

/** A schema of its own on the server of the tests. */
export async function postgres(): Promise<StoreUnderTest> {
	const url = server('TEST_POSTGRES_URL');
	const schema = unique();
	const pool = new Pool({ connectionString: url, max: 1 });
	const past = `clock_timestamp() - interval '${AGO_MS} milliseconds'`;
	const update = async (sql: string, ...values: string[]) => {
		const { rowCount } = await pool.query(sql, values);
		if (!rowCount) throw new Error(`Nothing to do: ${sql}`);
	};
	const updateEvent = async (change: string, { namespace, key }: EventAddress, state = 'any') => {
		await update(
			`UPDATE ${schema}.event SET ${change}
				WHERE namespace = $1 AND key = $2 AND $3 IN (state, 'any')`,
			namespace,
			key,
			state,
		);
	};
	return {
		open: () => openPostgresStore({ store: 'postgres', url, schema, poolSize: 4 }),
		manyItems: 100_000,
		expireLease: (address) =>
			updateEvent(`lease_until = ${past}, due_at = ${past}`, address, 'processing'),
		expireRecord: (address) => updateEvent(`expires_at = ${past}`, address, 'done'),
		expireApproval: async (address, gate) => {
			await update(
				`UPDATE ${schema}.approval SET expires_at = ${past} WHERE gate = $3 AND event_id =
					(SELECT id FROM ${schema}.event WHERE namespace = $1 AND key = $2)`,
				address.namespace,
				address.key,
				gate,
			);
			await updateEvent(`due_at = CASE state WHEN 'waiting' THEN ${past} ELSE due_at END`, address);
		},
		makeDue: (address) => updateEvent(`due_at = ${past}`, address),
		expireUndos: async ({ namespace, key }) => {
			await pool.query(
				`UPDATE ${schema}.step SET undo_until = ${past} WHERE undo_until IS NOT NULL AND event_id =
					(SELECT id FROM ${schema}.event WHERE namespace = $1 AND key = $2)`,
				[namespace, key],
			);
		},
		dispose: async () => {
			await pool.query(`DROP SCHEMA ${schema} CASCADE`);
			await pool.end();
		},
	};
}
