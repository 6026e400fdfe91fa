import { execFile } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { Client } from 'pg';

import { findProgram, serverUser } from './find';
import { freePort, makeDirectory, ServerProcess } from './ServerProcess';

const password = 'secret';

/** A Postgres of one's own; the role in its `url` is a superuser. */
export async function startPostgres({
	durable = true,
	extraSettings = [] as string[],
} = {}): Promise<ServerProcess> {
	const command = findProgram('postgres');
	const directory = makeDirectory('postgres');
	const data = join(directory, 'data');
	// A link to `postgres` need not have `initdb` beside it; the program itself has.
	await createCluster(join(dirname(realpathSync(command)), 'initdb'), directory, data);

	const port = await freePort();
	const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
	const settings = [
		'listen_addresses=127.0.0.1',
		'unix_socket_directories=',
		'max_connections=200',
		...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
		...extraSettings,
	];
	return await ServerProcess.start({
		command,
		args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
		directory,
		url,
		port,
		stopSignal: 'SIGINT', // Postgres' "fast" shutdown; SIGTERM would wait for the clients to leave.
		answers: () => pingPostgres(url),
	});
}

export async function pingPostgres(url: string): Promise<void> {
	const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
	// Without a listener, a connection that breaks after it was made would end the process.
	client.on('error', () => {});
	try {
		await client.connect();
		await client.query('SELECT 1');
	} finally {
		await client.end();
	}
}

async function createCluster(initdb: string, directory: string, data: string): Promise<void> {
	const passwordFile = join(directory, 'password');
	writeFileSync(passwordFile, password);
	const args = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
	// Only the creation goes unsynced: what the tests write later is as durable as Postgres makes it.
	args.push('--no-sync', '--locale=C', '--encoding=UTF8');
	await promisify(execFile)(initdb, args, { cwd: directory, ...serverUser() });
}
