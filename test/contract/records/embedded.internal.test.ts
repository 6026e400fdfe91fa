import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { NEVER, type RecordQuery, type RecordStore } from '../../../ledger/stores/RecordStore';
import { readStatement, type StatementName } from '../../../ledger/stores/sqlite/statements';
import {
	allPages,
	doneInsertion,
	headOf,
	insertion,
	insertOne,
	keysOf,
	readOne,
	swapOf,
	swapOne,
} from './fixture';
import { SqliteFile } from './sqliteFile';

/** How the embedded store does it: indexes that follow later, which index is used, and that nothing is left of what was removed. */

const SQLITE = resolve(__dirname, '../../../ledger/stores/sqlite');
const namespace = 'n';
const file = new SqliteFile();

const insertKey = async (store: RecordStore, key: string) => {
	await insertOne(store, insertion({ namespace }, key, { executionId: 'e' }));
};

describe('records that are not in all indexes', () => {
	/** The ids of those, and up to which id there are none. */
	function look(): { unindexed: number[]; upTo: number; newest: number } {
		const ids = file.query("SELECT id FROM record WHERE unindexed <> '' ORDER BY id");
		const [{ upTo, newest }] = file.query(
			'SELECT upTo, (SELECT max(id) FROM record) AS newest FROM indexed',
		);
		return {
			unindexed: ids.map(({ id }) => id as number),
			upTo: upTo as number,
			newest: newest as number,
		};
	}

	/** The first insertion of a process indexes what others left. */
	const withUnindexed = async (action: (store: RecordStore) => Promise<void>) =>
		await file.withStore(async (store) => {
			await insertKey(store, 'first');
			await insertKey(store, 'unindexed');
			expect(look()).toEqual({ unindexed: [2], upTo: 1, newest: 2 });
			await action(store);
		});

	const batch = ['x', 'y'].map((key) => insertion({ namespace }, key));

	it.each<[string, (store: RecordStore) => Promise<unknown>]>([
		['a list', (store) => store.list({ order: 'created', limit: 1 })],
		['statistics', (store) => store.stats({ days: 1 })],
		['a check', (store) => store.check()],
		['a batch', (store) => store.insert(batch)],
		['a duplicate', (store) => insertKey(store, 'unindexed')],
		['a removal', (store) => store.remove([{ namespace, key: 'nobody' }])],
		['a purge', (store) => store.purge(1)],
	])('are indexed by %s', async (_, act) => {
		await withUnindexed(async (store) => {
			await act(store);
			const { unindexed, upTo, newest } = look();
			expect({ unindexed, upTo }).toEqual({ unindexed: [], upTo: newest });
		});
	});

	it('stay so while they are read and swapped', async () => {
		await withUnindexed(async (store) => {
			const record = await readOne(store, { namespace, key: 'unindexed' });
			expect(record).toMatchObject({ state: 'processing', duplicates: 0 });
			const head = { ...headOf(record), state: 'failed', dueAt: 5, executionId: 'e2' } as const;
			await swapOne(store, swapOf(record, { head }));
			await insertKey(store, 'another');
			expect(look()).toEqual({ unindexed: [2, 3], upTo: 1, newest: 3 });
			const page = { namespace, limit: 10 };
			expect(await keysOf(store, { ...page, order: 'due', state: 'failed' })).toEqual([
				'unindexed',
			]);
			expect(await keysOf(store, { ...page, order: 'key', executionId: 'e' })).toEqual([
				'another',
				'first',
			]);
			expect((await store.stats({ days: 1 })).events).toMatchObject({ failed: 1, processing: 2 });
		});
	});

	it('are those of other processes too', async () => {
		await withUnindexed(async () => {});
		await file.withStore(async (store) => {
			await insertKey(store, 'of another process');
			await insertKey(store, 'unindexed again');
			const ofExecution = { order: 'key', executionId: 'e', limit: 10 } as const;
			expect(await keysOf(store, ofExecution)).toHaveLength(4);
		});
	});

	it('are counted once, on the day of their creation', async () => {
		const DAY = 24 * 60 * 60 * 1000;
		await withUnindexed(async (store) => {
			file.tamper(`UPDATE record SET createdAt = createdAt - ${DAY} WHERE unindexed <> ''`);
			await insertKey(store, 'today');
			for (const time of ['first', 'second']) {
				const { tallies } = await store.stats({ days: 2 });
				const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
				const count = (ago: number, n: number) => ({ day: day(ago), kind: 'new', count: n });
				const expected = [count(1, 1), count(0, 2)];
				expect({ time, tallies }).toMatchObject({ time, tallies: expected });
			}
		});
	});

	it('are never many, however long nothing but single insertions comes', async () => {
		await file.withStore(async (store) => {
			let most = 0;
			for (let i = 0; i < 250; i++) {
				await insertKey(store, `key ${i}`);
				most = Math.max(most, look().unindexed.length);
			}
			expect(most).toBe(200);
			expect(await keysOf(store, { order: 'key', limit: 1000 })).toHaveLength(250);
		});
	});

	it('are found when SQLite gives them the id of one that was removed', async () => {
		await withUnindexed(async (store) => {
			expect(await store.remove([{ namespace, key: 'unindexed' }])).toEqual([true]);
			expect(look()).toEqual({ unindexed: [], upTo: 1, newest: 1 });
			await insertKey(store, 'successor');
			expect(look()).toEqual({ unindexed: [2], upTo: 1, newest: 2 });
			const keys = await keysOf(store, { order: 'key', limit: 10 });
			expect(keys).toEqual(['first', 'successor']);
		});
	});
});

