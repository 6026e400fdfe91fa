import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, Pool } from 'pg';

import {
	LedgerMisconfiguredError,
	LedgerUnavailableError,
	SchemaTooNewError,
} from '../../ledger/errors';
import { migrate } from '../../ledger/stores/postgres/migrate';
import { openPostgresStore, type PostgresStore } from '../../ledger/stores/postgres/PostgresStore';
import { ddl, SCHEMA_VERSION } from '../../ledger/stores/postgres/schema';
import type { Insertion, Swap } from '../../ledger/stores/RecordStore';
import { startPgBouncer } from '../servers/pgbouncer';
import { freePort } from '../servers/ServerProcess';
import { doneInsertion, headOf, HOUR_MS, insertion, readOne, swapOf } from './records/fixture';

/** What the suite of all stores cannot see: migrations, rights, PgBouncer, and which index is used. */

const url = process.env.TEST_POSTGRES_URL!;
const of = { namespace: 'n' };

let admin: Client;
let schema: string;

beforeAll(async () => {
	admin = new Client({ connectionString: url });
	await admin.connect();
});
afterAll(async () => await admin.end());

beforeEach(() => {
	schema = `internal_${randomUUID().replaceAll('-', '_')}`;
});
afterEach(async () => {
	await admin.query(`SET client_min_messages = error; DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
});

type Settings = Partial<Parameters<typeof openPostgresStore>[0]>;

const open = async (settings: Settings = {}) =>
	await openPostgresStore({ store: 'postgres', url, schema, ...settings });

async function withStore<T>(
	settings: Settings,
	action: (store: PostgresStore) => Promise<T>,
): Promise<T> {
	const store = await open(settings);
	try {
		return await action(store);
	} finally {
		await store.close();
	}
}

async function insertOnce(store: PostgresStore, key: string = randomUUID()): Promise<boolean> {
	const { replies } = await store.insert([insertion(of, key)]);
	return replies[0].inserted;
}

describe('migration', () => {
	it('is done once when eight open a fresh database at the same time', async () => {
		const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
		const key = randomUUID();
		const inserted = await Promise.all(stores.map((store) => insertOnce(store, key)));
		await Promise.all(stores.map((store) => store.close()));
		expect(inserted.filter(Boolean)).toHaveLength(1);
		const { rows } = await admin.query(`SELECT version FROM "${schema}".version`);
		expect(rows).toEqual([{ version: SCHEMA_VERSION }]);
	});

	it('refuses a schema that a newer version of the package made', async () => {
		await withStore({}, async () => {});
		await admin.query(`INSERT INTO "${schema}".version (version) VALUES (${SCHEMA_VERSION + 1})`);
		await expect(withStore({}, insertOnce)).rejects.toThrow(SchemaTooNewError);
	});

	it('refuses a ledger that was never published, and says what to do', async () => {
		await admin.query(`CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".approval (id text);
			CREATE TABLE "${schema}".version (version integer); INSERT INTO "${schema}".version VALUES (7)`);
		await expect(withStore({}, insertOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('never published'),
			remedy: expect.stringContaining('another schema'),
		});
	});

	it('refuses an old server in words', async () => {
		const number = '120022';
		const client = { query: async () => ({ rows: [{ number, version: '12.22' }] }) };
		await expect(migrate(client as never, schema)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: 'This is Postgres 12.22; the ledger needs 13 or newer',
		});
	});

	it('leaves nothing behind when it fails midway', async () => {
		await admin.query(`CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".part (taken integer)`);
		await expect(withStore({}, insertOnce)).rejects.toThrow(LedgerMisconfiguredError);
		const { rows } = await admin.query(
			'SELECT table_name FROM information_schema.tables WHERE table_schema = $1',
			[schema],
		);
		expect(rows).toEqual([{ table_name: 'part' }]);
	});

	it('refuses names of schemas that would need care everywhere else', async () => {
		for (const name of ['Upper', 'a-b', 'a"; DROP TABLE x; --', '1a', 'x'.repeat(64)]) {
			await expect(withStore({ schema: name }, insertOnce)).rejects.toThrow(/schema/);
		}
	});
});

