import { chmodSync, chownSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import { openLedger } from '../../ledger/open';
import type { LedgerSettings, TlsSettings } from '../../ledger/settings';
import { serverUser } from '../servers/find';
import { startPostgres } from '../servers/postgres';
import { startRedis } from '../servers/redis';
import {
	freePort,
	makeDirectory,
	removeDirectory,
	type ServerProcess,
} from '../servers/ServerProcess';

const folder = join(__dirname, '../servers/tls');
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`), 'utf8');

const ca = pem('ca');
const client = { ca, certificate: pem('client'), privateKey: pem('client.key') };

/** Servers read keys only if nobody else may. */
function privateCopy(name: string, directory: string): string {
	const copy = join(directory, `${name}.pem`);
	copyFileSync(join(folder, `${name}.pem`), copy);
	chmodSync(copy, 0o600);
	const { uid, gid } = serverUser();
	if (uid && gid) chownSync(copy, uid, gid);
	return copy;
}

async function opens(settings: LedgerSettings): Promise<string> {
	const ledger = await openLedger({ ...settings, patienceMs: 500 });
	try {
		return (await ledger.check()).server;
	} finally {
		await ledger.close();
	}
}

let certificates: string;
let files: Record<'ca' | 'server' | 'server.key', string>;

beforeAll(() => {
	certificates = makeDirectory('tls');
	files = {
		ca: privateCopy('ca', certificates),
		server: privateCopy('server', certificates),
		'server.key': privateCopy('server.key', certificates),
	};
});
afterAll(() => removeDirectory(certificates));

describe('Postgres over TLS', () => {
	let server: ServerProcess;

	beforeAll(async () => {
		const rules = join(certificates, 'pg_hba.conf');
		writeFileSync(
			rules,
			'hostssl all ledger 127.0.0.1/32 cert\nhost all all 127.0.0.1/32 scram-sha-256\n',
		);
		server = await startPostgres({
			durable: false,
			extraSettings: [
				`hba_file=${rules}`,
				'ssl=on',
				`ssl_cert_file=${files.server}`,
				`ssl_key_file=${files['server.key']}`,
				`ssl_ca_file=${files.ca}`,
			],
		});
	});
	afterAll(async () => await server.stop());

	const settings = (tls: TlsSettings): LedgerSettings => ({
		store: 'postgres',
		url: server.url,
		tls,
	});

	it('trusts the authority of the credential', async () => {
		expect(await opens(settings({ ca }))).toMatch(/^PostgreSQL/);
	});

	it('shows its own certificate where the server wants one', async () => {
		const admin = new Client({ connectionString: server.url, ssl: { ca } });
		await admin.connect();
		await admin.query('CREATE ROLE ledger SUPERUSER LOGIN');
		await admin.end();

		const url = new URL(server.url);
		url.username = 'ledger';
		url.password = '';
		expect(await opens({ store: 'postgres', url: url.href, tls: client })).toMatch(/^PostgreSQL/);
		await expect(opens({ store: 'postgres', url: url.href, tls: { ca } })).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
		});
	});

	it('talks to nobody whom it does not know, unless told to', async () => {
		await expect(opens(settings({}))).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining("server's certificate is not trusted"),
		});
		expect(await opens(settings({ allowUnauthorized: true }))).toMatch(/^PostgreSQL/);
	});
});

describe('Redis over TLS', () => {
	let server: ServerProcess;
	let port: number;

	beforeAll(async () => {
		port = await freePort();
		server = await startRedis({
			extraArgs: [
				...['--tls-port', String(port), '--tls-ca-cert-file', files.ca],
				...['--tls-cert-file', files.server, '--tls-key-file', files['server.key']],
				...['--tls-auth-clients', 'yes'],
			],
		});
	});
	afterAll(async () => await server.stop());

	const settings = (tls: TlsSettings): LedgerSettings => ({
		store: 'redis',
		topology: 'single',
		nodes: [{ host: '127.0.0.1', port }],
		tls,
	});

	it('trusts the authority of the credential and shows its own certificate', async () => {
		expect(await opens(settings(client))).toMatch(/^Redis/);
	});

	it('says so when the server is not trusted, or does not trust', async () => {
		await expect(opens(settings({ ...client, ca: undefined }))).rejects.toMatchObject({
			message: expect.stringContaining('certificate'),
		});
		await expect(opens(settings({ ca }))).rejects.toMatchObject({
			name: expect.stringMatching(/^Ledger/),
		});
	});
});
