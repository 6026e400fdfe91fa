import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findProgram } from './find';
import { pingPostgres } from './postgres';
import { freePort, makeDirectory, ServerProcess } from './ServerProcess';

/** A PgBouncer in transaction mode, with its defaults otherwise, in front of a Postgres. */
export async function startPgBouncer(
	postgresUrl: string,
): Promise<{ url: string; stop(): Promise<void> }> {
	const given = process.env.TEST_PGBOUNCER_URL;
	if (given) return { url: given, stop: async () => {} };

	const command = findProgram('pgbouncer');
	const directory = makeDirectory('pgbouncer');
	const port = await freePort();
	const postgres = new URL(postgresUrl);
	const url = new URL(postgresUrl);
	url.host = `127.0.0.1:${port}`;

	const login = `user=${postgres.username} password=${decodeURIComponent(postgres.password)}`;
	const config = join(directory, 'pgbouncer.ini');
	writeFileSync(
		config,
		[
			'[databases]',
			`* = host=${postgres.hostname} port=${postgres.port || 5432} ${login}`,
			'[pgbouncer]',
			'listen_addr = 127.0.0.1',
			`listen_port = ${port}`,
			'unix_socket_dir =',
			'auth_type = any',
			'pool_mode = transaction',
		].join('\n'),
	);
	return await ServerProcess.start({
		command,
		args: [config],
		directory,
		url: url.href,
		port,
		stopSignal: 'SIGTERM',
		answers: () => pingPostgres(url.href),
	});
}