describe('rights', () => {
	const role = `ledger_${randomUUID().slice(0, 8)}`;
	const asRole = new URL(url);
	asRole.username = role;
	asRole.password = 'secret';

	beforeAll(async () => {
		await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
	});
	afterAll(async () => {
		await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
	});

	it('says in words that the role may not create the schema', async () => {
		await expect(withStore({ url: asRole.href }, insertOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('lacks a right'),
			remedy: expect.stringContaining('administrator'),
		});
	});

	it('needs no more than the printed DDL grants', async () => {
		await admin.query(ddl(schema, role));
		// As after an update.
		await admin.query(ddl(schema, role, SCHEMA_VERSION));
		await withStore({ url: asRole.href }, async (store) => {
			await everything(store, 'k');
			expect(await store.check()).toMatchObject({ findings: [] });
		});
	});
});

describe('connecting', () => {
	const broken = (change: (target: URL) => void) => {
		const target = new URL(url);
		change(target);
		return withStore({ url: target.href, patienceMs: 200 }, insertOnce);
	};

	it('says what is wrong: refused', async () => {
		const port = String(await freePort());
		await expect(broken((target) => (target.port = port))).rejects.toMatchObject({
			name: 'LedgerUnavailableError',
			message: expect.stringContaining('Nothing accepts connections'),
		});
	});

	it('says what is wrong: password', async () => {
		await expect(broken((target) => (target.password = 'wrong'))).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: 'Postgres refused the user name or password',
		});
	});

	it('says what is wrong: database', async () => {
		await expect(broken((target) => (target.pathname = '/nowhere'))).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('The database does not exist'),
		});
	});

	it('says what is wrong: TLS that the server does not offer', async () => {
		await expect(open({ tls: {}, patienceMs: 200 })).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: 'The server does not offer TLS',
		});
	});

	it("keeps the user's own options of the URL, and says that the server takes no writes", async () => {
		await withStore({}, insertOnce);
		const target = new URL(url);
		target.searchParams.set('options', '-c default_transaction_read_only=on');
		await withStore({ url: target.href }, async (store) => {
			const { findings } = await store.check();
			expect(findings).toMatchObject([
				{ severity: 'error', message: expect.stringContaining('no writes') },
			]);
		});
	});

	it('gives up in time when a lock is held, and changes nothing', async () => {
		await withStore({ patienceMs: 100 }, async (store) => {
			const key = randomUUID();
			await insertOnce(store, key);
			await admin.query('BEGIN');
			await admin.query(`SELECT FROM "${schema}".event FOR UPDATE`);
			try {
				await expect(insertOnce(store, key)).rejects.toThrow(LedgerUnavailableError);
			} finally {
				await admin.query('ROLLBACK');
			}
			expect(await readOne(store, { ...of, key })).toMatchObject({ duplicates: 0 });
		});
	});
});

describe('a lost answer', () => {
	it('is asked for again, and what was written before is found', async () => {
		await withStore({}, async (store) => {
			const item = insertion(of, 'k', { body: 'the mark of this call' });
			const { replies } = await losingOneAnswer(() => store.insert([item]));
			expect(replies).toMatchObject([{ inserted: false, met: { body: item.body, duplicates: 1 } }]);

			const record = await readOne(store, { ...of, key: 'k' });
			const swap = swapOf(record, { body: 'the mark of another call', append: '{}' });
			const swapped = await losingOneAnswer(() => store.swap([swap]));
			expect(swapped.replies).toEqual([undefined]);
			const { revision } = record;
			expect(await readOne(store, { ...of, key: 'k' })).toMatchObject({
				revision: revision + 1,
				body: 'the mark of another call',
				history: '{}',
			});
		});
	});

	/** The statement is carried out, and then the connection breaks before the driver has read that it was. */
	async function losingOneAnswer<T>(action: () => Promise<T>): Promise<T> {
		const query = jest.spyOn(Pool.prototype, 'query').mockImplementationOnce(async function (
			this: Pool,
			...call: Parameters<Pool['query']>
		) {
			await this.query(...call);
			throw new Error('Connection terminated unexpectedly');
		} as never);
		try {
			return await action();
		} finally {
			query.mockRestore();
		}
	}
});

