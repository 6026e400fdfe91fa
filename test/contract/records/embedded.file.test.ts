import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { SchemaTooNewError } from '../../../ledger/errors';
import type { RecordStore } from '../../../ledger/stores/RecordStore';
import { openDatabase } from '../../../ledger/stores/sqlite/database';
import { SCHEMA_VERSION } from '../../../ledger/stores/sqlite/migrate';
import { openSqliteStore, SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { insertion, insertOne } from './fixture';
import { SqliteFile } from './sqliteFile';

/** What the suite of all stores cannot see: several processes, damaged files and full disks. */

const SQLITE = resolve(__dirname, '../../../ledger/stores/sqlite');
const namespace = 'n';
const file = new SqliteFile();

const insertKey = async (store: RecordStore, key = 'k') =>
	await insertOne(store, insertion({ namespace }, key));

/**
 * Runs code in as many processes of their own, which start it at the same moment, each with its `number` and an `item` to insert;
 * returns what each of them returns.
 */
async function inProcesses<T>(count: number, code: string): Promise<T[]> {
	const script = `
		const { openSqliteStore } = require(${JSON.stringify(join(SQLITE, 'SqliteStore.ts'))});
		const settings = ${JSON.stringify({ store: 'embedded', file: file.path })};
		const number = Number(process.argv[1]);
		const item = ${JSON.stringify(insertion({ namespace }, 'k'))};
		process.once('message', async () => {
			process.send(await (async () => { ${code} })());
			process.disconnect();
		});
		process.send('ready');
	`;
	const children = Array.from({ length: count }, (_, number) =>
		spawn(process.execPath, ['--import', 'tsx', '--eval', script, String(number)], {
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		}),
	);
	await Promise.all(children.map((child) => once(child, 'message')));
	const results = children.map((child) => once(child, 'message') as Promise<[T]>);
	for (const child of children) child.send('start');
	return (await Promise.all(results)).map(([result]) => result);
}

describe('several processes', () => {
	it('make the file once when they start at the same time, and one of them wins', async () => {
		const won = await inProcesses<boolean[]>(
			6,
			`const won = [];
			for (let i = 0; i < 20; i++) {
				const store = await openSqliteStore({ ...settings, file: settings.file + i });
				won.push((await store.insert([item])).replies[0].inserted);
				await store.close();
			}
			return won;`,
		);
		for (let i = 0; i < 20; i++) {
			expect(won.filter((ofProcess) => ofProcess[i])).toHaveLength(1);
		}
	});

	it('do not shut each other out, and lose or double nothing', async () => {
		const counts = await inProcesses<number>(
			3,
			`const store = await openSqliteStore(settings);
			let count = 0;
			for (const end = Date.now() + 3000; Date.now() < end; count++) {
				const mine = { ...item, key: number + ' ' + count };
				const { now, replies } = await store.insert([mine, { ...item, key: 'shared ' + count }]);
				const head = { state: 'done', createdAt: now, expiresAt: now + 1e6 };
				const swap = { ...mine, head, parts: [], append: '', rotate: false, duplicates: 0, counts: [] };
				if (!replies[0].inserted || !(await store.swap([swap])).replies[0]) throw new Error('lost');
			}
			await store.close();
			return count;`,
		);
		const total = counts.reduce((sum, count) => sum + count, 0);
		for (const count of counts) expect(count).toBeGreaterThan(total / 20);
		await file.withStore(async (store) => {
			expect((await store.check()).entries).toBe(total + Math.max(...counts));
			const { events, tallies } = await store.stats({ days: 2 });
			expect(events).toMatchObject({ done: total, processing: Math.max(...counts) });
			const sum = (kind: string) =>
				tallies.reduce((all, tally) => all + (tally.kind === kind ? tally.count : 0), 0);
			expect(sum('new')).toBe(total + Math.max(...counts));
			expect(sum('met_processing')).toBe(total - Math.max(...counts));
		});
	});

	it('wait for a lock without holding up n8n, and go on when it is free', async () => {
		await file.withStore(async (store) => {
			const other = new DatabaseSync(file.path);
			other.exec('BEGIN IMMEDIATE');
			let ticks = 0;
			const clock = setInterval(() => ticks++, 5);
			setTimeout(() => other.exec('COMMIT'), 400);
			try {
				expect(await insertKey(store)).toEqual({ inserted: true });
				expect(ticks).toBeGreaterThan(20);
			} finally {
				clearInterval(clock);
				other.close();
			}
		});
	});

	it('give up in time when a lock is held, change nothing, and read all the same', async () => {
		await file.withStore(async (store) => {
			const other = new DatabaseSync(file.path);
			other.exec('BEGIN IMMEDIATE');
			try {
				await expect(insertKey(store)).rejects.toMatchObject({
					name: 'LedgerUnavailableError',
					message: `Another process keeps the ledger ${file.path} locked`,
				});
				const { records } = await store.read([{ namespace, key: 'k' }]);
				expect(records).toEqual([undefined]);
			} finally {
				other.close();
			}
			expect(await insertKey(store)).toEqual({ inserted: true });
		}, 300);
	});
});

describe('the file', () => {
	it('is for the user of n8n alone', async () => {
		await file.withStore(insertKey);
		if (process.platform === 'win32') return;
		expect(statSync(file.path).mode & 0o777).toBe(0o600);
		expect(statSync(join(file.path, '..')).mode & 0o777).toBe(0o700);
	});

	it('is refused when a newer version of the package made it', async () => {
		await file.withStore(insertKey);
		file.tamper('PRAGMA user_version = 99');
		await expect(file.withStore(insertKey)).rejects.toThrow(SchemaTooNewError);
	});

	it('is refused and left alone when an unpublished version of the package made it', async () => {
		file.path = join(file.folder, 'ledger.sqlite');
		file.tamper(
			'CREATE TABLE event (id); PRAGMA application_id = 0x6964656d; PRAGMA user_version = 3',
		);
		const before = readFileSync(file.path);
		await expect(file.withStore(insertKey)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('a version that was never published'),
			remedy: expect.stringContaining('Choose another file'),
		});
		expect(readFileSync(file.path)).toEqual(before);
	});

	it('is refused and left alone when it is the database of another program', async () => {
		file.path = join(file.folder, 'database.sqlite');
		file.tamper('CREATE TABLE workflow_entity (id)');
		const before = readFileSync(file.path);
		await expect(file.withStore(insertKey)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: `${file.path} is the database of another program`,
		});
		expect(readFileSync(file.path)).toEqual(before);
	});

	it('is refused when it is no database at all', async () => {
		file.path = join(file.folder, 'ledger.sqlite');
		writeFileSync(file.path, 'This is a letter and not a database. '.repeat(100));
		await expect(file.withStore(insertKey)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('is damaged, or is not a ledger'),
			cause: expect.objectContaining({ code: 'ERR_SQLITE_ERROR' }),
		});
	});

	it('says that it is damaged', async () => {
		const keys = Array.from({ length: 500 }, (_, i) => `key ${i}`);
		await file.withStore((store) => store.insert(keys.map((key) => insertion({ namespace }, key))));
		const bytes = readFileSync(file.path);
		writeFileSync(file.path, bytes.fill(0xff, 4096 * 3));
		await expect(
			file.withStore((store) => store.read(keys.map((key) => ({ namespace, key })))),
		).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('is damaged'),
		});
	});

	it('says that something of it is missing', async () => {
		await file.withStore(insertKey);
		file.tamper('DROP TABLE part');
		await expect(file.withStore(insertKey)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('no such table: part'),
		});
	});

	it('says that it cannot be made', async () => {
		writeFileSync(join(file.folder, 'new folder'), 'in the way');
		await expect(file.withStore(insertKey)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining(`The ledger ${file.path} cannot be opened or written`),
		});
	});

	it('says so too where nobody can make a folder, and does not hold up n8n', async () => {
		await expect(openDatabase('/proc/nowhere/ledger.sqlite')).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('/proc/nowhere/ledger.sqlite cannot be opened or written'),
		});
	});

	it('says that the disk is full, keeps what it has, and goes on when there is space', async () => {
		const database = await openDatabase(file.path);
		const store = new SqliteStore(database, file.path);
		await insertKey(store, 'before');
		database.exec('PRAGMA max_page_count = 1');
		const large = ['small', 'large'].map((key) =>
			insertion({ namespace }, key, { input: 'x'.repeat(1_000_000) }),
		);
		await expect(store.insert(large)).rejects.toMatchObject({
			name: 'LedgerUnavailableError',
			message: `The disk is full: the ledger ${file.path} could not be written`,
		});
		const wanted = ['before', 'small'].map((key) => ({ namespace, key }));
		const [before, small] = (await store.read(wanted)).records;
		expect(before?.state).toBe('processing');
		expect(small).toBeUndefined();
		database.exec('PRAGMA max_page_count = 1000000');
		expect((await store.insert(large)).replies).toEqual([{ inserted: true }, { inserted: true }]);
		await store.close();
	});

	it('is reported as lost when somebody removes it', async () => {
		await file.withStore(async (store) => {
			expect(await store.check()).toMatchObject({
				server: expect.stringMatching(/^SQLite 3\./),
				schemaVersion: SCHEMA_VERSION,
				findings: [],
			});
			rmSync(file.path);
			expect((await store.check()).findings).toMatchObject([
				{ severity: 'error', message: expect.stringContaining('was removed or replaced') },
			]);
		});
	});
});

it('says what to do where Node has no SQLite', async () => {
	await jest.isolateModulesAsync(async () => {
		jest.doMock('node:sqlite', () => {
			throw new Error('No such built-in module: node:sqlite');
		});
		const store = await import('../../../ledger/stores/sqlite/SqliteStore');
		const settings = { store: 'embedded', file: file.path } as const;
		await expect(store.openSqliteStore(settings)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('needs Node 22.13 or newer'),
			remedy: expect.stringContaining('Postgres or Redis'),
		});
		jest.dontMock('node:sqlite');
	});
});

it('goes on with a file that was closed and opened again', async () => {
	await file.withStore(insertKey);
	const store = await openSqliteStore({ store: 'embedded', file: file.path });
	expect(await insertKey(store)).toMatchObject({ inserted: false, met: { duplicates: 1 } });
	await store.close();
});
