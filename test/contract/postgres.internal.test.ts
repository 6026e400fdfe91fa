import { setTimeout as sleep } from 'node:timers/promises';

import { randomUUID } from 'node:crypto';

import { Pool } from 'pg';

import {
	LedgerMisconfiguredError,
	LedgerUnavailableError,
	SchemaTooNewError,
} from '../../ledger/errors';
import { migrate } from '../../ledger/stores/postgres/migrate';
import { ddl, SCHEMA_VERSION } from '../../ledger/stores/postgres/schema';
import type { Swap } from '../../ledger/stores/RecordStore';
import { freePort } from '../servers/ServerProcess';
import { headOf, insertion, readOne, swapOf } from './records/fixture';

import { everything } from './stores/everyStatement';
import { insertOnce, of, open, place, url, useSchema, withStore } from './stores/postgresSchema';

/** What the suite of all stores cannot see: migrations, rights, connections and locks. */

useSchema();

describe('migration', () => {
	it('is done once when eight open a fresh database at the same time', async () => {
		const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
		const key = randomUUID();
		const inserted = await Promise.all(stores.map((store) => insertOnce(store, key)));
		await Promise.all(stores.map((store) => store.close()));
		expect(inserted.filter(Boolean)).toHaveLength(1);
		const { rows } = await place.admin.query(`SELECT version FROM "${place.schema}".version`);
		expect(rows).toEqual([{ version: SCHEMA_VERSION }]);
	});

	it('refuses a schema that a newer version of the package made', async () => {
		await withStore({}, async () => {});
		await place.admin.query(
			`INSERT INTO "${place.schema}".version (version) VALUES (${SCHEMA_VERSION + 1})`,
		);
		await expect(withStore({}, insertOnce)).rejects.toThrow(SchemaTooNewError);
	});

	it('refuses a ledger that was never published, and says what to do', async () => {
		await place.admin
			.query(`CREATE SCHEMA "${place.schema}"; CREATE TABLE "${place.schema}".approval (id text);
			CREATE TABLE "${place.schema}".version (version integer); INSERT INTO "${place.schema}".version VALUES (7)`);
		await expect(withStore({}, insertOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('never published'),
			remedy: expect.stringContaining('another schema'),
		});
	});

	it('refuses an old server in words', async () => {
		const number = '120022';
		const client = { query: async () => ({ rows: [{ number, version: '12.22' }] }) };
		await expect(migrate(client as never, place.schema)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: 'This is Postgres 12.22; the ledger needs 13 or newer',
		});
	});

	it('leaves nothing behind when it fails midway', async () => {
		await place.admin.query(
			`CREATE SCHEMA "${place.schema}"; CREATE TABLE "${place.schema}".part (taken integer)`,
		);
		await expect(withStore({}, insertOnce)).rejects.toThrow(LedgerMisconfiguredError);
		const { rows } = await place.admin.query(
			'SELECT table_name FROM information_schema.tables WHERE table_schema = $1',
			[place.schema],
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
		await place.admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
	});
	afterAll(async () => {
		await place.admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
	});

	it('says in words that the role may not create the schema', async () => {
		await expect(withStore({ url: asRole.href }, insertOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('lacks a right'),
			remedy: expect.stringContaining('administrator'),
		});
	});

	it('needs no more than the printed DDL grants', async () => {
		await place.admin.query(ddl(place.schema, role));
		// As after an update.
		await place.admin.query(ddl(place.schema, role, SCHEMA_VERSION));
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
			await place.admin.query('BEGIN');
			await place.admin.query(`SELECT FROM "${place.schema}".event FOR UPDATE`);
			try {
				await expect(insertOnce(store, key)).rejects.toThrow(LedgerUnavailableError);
			} finally {
				await place.admin.query('ROLLBACK');
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
					await place.admin.query('BEGIN');
					await place.admin.query(
						`INSERT INTO "${place.schema}".event
							(namespace, key, revision, state, created_at, due_at, finds_same, duplicates, last_seen_at, body)
						VALUES ('n', $1, 7, 'processing', 1, 2, false, 0, 1, 'theirs')`,
						[keys[1]],
					);
					const inserting = store.insert(keys.map((key) => insertion(of, key)));
					await untilSomebodyWaits();
					await place.admin.query('COMMIT');
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
			const { rows } = await place.admin.query('SELECT FROM pg_locks WHERE NOT granted');
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