describe('a record that another transaction inserts at the same time', () => {
	const isolated = (level: string) => {
		const target = new URL(url);
		target.searchParams.set('options', `-c default_transaction_isolation=${level}`);
		return target.href;
	};

	it.each(['read\\ committed', 'repeatable\\ read', 'serializable'])(
		'is waited for and met, and the others of the batch are new (%s)',
		async (level) => {
			await withStore({ url: isolated(level) }, async (store) => {
				for (const size of [3, 30]) {
					const keys = Array.from({ length: size }, (_, i) => `${size} ${(i * 7) % size}`);
					await admin.query('BEGIN');
					await admin.query(
						`INSERT INTO "${schema}".event
							(namespace, key, revision, state, created_at, due_at, finds_same, duplicates, last_seen_at, body)
						VALUES ('n', $1, 7, 'processing', 1, 2, false, 0, 1, 'theirs')`,
						[keys[1]],
					);
					const inserting = store.insert(keys.map((key) => insertion(of, key)));
					await untilSomebodyWaits();
					await admin.query('COMMIT');
					const { replies } = await inserting;
					expect(replies[1]).toMatchObject({
						inserted: false,
						met: { body: 'theirs', revision: 7 },
					});
					expect(replies.filter(({ inserted }) => inserted)).toHaveLength(size - 1);
				}
			});
		},
	);

	async function untilSomebodyWaits(): Promise<void> {
		for (;;) {
			const { rows } = await admin.query('SELECT FROM pg_locks WHERE NOT granted');
			if (rows.length > 0) return;
			await sleep(10);
		}
	}
});

describe('batches over the same keys', () => {
	const ROUNDS = 20;
	const KEYS = 300;

	it.each([
		['all new', KEYS],
		['some old', KEYS / 2],
	])('wait for each other and never in a circle (%s)', async (kind, expected) => {
		// Without patience a deadlock, which Postgres ends after a second, is not tried again.
		await withStore({ patienceMs: 0 }, async (store) => {
			// In the first of the rounds the connections are made, and the batches come one after the other.
			for (let round = 0; round < ROUNDS; round++) {
				const items = Array.from({ length: KEYS }, (_, i) => insertion(of, `${round}/${i}`));
				if (kind === 'some old') await store.insert(items.slice(0, KEYS / 2));
				const reversed = [...items].reverse();
				const results = await Promise.all(
					[items, reversed, items, reversed].map((list) => store.insert(list)),
				);
				const replies = results.flatMap((result) => result.replies);
				expect(replies.filter(({ inserted }) => inserted)).toHaveLength(expected);
			}
		});
	});
});

describe('an alias', () => {
	it('is in the way of another key, also in a batch and at the same time', async () => {
		await withStore({}, async (store) => {
			const alias = 'order 1';
			const items = ['a', 'b', 'c'].map((key) => insertion(of, key, { alias }));
			const results = await Promise.all(items.map((item) => store.insert([item])));
			const [winner] = results.flatMap(({ replies }, i) =>
				replies[0].inserted ? [items[i].key] : [],
			);
			for (const { replies } of results) {
				if (!replies[0].inserted) expect(replies[0].met).toMatchObject({ key: winner, alias });
			}
			const batch = ['d', 'e', winner].map((key) =>
				insertion(of, key, key === 'd' ? {} : { alias }),
			);
			const { replies } = await store.insert(batch);
			expect(replies[0]).toEqual({ inserted: true });
			expect(replies[1]).toMatchObject({ met: { key: winner } });
			expect(replies[2]).toMatchObject({ met: { key: winner } });
			expect(await readOne(store, { ...of, key: winner })).toMatchObject({ duplicates: 4 });
		});
	});

	it('that another record has stays there when a swap asks for it', async () => {
		await withStore({}, async (store) => {
			await store.insert([
				insertion(of, 'a', { alias: 'taken' }),
				insertion(of, 'b'),
				insertion(of, 'c'),
			]);
			const swapTo = async (key: string, alias: string): Promise<Swap> => {
				const record = await readOne(store, { ...of, key });
				return swapOf(record, { head: { ...headOf(record), alias } });
			};
			const swaps = [await swapTo('b', 'taken'), await swapTo('c', 'free')];
			expect((await store.swap(swaps)).replies).toEqual([expect.anything(), expect.anything()]);
			expect(await readOne(store, { ...of, key: 'b' })).not.toHaveProperty('alias');
			expect(await readOne(store, { ...of, key: 'c' })).toMatchObject({ alias: 'free' });

			const both = [await swapTo('b', 'twice'), await swapTo('c', 'twice')];
			expect((await store.swap(both)).replies).toEqual([expect.anything(), expect.anything()]);
			expect(await readOne(store, { ...of, key: 'b' })).toMatchObject({ alias: 'twice' });
			expect(await readOne(store, { ...of, key: 'c' })).toMatchObject({ alias: 'free' });
		});
	});
});