describe('indexes', () => {
	/** What SQLite would do. */
	function planOf(name: StatementName): string[] {
		const database = new DatabaseSync(':memory:');
		database.exec(readFileSync(resolve(SQLITE, 'migrations/0001_ledger.sql'), 'utf8'));
		const plan = database.prepare(`EXPLAIN QUERY PLAN ${readStatement(name)}`).all();
		database.close();
		return plan.map(({ detail }) => detail as string);
	}

	const names = readdirSync(resolve(SQLITE, 'statements'))
		.map((name) => name.replace('.sql', ''))
		.filter((name) => name !== 'listFilters') as StatementName[];

	it.each(names)('serve %s: no table of records is read as a whole', (name) => {
		expect(
			planOf(name).filter((step) => /^SCAN (record|part|mark|entry|tally)\b/.test(step)),
		).toEqual([]);
	});

	it.each<[StatementName, string]>([
		['findRecord', 'INDEX sqlite_autoindex_record_1 (namespaceId=? AND key=?)'],
		['findHead', 'INDEX sqlite_autoindex_record_1 (namespaceId=? AND key=?)'],
		['findByAlias', 'INDEX recordAlias (namespaceId=? AND alias=?)'],
		['findSameContent', 'INDEX recordContent (namespaceId=? AND <expr>=? AND rowid<?)'],
		['listByKey', 'INDEX sqlite_autoindex_record_1 (namespaceId=? AND key>? AND key<?)'],
		[
			'listByKeyPart',
			'COVERING INDEX sqlite_autoindex_record_1 (namespaceId=? AND key>? AND key<?)',
		],
		['listByExecution', 'INDEX recordExecution (executionId=? AND namespaceId=? AND key>?)'],
		['listByFingerprint', 'INDEX recordContent (namespaceId=? AND <expr>=?)'],
		['listByExternalId', 'COVERING INDEX recordExternalId (externalId=?)'],
		['listByExternalId', 'INDEX partExternalId (externalId=?)'],
		['listByDue', 'INDEX recordDue (namespaceId=? AND state=? AND dueAt>? AND dueAt<?)'],
		['listNeverDue', 'INDEX recordNeverDue (namespaceId=? AND state=? AND key>?)'],
		['listByCreated', 'INDEX recordCreated (namespaceId=? AND createdAt<?)'],
		['countOpen', 'COVERING INDEX recordDue (namespaceId=?)'],
		['purgeRecords', 'COVERING INDEX recordExpires (expiresAt<?)'],
	])('%s uses %s', (name, index) => {
		expect(planOf(name).some((step) => step.endsWith(`USING ${index}`))).toBe(true);
	});

	it.each<StatementName>(['listByKey', 'listByExecution', 'listNeverDue'])(
		'%s sorts nothing',
		(name) => {
			expect(planOf(name).filter((step) => step.includes('ORDER BY'))).toEqual([]);
		},
	);

	it.each<StatementName>(['listByDue', 'listByCreated'])(
		'%s sorts only what is of one time',
		(name) => {
			const sorts = planOf(name).filter((step) => step.includes('ORDER BY'));
			expect(sorts).toEqual(['USE TEMP B-TREE FOR LAST TERM OF ORDER BY']);
		},
	);
});

