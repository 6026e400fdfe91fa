import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis as RedisClient } from 'ioredis';
import type { ICredentialTestFunctions } from 'n8n-workflow';
import { Client } from 'pg';

import { ledgerConnectionTest } from '../../nodes/shared/ledgerConnectionTest';
import type { LedgerCredential } from '../../nodes/shared/ledgerSettings';
import { startRedis } from '../servers/redis';
import { freePort } from '../servers/ServerProcess';

/** The credential's Test button, against real servers that are set up well and badly. */

const postgres = new URL(process.env.TEST_POSTGRES_URL!);
const redis = new URL(process.env.TEST_REDIS_URL!);
const schema = `test_${randomUUID().replaceAll('-', '_')}`;
const prefix = `test-${randomUUID()}`;

const press = (data: LedgerCredential) =>
	ledgerConnectionTest.call({} as ICredentialTestFunctions, {
		id: '1',
		name: 'Ledger',
		type: 'idempotencyLedgerApi',
		data: { ...data },
	});

const toPostgres: LedgerCredential = {
	store: 'postgres',
	connectWith: 'fields',
	host: postgres.hostname,
	port: Number(postgres.port),
	database: postgres.pathname.slice(1),
	user: decodeURIComponent(postgres.username),
	password: decodeURIComponent(postgres.password),
	schema,
};
const toRedis: LedgerCredential = {
	store: 'redis',
	topology: 'single',
	host: redis.hostname,
	port: Number(redis.port),
	password: decodeURIComponent(redis.password),
	prefix,
};

async function asAdmin(...statements: string[]): Promise<void> {
	const client = new Client({ connectionString: postgres.href });
	await client.connect();
	for (const statement of statements) await client.query(statement);
	await client.end();
}

afterAll(async () => {
	await asAdmin('SET client_min_messages = error', `DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
});

describe('embedded', () => {
	const folder = mkdtempSync(join(tmpdir(), 'idempotency-'));
	const file = join(folder, 'ledger.sqlite');
	afterAll(() => rmSync(folder, { recursive: true }));

	it('says what it found', async () => {
		expect(await press({ store: 'embedded', file })).toEqual({
			status: 'OK',
			message: expect.stringMatching(
				/^Connected to SQLite 3\.\d+\.\d+: schema version \d+, 0 events\./,
			),
		});
	});

	it('is refused in queue mode', async () => {
		process.env.EXECUTIONS_MODE = 'queue';
		try {
			expect(await press({ store: 'embedded', file })).toEqual({
				status: 'Error',
				message: expect.stringMatching(/does not work in queue mode.*Choose Postgres or Redis/),
			});
		} finally {
			delete process.env.EXECUTIONS_MODE;
		}
	});
});

describe('Postgres', () => {
	it('says what it found', async () => {
		expect(await press(toPostgres)).toEqual({
			status: 'OK',
			message: expect.stringMatching(
				/^Connected to PostgreSQL \d+.*: schema version \d+, 0 events\.$/,
			),
		});
	});

	it.each([
		['the password is wrong', { password: 'wrong' }, /refused the user name or password/],
		['the database does not exist', { database: 'nowhere' }, /database does not exist/],
		['the host has no such name', { host: 'no-such-host.invalid' }, /no host of this name/],
		['the server has no TLS', { tls: 'on' }, /does not offer TLS/],
	] as Array<[string, Partial<LedgerCredential>, RegExp]>)(
		'says that %s',
		async (_, change, message) => {
			expect(await press({ ...toPostgres, ...change })).toEqual({
				status: 'Error',
				message: expect.stringMatching(message),
			});
		},
	);

	it('says that nothing listens there', async () => {
		expect(await press({ ...toPostgres, port: await freePort() })).toEqual({
			status: 'Error',
			message: expect.stringMatching(
				/Nothing accepts connections there.*Check that the server runs/,
			),
		});
	});

	it('says that the user may not create the schema', async () => {
		const user = `nobody_${randomUUID().slice(0, 8)}`;
		await asAdmin(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
		try {
			expect(
				await press({ ...toPostgres, user, password: 'secret', schema: `${schema}_2` }),
			).toEqual({
				status: 'Error',
				message: expect.stringMatching(/lacks a right.*administrator/),
			});
		} finally {
			await asAdmin(`DROP ROLE ${user}`);
		}
	});

	it('says that the server forgets commits', async () => {
		const user = `hasty_${randomUUID().slice(0, 8)}`;
		await asAdmin(
			`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'secret'`,
			`ALTER ROLE ${user} SET synchronous_commit = off`,
		);
		try {
			expect(await press({ ...toPostgres, user, password: 'secret' })).toEqual({
				status: 'Error',
				message: expect.stringMatching(/synchronous_commit = off/),
			});
		} finally {
			await asAdmin(`DROP ROLE ${user}`);
		}
	});
});

describe('Redis', () => {
	it('says that nothing listens there', async () => {
		expect(await press({ ...toRedis, port: await freePort() })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/cannot be reached.*Check that it runs/),
		});
	});

	it.each([
		[
			'all is well',
			['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'],
			'OK',
			/^Connected to Redis \d+\.\d+.*: schema version \d+, 0 events\.$/,
		],
		[
			'it evicts keys',
			['--appendonly', 'yes', '--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
			'Error',
			/evict/,
		],
		['it keeps nothing on disk', ['--appendonly', 'no', '--save', ''], 'Error', /disk/],
		[
			'it may lose the last second',
			['--appendonly', 'yes', '--appendfsync', 'everysec'],
			'OK',
			/second/,
		],
	])('says that %s', async (_, extraArgs, status, message) => {
		const server = await startRedis({ extraArgs });
		try {
			const { hostname, port } = new URL(server.url);
			expect(await press({ ...toRedis, host: hostname, port: Number(port), password: '' })).toEqual(
				{
					status,
					message: expect.stringMatching(message),
				},
			);
		} finally {
			await server.stop();
		}
	});

	it('says that the password is wrong or missing', async () => {
		const server = await startRedis();
		try {
			const { hostname, port } = new URL(server.url);
			const admin = new RedisClient(server.url);
			await admin.config('SET', 'requirepass', 'secret');
			admin.disconnect();
			for (const password of ['', 'wrong']) {
				expect(await press({ ...toRedis, host: hostname, port: Number(port), password })).toEqual({
					status: 'Error',
					message: expect.stringMatching(/password/),
				});
			}
		} finally {
			await server.stop();
		}
	});
});