describe('PgBouncer in transaction mode', () => {
	it('changes nothing', async () => {
		const bouncer = await startPgBouncer(url);
		try {
			await withStore({ url: bouncer.url }, async (store) => {
				const keys = Array.from({ length: 200 }, () => randomUUID());
				await Promise.all(
					keys.map(async (key) => {
						expect(await insertOnce(store, key)).toBe(true);
						const record = await readOne(store, { ...of, key });
						await store.swap([swapOf(record, { result: key })]);
					}),
				);
				const { replies } = await store.insert(keys.map((key) => insertion(of, key)));
				expect(replies.map((reply) => !reply.inserted && reply.met.result)).toEqual(keys);
				await everything(store, 'k');
			});
		} finally {
			await bouncer.stop();
		}
	});

	it('lends the connections of one ledger to another, and what they have prepared with it', async () => {
		const bouncer = await startPgBouncer(url);
		try {
			const through = { url: bouncer.url };
			await withStore(through, async (one) => {
				await withStore(through, async (other) => {
					for (let i = 0; i < 5; i++) {
						expect(await insertOnce(one)).toBe(true);
						expect(await insertOnce(other)).toBe(true);
					}
				});
			});
		} finally {
			await bouncer.stop();
		}
	});

	it('leaves no setting behind for others, and a statement that fails leaves no transaction', async () => {
		const bouncer = await startPgBouncer(url);
		const other = new Client({ connectionString: bouncer.url });
		await other.connect();
		try {
			await withStore({ url: bouncer.url, poolSize: 1 }, async (store) => {
				await insertOnce(store);
				await admin.query(`ALTER TABLE "${schema}".event RENAME TO hidden`);
				await expect(insertOnce(store)).rejects.toThrow(LedgerMisconfiguredError);
				await admin.query(`ALTER TABLE "${schema}".hidden RENAME TO event`);
				expect(await insertOnce(store)).toBe(true);
				const { rows } = await other.query("SELECT current_setting('enable_seqscan') AS on");
				expect(rows).toEqual([{ on: 'on' }]);
			});
		} finally {
			await other.end();
			await bouncer.stop();
		}
	});
});

describe('indexes', () => {
	const MANY = 50_000;
	const FEW = 1000;

	it.each([
		['directly', 0],
		['directly, when the first record is all that Postgres has looked at', 1],
		['behind PgBouncer', 10],
	])(
		'serve every operation, also with plans that were made when the ledger was nearly empty (%s)',
		async (way, early) => {
			const bouncer = way.includes('PgBouncer') ? await startPgBouncer(url) : undefined;
			try {
				const settings = { url: bouncer?.url ?? url };
				let before = { scans: 0, read: 0 };
				await withStore({ ...settings, poolSize: 1 }, async (store) => {
					for (let i = 0; i < early; i++) await store.insert([insertion(of, `first ${i}`)]);
					// Of a table that Postgres has looked at and found to be small, it makes other plans than of one that it does not know.
					await admin.query('VACUUM ANALYZE');
					for (let i = 0; i < 10; i++) await everything(store, `early ${i}`);
					await withStore({}, fillIn);
					// A connection tells what it has read when a second has passed since it did last, and it is used again.
					await sleep(1100);
					await store.check();
					before = await reads();
					await everything(store, 'late');
				});
				const between = await reads();
				expect(between.read - before.read).toBeLessThan(FEW);
				expect(between.scans - before.scans).toBe(0);
				// Who comes now makes plans of its own, before Postgres has found out what is in the table.
				await withStore(settings, (store) => everything(store, 'later'));
				const after = await reads();
				expect(after.read - between.read).toBeLessThan(FEW);
				expect(after.scans - between.scans).toBe(0);
			} finally {
				await bouncer?.stop();
			}
		},
	);

	/** In small batches: what is made at the same time is read together. */
	async function fillIn(store: PostgresStore): Promise<void> {
		for (let first = 0; first < MANY; first += 50) {
			const items = Array.from({ length: 50 }, (_, i): Insertion => {
				const key = `key ${first + i}`;
				const fields = {
					fingerprint: `print ${key}`,
					externalId: `id ${key}`,
					executionId: `run ${key}`,
				};
				return doneInsertion({ namespace: i % 2 ? 'n' : 'm' }, key, {
					...fields,
					count: 'imported',
				});
			});
			await store.insert(items);
		}
		await admin.query(
			`INSERT INTO ${schema}.part (event_id, name, text, external_id, namespace, key)
				SELECT id, 'another', 'text', 'part ' || key, namespace, key FROM ${schema}.event;
			INSERT INTO ${schema}.mark (namespace, object, version, expires_at)
				SELECT 'n', 'object ' || id, 1, ${Date.now() + HOUR_MS} FROM ${schema}.event;
			INSERT INTO ${schema}.entry (name, text) SELECT 'entry ' || id, '' FROM ${schema}.event`,
		);
	}

	/** Of the tables that grow, as far as it was told: a connection tells at the latest when it ends. */
	async function reads(): Promise<{ scans: number; read: number }> {
		for (let last = -1; ; ) {
			const { rows } = await admin.query<{ scans: string; read: string }>(
				`SELECT sum(seq_scan) AS scans, sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_user_tables
				WHERE schemaname = $1 AND relname IN ('event', 'part', 'mark', 'entry')`,
				[schema],
			);
			const read = Number(rows[0].read);
			if (read === last) return { scans: Number(rows[0].scans), read };
			last = read;
			await sleep(1500);
		}
	}
});

