import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { SchemaTooNewError } from '../../ledger/errors';
import { openDatabase } from '../../ledger/sqlite/database';
import { SCHEMA_VERSION } from '../../ledger/sqlite/migrate';
import { openSqliteStore, SqliteStore } from '../../ledger/sqlite/SqliteStore';
import type { ClaimCommand, LedgerStore, ListQuery } from '../../ledger/Store';

/** What the conformance suite cannot see: several processes, damaged files, full disks, and which index is used. */

const SQLITE = resolve(__dirname, '../../ledger/sqlite');

let folder: string;
let file: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
	file = join(folder, 'new folder', 'ledger.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

function command(key: string, change: Partial<ClaimCommand> = {}): ClaimCommand {
	return {
		namespace: 'n',
		key,
		token: `token of ${key}`,
		claimant: 'execution/node/0/0',
		executionId: 'execution',
		lease: 60_000,
		retention: 60_000,
		maxAttempts: 5,
		onStopped: 'review',
		...change,
	};
}

async function withStore<T>(
	action: (store: LedgerStore) => Promise<T>,
	patienceMs?: number,
): Promise<T> {
	const store = await openSqliteStore({ store: 'embedded', file, patienceMs });
	try {
		return await action(store);
	} finally {
		await store.close();
	}
}

async function claimOnce(store: LedgerStore, key = 'k'): Promise<string> {
	return (await store.claim([command(key)]))[0].outcome;
}

/** Another program's hand in the file. */
function tamper(sql: string): void {
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
}

/**
 * Runs code in as many processes of their own, which start it at the same moment, each with its `number` and a `claim` to
 * make; returns what each of them returns.
 */
async function inProcesses<T>(count: number, code: string): Promise<T[]> {
	const script = `
		const { openSqliteStore } = require(${JSON.stringify(join(SQLITE, 'SqliteStore.ts'))});
		const settings = ${JSON.stringify({ store: 'embedded', file })};
		const number = Number(process.argv[1]);
		const claim = { ...${JSON.stringify(command('k'))}, token: 'token ' + number, claimant: 'process ' + number };
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
		const outcomes = await inProcesses<string[]>(
			6,
			`const outcomes = [];
			for (let i = 0; i < 20; i++) {
				const store = await openSqliteStore({ ...settings, file: settings.file + i });
				outcomes.push((await store.claim([claim]))[0].outcome);
				await store.close();
			}
			return outcomes;`,
		);
		for (let i = 0; i < 20; i++) {
			const ofFile = outcomes.map((ofProcess) => ofProcess[i]);
			expect(ofFile.sort()).toEqual([...Array<string>(5).fill('in_progress'), 'new']);
		}
	});

	it('do not shut each other out, however much they write', async () => {
		const claims = await inProcesses<number>(
			3,
			`const store = await openSqliteStore(settings);
			let claims = 0;
			for (const end = Date.now() + 3000; Date.now() < end; claims++) {
				await store.claim([{ ...claim, key: number + ' ' + claims }]);
			}
			await store.close();
			return claims;`,
		);
		const total = claims.reduce((sum, count) => sum + count, 0);
		for (const count of claims) expect(count).toBeGreaterThan(total / 20);
		const { entries } = await withStore((store) => store.check());
		expect(entries).toBe(total);
	});

	it('wait for a lock without holding up n8n, and go on when it is free', async () => {
		await withStore(async (store) => {
			const other = new DatabaseSync(file);
			other.exec('BEGIN IMMEDIATE');
			let ticks = 0;
			const clock = setInterval(() => ticks++, 5);
			setTimeout(() => other.exec('COMMIT'), 400);
			try {
				expect(await claimOnce(store)).toBe('new');
				expect(ticks).toBeGreaterThan(20);
			} finally {
				clearInterval(clock);
				other.close();
			}
		});
	});

	it('give up in time when a lock is held, change nothing, and read all the same', async () => {
		await withStore(async (store) => {
			const other = new DatabaseSync(file);
			other.exec('BEGIN IMMEDIATE');
			try {
				await expect(claimOnce(store)).rejects.toMatchObject({
					name: 'LedgerUnavailableError',
					message: `Another process keeps the ledger ${file} locked`,
				});
				expect(await store.get([command('k')])).toEqual([null]);
			} finally {
				other.close();
			}
			expect(await claimOnce(store)).toBe('new');
		}, 300);
	});
});

describe('the file', () => {
	it('is for the user of n8n alone', async () => {
		await withStore(claimOnce);
		if (process.platform === 'win32') return;
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
	});

	it('is refused when a newer version of the package made it', async () => {
		await withStore(claimOnce);
		tamper('PRAGMA user_version = 99');
		await expect(withStore(claimOnce)).rejects.toThrow(SchemaTooNewError);
	});

	it('is refused and left alone when it is the database of another program', async () => {
		file = join(folder, 'database.sqlite');
		tamper('CREATE TABLE workflow_entity (id)');
		const before = readFileSync(file);
		await expect(withStore(claimOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: `${file} is the database of another program`,
		});
		expect(readFileSync(file)).toEqual(before);
	});

	it('is refused when it is no database at all', async () => {
		file = join(folder, 'ledger.sqlite');
		writeFileSync(file, 'This is a letter and not a database. '.repeat(100));
		await expect(withStore(claimOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('is damaged, or is not a ledger'),
			cause: expect.objectContaining({ code: 'ERR_SQLITE_ERROR' }),
		});
	});

	it('says that it is damaged', async () => {
		await withStore((store) =>
			store.claim(Array.from({ length: 500 }, (_, i) => command(`key ${i}`))),
		);
		const bytes = readFileSync(file);
		writeFileSync(file, bytes.fill(0xff, 4096 * 3));
		await expect(
			withStore((store) => store.get(Array.from({ length: 500 }, (_, i) => command(`key ${i}`)))),
		).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('is damaged'),
		});
	});

	it('says that something of it is missing', async () => {
		await withStore(claimOnce);
		tamper('DROP TABLE step');
		await expect(withStore(claimOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('no such table: step'),
		});
	});

	it('says that it cannot be made', async () => {
		writeFileSync(join(folder, 'new folder'), 'in the way');
		await expect(withStore(claimOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining(`The ledger ${file} cannot be opened or written`),
		});
	});

	it('says so too where nobody can make a folder, and does not hold up n8n', async () => {
		await expect(openDatabase('/proc/nowhere/ledger.sqlite')).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('/proc/nowhere/ledger.sqlite cannot be opened or written'),
		});
	});

	it('says that the disk is full, keeps what it has, and goes on when there is space', async () => {
		const database = await openDatabase(file);
		const store = new SqliteStore(database, file);
		await claimOnce(store, 'before');
		database.exec('PRAGMA max_page_count = 1');
		const large = [command('small'), command('large', { input: 'x'.repeat(1_000_000) })];
		await expect(store.claim(large)).rejects.toMatchObject({
			name: 'LedgerUnavailableError',
			message: `The disk is full: the ledger ${file} could not be written`,
		});
		const [before, small] = await store.get([command('before'), command('small')]);
		expect(before?.event.state).toBe('processing');
		expect(small).toBeNull();
		database.exec('PRAGMA max_page_count = 1000000');
		expect(await store.claim(large)).toMatchObject([{ outcome: 'new' }, { outcome: 'new' }]);
		await store.close();
	});

	it('is reported as lost when somebody removes it', async () => {
		await withStore(async (store) => {
			expect(await store.check()).toMatchObject({
				server: expect.stringMatching(/^SQLite 3\./),
				schemaVersion: SCHEMA_VERSION,
				findings: [],
			});
			rmSync(file);
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
		const store = await import('../../ledger/sqlite/SqliteStore');
		await expect(store.openSqliteStore({ store: 'embedded', file })).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('needs Node 22.13 or newer'),
			remedy: expect.stringContaining('Postgres or Redis'),
		});
		jest.dontMock('node:sqlite');
	});
});

describe('fresh events', () => {
	/** The ids of those that are fresh, and up to which id none is. */
	function look(): { fresh: number[]; upTo: number; newest: number } {
		const database = new DatabaseSync(file);
		const fresh = database.prepare('SELECT id FROM event WHERE fresh = 1 ORDER BY id').all();
		const row = database.prepare(
			'SELECT up_to, (SELECT max(id) FROM event) AS newest FROM settled',
		);
		const { up_to: upTo, newest } = row.get() as { up_to: number; newest: number };
		database.close();
		return { fresh: fresh.map(({ id }) => id as number), upTo, newest };
	}

	const keysOf = async (store: LedgerStore, query: Partial<ListQuery> = {}) => {
		const events = await store.list({ order: 'created', limit: 1000, ...query });
		return events.map(({ key }) => key).sort();
	};

	/** The first claim of a process settles what others left; those after it are fresh. */
	const withFresh = async (action: (store: LedgerStore) => Promise<void>) =>
		await withStore(async (store) => {
			await claimOnce(store, 'first');
			await claimOnce(store, 'fresh');
			expect(look()).toEqual({ fresh: [2], upTo: 1, newest: 2 });
			await action(store);
		});

	it.each<[string, (store: LedgerStore) => Promise<unknown>]>([
		['a list', async (store) => await keysOf(store)],
		['statistics', async (store) => await store.stats({ days: 1 })],
		['a check', async (store) => await store.check()],
		['a batch', async (store) => await store.claim([command('a'), command('b')])],
		['a duplicate', async (store) => await claimOnce(store, 'fresh')],
		['another write', async (store) => await store.renew([command('first')])],
		['a write that is refused', async (store) => await store.renew([command('nobody')])],
	])('are settled by %s', async (_, act) => {
		await withFresh(async (store) => {
			await act(store);
			const { fresh, upTo, newest } = look();
			expect({ fresh, upTo }).toEqual({ fresh: [], upTo: newest });
		});
	});

	it('are read by their keys as they are', async () => {
		await withFresh(async (store) => {
			const [found] = await store.get([command('fresh')]);
			expect(found?.event).toMatchObject({ state: 'processing', attempt: 1, duplicates: 0 });
			expect(await store.history([command('fresh')])).toMatchObject([[{ kind: 'new' }]]);
			expect(look().fresh).toEqual([2]);
		});
	});

	it('are in every list, in the statistics, and among what an execution holds', async () => {
		await withFresh(async (store) => {
			expect(await keysOf(store, { order: 'due', state: 'processing' })).toEqual([
				'first',
				'fresh',
			]);
		});
		await withStore(async (store) => {
			await claimOnce(store, 'of another process');
			await claimOnce(store, 'fresh again');
			const ofExecution = { order: 'key', executionId: 'execution' } as const;
			expect(await keysOf(store, ofExecution)).toHaveLength(4);
			await claimOnce(store, 'and again');
			expect(await store.stats({ days: 1 })).toMatchObject({
				events: { processing: 5 },
				tallies: [{ kind: 'new', count: 5 }],
			});
			await claimOnce(store, 'held');
			const failed = await store.failByExecution({
				executionId: 'execution',
				as: 'failed',
				reason: 'crash',
			});
			expect(failed).toHaveLength(6);
		});
	});

	it('are counted once, on the day of their claim', async () => {
		const DAY = 24 * 60 * 60 * 1000;
		await withFresh(async (store) => {
			tamper(`UPDATE event SET created_at = created_at - ${DAY} WHERE fresh = 1`);
			await claimOnce(store, 'today');
			for (const time of ['first', 'second']) {
				const { tallies } = await store.stats({ days: 2 });
				const today = new Date().toISOString().slice(0, 10);
				const yesterday = new Date(Date.now() - DAY).toISOString().slice(0, 10);
				expect({ time, tallies }).toEqual({
					time,
					tallies: [
						{ namespace: 'n', day: yesterday, kind: 'new', count: 1 },
						{ namespace: 'n', day: today, kind: 'new', count: 2 },
					],
				});
			}
		});
	});

	it('are never many, however long nothing but single claims comes', async () => {
		await withStore(async (store) => {
			let most = 0;
			for (let i = 0; i < 250; i++) {
				await claimOnce(store, `key ${i}`);
				most = Math.max(most, look().fresh.length);
			}
			expect(most).toBe(99);
			expect(await keysOf(store)).toHaveLength(250);
		});
	});

	it('are found when SQLite gives them the id of one that was removed', async () => {
		await withFresh(async (store) => {
			await keysOf(store);
			expect(look()).toEqual({ fresh: [], upTo: 2, newest: 2 });
			expect(await store.delete([command('fresh')])).toEqual([true]);
			expect(look()).toEqual({ fresh: [], upTo: 1, newest: 1 });
			await claimOnce(store, 'successor');
			expect(look()).toEqual({ fresh: [2], upTo: 1, newest: 2 });
			expect(await keysOf(store)).toEqual(['first', 'successor']);
		});
	});

	it('tell of the same content, and are told of', async () => {
		const alike = { fingerprint: 'the same', findSameContent: true } as const;
		await withFresh(async (store) => {
			expect(await store.claim([command('one', alike)])).toMatchObject([{ outcome: 'new' }]);
			const [other] = await store.claim([command('other', alike)]);
			expect(other).toMatchObject({ outcome: 'new', sameContentAs: 'one' });
			expect(look().fresh).toEqual([2, 3, 4]);
		});
	});

	it('do not exist for an ordered claim: it has a mark to raise', async () => {
		await withFresh(async (store) => {
			const ordered = (key: string, version: number) => command(key, { object: 'o', version });
			expect(await store.claim([ordered('newer', 2)])).toMatchObject([{ outcome: 'new' }]);
			expect(await store.claim([ordered('older', 1)])).toMatchObject([{ outcome: 'stale' }]);
		});
	});
});

describe('a ledger of an older version', () => {
	it('is brought up to date, with all that is in it', async () => {
		file = join(folder, 'ledger.sqlite');
		for (const migration of ['0001_ledger.sql', '0002_undo.sql']) {
			tamper(readFileSync(join(SQLITE, 'migrations', migration), 'utf8'));
		}
		tamper(`
			PRAGMA application_id = 0x6964656d;
			PRAGMA user_version = 2;
			INSERT INTO namespace (name) VALUES ('n');
			INSERT INTO event (namespace_id, key, fingerprint, state, due_at, attempt, token, claimant, execution_id, outcome,
				claimed_at, lease_until, lease, retention, max_attempts, last_seen_at, created_at)
			VALUES (1, 'old', 'print', 'processing', 2, 1, 't', 'c', 'e', 'new', 1, 2, 1, 1, 5, 1, 1);
			INSERT INTO tally VALUES (1, '1970-01-01', 'new', 1);
		`);
		await withStore(async (store) => {
			expect((await store.check()).schemaVersion).toBe(SCHEMA_VERSION);
			await claimOnce(store, 'first');
			const alike = { fingerprint: 'print', findSameContent: true } as const;
			const replies = await store.claim([command('new', alike)]);
			expect(replies).toMatchObject([{ outcome: 'new', sameContentAs: 'old' }]);
			const events = await store.list({ order: 'created', limit: 10 });
			expect(events.map(({ key }) => key).sort()).toEqual(['first', 'new', 'old']);
			const { events: counts, tallies } = await store.stats({ days: 3660 });
			expect(counts.processing).toBe(3);
			expect(tallies).toMatchObject([{ kind: 'new', count: 2 }]);
		});
	});
});

describe('indexes', () => {
	it('serve every statement: the table of events is never read as a whole', async () => {
		const database = await openDatabase(file);
		const statements = readdirSync(join(SQLITE, 'statements'));
		expect(statements.length).toBeGreaterThan(30);
		for (const name of statements) {
			const sql = readFileSync(join(SQLITE, 'statements', name), 'utf8');
			const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
			const scans = plan.map(({ detail }) => detail as string).filter(isScanOfEvents);
			// The index of open events is what these are counted in.
			const allowed = name === 'countOpen.sql' ? ['SCAN event USING COVERING INDEX event_due'] : [];
			expect({ name, scans }).toEqual({ name, scans: allowed });
		}
		database.close();
	});

	it.each([
		['listByKey', 'sqlite_autoindex_event_1 (namespace_id=? AND key>? AND key<?)'],
		['listByFingerprint', 'event_fingerprint (namespace_id=? AND <expr>=?)'],
		['listByExecution', 'event_execution (execution_id=?)'],
		['findHeld', 'event_execution (execution_id=? AND rowid>?)'],
		['listByDue', 'event_due (state=? AND due_at>? AND due_at<?)'],
		['listByCreated', 'event_created (namespace_id=? AND created_at<?)'],
		['purgeEvents', 'event_expires (expires_at<?)'],
		['countDone', 'event_expires (expires_at<?)'],
		['findSameContent', 'event_fingerprint (namespace_id=? AND <expr>=?)'],
	])('%s uses %s', async (name, index) => {
		const database = await openDatabase(file);
		const sql = readFileSync(join(SQLITE, 'statements', `${name}.sql`), 'utf8');
		const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
		database.close();
		const details = plan.map(({ detail }) => (detail as string).replace('COVERING ', ''));
		expect(details).toContainEqual(expect.stringMatching(/^SEARCH (e|event) USING INDEX/));
		expect(details.some((detail) => detail.endsWith(`USING INDEX ${index}`))).toBe(true);
	});

	function isScanOfEvents(detail: string): boolean {
		return /^SCAN (e|event|record)\b/.test(detail);
	}
});
