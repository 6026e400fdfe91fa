import { readFileSync } from 'node:fs';

import { Pool } from 'pg';

import { startPostgres } from '../../test/servers/postgres';
import type { Contestant, Item } from './contestant';

const SINGLE = `INSERT INTO bare (namespace, key, owner, input) VALUES ($1, $2, $3, $4)
	ON CONFLICT DO NOTHING RETURNING key`;
const BATCH = `INSERT INTO bare (namespace, key, owner, input)
	SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING RETURNING key`;

export async function postgresContestant(): Promise<Contestant> {
	const server = await startPostgres();
	const pool = new Pool({ connectionString: server.url, max: 10 });
	// When the server is stopped at the end, connections that are just being closed say so.
	pool.on('error', () => {});
	await pool.query(`CREATE TABLE bare (
		namespace text, key text, owner text, input text, at timestamptz DEFAULT now(), PRIMARY KEY (namespace, key))`);
	const { rows } = await pool.query<{ version: string }>(
		"SELECT current_setting('server_version') AS version",
	);
	return {
		name: 'Postgres',
		server: `PostgreSQL ${rows[0].version}, fsync on`,
		statement: 'INSERT … ON CONFLICT DO NOTHING RETURNING key (batch: from arrays), pool of 10',
		settings: { store: 'postgres', url: server.url, poolSize: 10 },
		async bareSingle({ namespace, key, owner, input }) {
			await pool.query(SINGLE, [namespace, key, owner, input]);
		},
		async bareBatch(items) {
			const column = (name: keyof Item) => items.map((item) => item[name]);
			await pool.query(BATCH, [
				column('namespace'),
				column('key'),
				column('owner'),
				column('input'),
			]);
		},
		async bytes() {
			const { rows: sizes } = await pool.query<{ bytes: string }>(
				`SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
				JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'idempotency' AND c.relkind = 'r'`,
			);
			return Number(sizes[0].bytes);
		},
		async serverCpu() {
			const { rows: backends } = await pool.query<{ pid: number; postmaster: number }>(
				"SELECT pid, split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS postmaster FROM pg_stat_activity",
			);
			const ended = cpuOf(backends[0].postmaster).children;
			return backends.reduce((sum, { pid }) => sum + cpuOf(pid).own, ended);
		},
		async stop() {
			await pool.end();
			await server.stop();
		},
	};
}

/** CPU time in milliseconds, of a process and of its children that have ended; Linux counts in hundredths of a second. */
function cpuOf(pid: number): { own: number; children: number } {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /, '')
		.split(' ');
	const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
	return { own: 10 * (user + system), children: 10 * (childrenUser + childrenSystem) };
}