/** Every statement, in its variants. */
async function everything(store: PostgresStore, name: string): Promise<void> {
	const fields = {
		executionId: `run ${name}`,
		fingerprint: `print of ${name}`,
		findSameContent: true,
	} as const;
	const keys = Array.from({ length: 12 }, (_, i) => `${name} ${i}`);
	const items = keys.map((key) => insertion(of, key, { ...fields, externalId: `id of ${key}` }));
	await store.insert([items[0]]);
	await store.insert([insertion(of, `${name} alias`, { alias: name })]);
	await store.insert([insertion(of, `${name} other`, { alias: name })]);
	await store.insert(items.slice(0, 3));
	await store.insert(items.map((item) => ({ ...item, key: `${item.key} of a batch` })));
	await store.insert(items);
	await store.insert(items.map((item) => ({ ...item, isDelivery: undefined })));
	await swapInAllWays(store, keys);
	for (const filter of [
		{ order: 'key' },
		{ order: 'key', namespace: 'n' },
		{ order: 'key', namespace: 'n', keyPrefix: 'key 19' },
		{ order: 'key', namespace: 'n', keyPart: 'key' },
		{ order: 'key', namespace: 'n', fingerprint: 'print key 7' },
		{ order: 'key', executionId: fields.executionId, state: 'processing' },
		{ order: 'key', externalId: 'part key 7' },
		{ order: 'due', state: 'processing' },
		{ order: 'due', state: 'review', dueBefore: Date.now() },
		{ order: 'created' },
		{ order: 'created', namespace: 'n', createdBefore: Date.now() + 1000 },
	] as const) {
		const { records } = await store.list({ ...filter, limit: 3 });
		const last = records.at(-1);
		if (!last) continue;
		const time = filter.order === 'due' ? last.dueAt! : last.createdAt;
		const after = { time, namespace: last.namespace, key: last.key };
		await store.list({ ...filter, limit: 3, after });
	}
	const mark = { ...of, object: name, version: 1, retentionMs: HOUR_MS };
	await store.raiseMarks([mark]);
	await store.raiseMarks([mark, { ...mark, version: 0 }, { ...mark, object: `${name} too` }]);
	await store.putEntry({ name, text: name, expiresAfterMs: 1, onlyIfMissing: true });
	await store.readEntries(`${name}/`);
	await store.stats({ days: 1 });
	await store.stats({ namespace: 'n', days: 1 });
	await store.insert([doneInsertion(of, `${name} expired`, { expiresAfterMs: 0 })]);
	await store.insert([insertion(of, `${name} expired`)]);
	await store.remove([{ ...of, key: `${name} expired`, onlyIfExpired: true, mark }]);
	await store.remove(keys.map((key) => ({ ...of, key })));
	await store.purge(10);
}

async function swapInAllWays(store: PostgresStore, keys: string[]): Promise<void> {
	const part = { name: 'step', text: 'text', externalId: keys[0] };
	const count = { kind: 'kind', n: 1 };
	for (const change of [
		{},
		{ parts: [part], counts: [count] },
		{ parts: [part, { name: 'gate', text: 'text' }], counts: [count, { kind: 'another', n: 2 }] },
	]) {
		const wanted = keys.map((key) => ({ ...of, key }));
		const first = await readOne(store, wanted[0], { parts: ['step'], values: true, history: true });
		await store.swap([swapOf(first, { ...change, append: '{}' })]);
		const { records } = await store.read(wanted.map((item) => ({ ...item, parts: 'all' })));
		await store.swap(
			records.map((record, i) =>
				swapOf(record!, { ...change, head: { ...headOf(record!), alias: `alias ${keys[i]}` } }),
			),
		);
	}
}
