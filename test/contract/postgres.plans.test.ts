import { setTimeout as sleep } from 'node:timers/promises';

import { randomUUID } from 'node:crypto';

import { Client } from 'pg';

import { LedgerMisconfiguredError } from '../../ledger/errors';
import { type PostgresStore } from '../../ledger/stores/postgres/PostgresStore';
import type { Insertion } from '../../ledger/stores/RecordStore';
import { startPgBouncer } from '../servers/pgbouncer';
import { doneInsertion, HOUR_MS, insertion, readOne, swapOf } from './records/fixture';

import { everything } from './stores/everyStatement';
import { insertOnce, of, place, url, useSchema, withStore } from './stores/postgresSchema';

/** PgBouncer, and which index is used. */

useSchema();

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
				await place.admin.query(`ALTER TABLE "${place.schema}".event RENAME TO hidden`);
				await expect(insertOnce(store)).rejects.toThrow(LedgerMisconfiguredError);
				await place.admin.query(`ALTER TABLE "${place.schema}".hidden RENAME TO event`);
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
					await place.admin.query('VACUUM ANALYZE');
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
		await place.admin.query(
			`INSERT INTO ${place.schema}.part (event_id, name, text, external_id, namespace, key)
				SELECT id, 'another', 'text', 'part ' || key, namespace, key FROM ${place.schema}.event;
			INSERT INTO ${place.schema}.mark (namespace, object, version, expires_at)
				SELECT 'n', 'object ' || id, 1, ${Date.now() + HOUR_MS} FROM ${place.schema}.event;
			INSERT INTO ${place.schema}.entry (name, text) SELECT 'entry ' || id, '' FROM ${place.schema}.event`,
		);
	}

	/** Of the tables that grow, as far as it was told: a connection tells at the latest when it ends. */
	async function reads(): Promise<{ scans: number; read: number }> {
		for (let last = -1; ; ) {
			const { rows } = await place.admin.query<{ scans: string; read: string }>(
				`SELECT sum(seq_scan) AS scans, sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_user_tables
				WHERE schemaname = $1 AND relname IN ('event', 'part', 'mark', 'entry')`,
				[place.schema],
			);
			const read = Number(rows[0].read);
			if (read === last) return { scans: Number(rows[0].scans), read };
			last = read;
			await sleep(1500);
		}
	}
});