it('lists what is never due after all else, by namespace and key', async () => {
	await file.withStore(async (store) => {
		for (const of of ['b', 'a']) {
			await store.insert(['z', 'y', 'x', 'w'].map((key) => insertion({ namespace: of }, key)));
			for (const key of ['z', 'x', 'w']) {
				const record = await readOne(store, { namespace: of, key });
				await swapOne(store, swapOf(record, { head: { ...headOf(record), dueAt: NEVER } }));
			}
		}
		const due = { order: 'due', state: 'processing' } as const;
		for (const limit of [1, 2, 3, 100]) {
			const records = await allPages(store, { ...due, limit });
			const addresses = records.map((record) => `${record.namespace}${record.key}`);
			expect(addresses.slice(0, 2).sort()).toEqual(['ay', 'by']);
			expect(addresses.slice(2)).toEqual(['aw', 'ax', 'az', 'bw', 'bx', 'bz']);
		}
		const soon: RecordQuery = { ...due, limit: 100, dueBefore: NEVER - 1 };
		expect((await store.list(soon)).records).toHaveLength(2);
	});
});

it('leaves nothing of what was removed in the file, wherever SQLite moved it before', async () => {
	await file.withStore(async (store) => {
		const keys = Array.from({ length: 4000 }, () => randomBytes(12).toString('hex'));
		const gone = keys.filter((_, i) => i % 5 === 0);
		const text = (key: string, times: number) => `${key} `.repeat(times);
		const size = (key: string, most: number) => 1 + (parseInt(key.slice(0, 6), 16) % most);
		for (let at = 0; at < keys.length; at += 500) {
			const part = keys.slice(at, at + 500);
			await store.insert(
				part.map((key) =>
					insertion({ namespace }, key, {
						executionId: key,
						fingerprint: key,
						externalId: key,
						alias: key,
						body: text(key, 10),
						input: text(key, size(key, 300)),
					}),
				),
			);
		}
		for (let round = 0; round < 3; round++) {
			const order = [...keys].sort((a, b) => (a.slice(round) < b.slice(round) ? -1 : 1));
			for (let at = 0; at < keys.length; at += 500) {
				const wanted = order.slice(at, at + 500).map((key) => ({ namespace, key }));
				const { records } = await store.read(wanted);
				await store.swap(
					records.map((record) => {
						const { key } = record!;
						const name = `part ${round % 2}`;
						return swapOf(record!, {
							body: text(key, 12 + round),
							...(round === 2 && { input: null, result: text(key, size(key, 100)) }),
							parts: [{ name, text: text(key, round * 10 + size(key, 30)), externalId: key }],
							append: JSON.stringify({ text: text(key, 8) }),
							rotate: round === 2,
						});
					}),
				);
			}
		}
		for (const key of keys.slice(0, 10)) {
			const other = doneInsertion({ namespace }, `${key} single`, { body: text(key, 5) });
			await insertOne(store, other);
			gone.push(other.key);
		}
		const bytesOf = (path: string) => (existsSync(path) ? readFileSync(path, 'latin1') : '');
		expect(bytesOf(file.path) + bytesOf(`${file.path}-wal`)).toContain(gone[0]);
		const marks = gone.map((key) => ({ namespace, object: key, version: 1, retentionMs: 1e6 }));
		for (let at = 0; at < gone.length; at += 500) await store.raiseMarks(marks.slice(at, at + 500));
		for (let at = 0; at < gone.length; at += 500) {
			const removals = gone.slice(at, at + 500).map((key) => ({
				namespace,
				key,
				mark: { object: key, version: 1 },
			}));
			expect(await store.remove(removals)).toEqual(removals.map(() => true));
		}
		const files = ['', '-wal', '-shm'].map((suffix) => bytesOf(file.path + suffix));
		const kept = keys.filter((key) => !gone.includes(key));
		expect(files.join('')).toContain(kept[0]);
		expect(gone.filter((key) => files.some((bytes) => bytes.includes(key)))).toEqual([]);
	});
});
