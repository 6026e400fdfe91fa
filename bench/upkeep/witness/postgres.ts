import { Client } from 'pg';

import type { PostgresSettings } from '../../../ledger/settings';
import { until } from '../../../test/servers/ServerProcess';
import { openLedger } from '../../product';
import type { Witness } from './witness';

/** Postgres counts what was read in which index, and in which table as a whole. */
export const postgresWitness: Witness = async (settings, operation, middle) => {
	const { url, schema } = settings as PostgresSettings;
	const client = new Client({ connectionString: url });
	await client.connect();
	try {
		const before = await counters(client, schema!);
		const ledger = await openLedger({ ...settings, poolSize: 1 } as PostgresSettings);
		await operation.run(ledger, middle);
		await ledger.close();
		await aloneAgain(client);
		const after = await counters(client, schema!);
		const read = [...after]
			.map(([name, count]) => ({ name, count: count - (before.get(name) ?? 0) }))
			.filter(({ name, count }) => count > 0 && name !== FULL_SCANS);
		return {
			fullScans: after.get(FULL_SCANS)! - before.get(FULL_SCANS)!,
			read: read.map(({ name, count }) => `${name} ${count.toLocaleString('en')}`).join(', '),
		};
	} finally {
		await client.end();
	}
};

const FULL_SCANS = 'sequential scans';

async function counters(client: Client, schema: string): Promise<Map<string, number>> {
	const { rows } = await client.query<{ name: string; count: string }>(
		`SELECT indexrelname AS name, idx_tup_read AS count FROM pg_stat_user_indexes WHERE schemaname = $1 AND relname = 'event'
		UNION ALL SELECT $2, seq_scan FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = 'event'`,
		[schema, FULL_SCANS],
	);
	return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

/** A connection tells what it has read at the latest when it ends. */
async function aloneAgain(client: Client): Promise<void> {
	await until('the connections to end', async () => {
		const { rows } = await client.query<{ others: string }>(
			`SELECT count(*) AS others FROM pg_stat_activity WHERE application_name = 'n8n-nodes-idempotency'`,
		);
		if (Number(rows[0].others) > 0) throw new Error(`there are ${rows[0].others}`);
	});
}
