import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, Pool } from 'pg';

import {
	LedgerMisconfiguredError,
	LedgerUnavailableError,
	SchemaTooNewError,
} from '../../ledger/errors';
import type { Ledger } from '../../ledger/Ledger';
import { openLedger } from '../../ledger/open';
import { ddl, SCHEMA_VERSION } from '../../ledger/postgres/sql';
import { startPgBouncer } from '../servers/pgbouncer';
import { freePort } from '../servers/ServerProcess';

/** What the conformance suite cannot see: migrations, rights, PgBouncer, and which index is used. */

const url = process.env.TEST_POSTGRES_URL!;
const claimant = { executionId: 'execution', nodeId: 'node', runIndex: 0, itemIndex: 0 };

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

async function withLedger<T>(
	settings: { url?: string; schema?: string; patienceMs?: number },
	action: (ledger: Ledger) => Promise<T>,
): Promise<T> {
	const ledger = await openLedger({ store: 'postgres', url, schema, ...settings });
	try {
		return await action(ledger);
	} finally {
		await ledger.close();
	}
}

async function claimOnce(ledger: Ledger, key = randomUUID()): Promise<string> {
	const [result] = await ledger.claimEvents([{ namespace: 'n', key, claimant }]);
	return result.outcome;
}

describe('migration', () => {
	it('is done once when eight open a fresh database at the same time', async () => {
		const ledgers = await Promise.all(
			Array.from({ length: 8 }, () => openLedger({ store: 'postgres', url, schema })),
		);
		const key = randomUUID();
		const outcomes = await Promise.all(
			ledgers.map(async (ledger, itemIndex) => {
				const [result] = await ledger.claimEvents([
					{ namespace: 'n', key, claimant: { ...claimant, itemIndex } },
				]);
				return result.outcome;
			}),
		);
		await Promise.all(ledgers.map((ledger) => ledger.close()));
		expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(1);
		const { rows } = await admin.query(`SELECT version FROM "${schema}".version`);
		expect(rows).toEqual([{ version: SCHEMA_VERSION }]);
	});

	it('refuses a schema that a newer version of the package made', async () => {
		await withLedger({}, async () => {});
		await admin.query(`INSERT INTO "${schema}".version (version) VALUES (${SCHEMA_VERSION + 1})`);
		await expect(withLedger({}, claimOnce)).rejects.toThrow(SchemaTooNewError);
	});

	it('leaves nothing behind when it fails midway', async () => {
		await admin.query(`CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".step (taken integer)`);
		await expect(withLedger({}, claimOnce)).rejects.toThrow(LedgerMisconfiguredError);
		const { rows } = await admin.query(
			'SELECT table_name FROM information_schema.tables WHERE table_schema = $1',
			[schema],
		);
		expect(rows).toEqual([{ table_name: 'step' }]);
	});

	it('refuses names of schemas that would need care everywhere else', async () => {
		for (const name of ['Upper', 'a-b', 'a"; DROP TABLE x; --', '1a', 'x'.repeat(64)]) {
			await expect(withLedger({ schema: name }, claimOnce)).rejects.toThrow(/schema/);
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
		await expect(withLedger({ url: asRole.href }, claimOnce)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: expect.stringContaining('lacks a right'),
			remedy: expect.stringContaining('administrator'),
		});
	});

	it('needs no more than the printed DDL grants', async () => {
		await admin.query(ddl(schema, role, 0));
		// As after an update.
		await admin.query(ddl(schema, role, SCHEMA_VERSION - 1));
		await withLedger({ url: asRole.href }, async (ledger) => {
			const key = randomUUID();
			const [claim] = await ledger.claimEvents([
				{ namespace: 'n', key, claimant, ordering: { object: 'o', version: 1 } },
			]);
			if (!claim.claimed) throw new Error(`The claim is ${claim.outcome}`);
			const held = { namespace: 'n', key, token: claim.token };
			await ledger.finishSteps([{ ...held, step: 'mail' }]);
			await ledger.requestApprovals([{ ...held, token: undefined, gate: 'g', fingerprint: 'f' }]);
			await ledger.completeEvents([{ ...held, result: { ok: true } }]);
			await ledger.take({ kinds: ['stuck', 'failed', 'review', 'expired_gate'], by: 'test' });
			await ledger.importRecords([{ namespace: 'n', key: 'imported' }]);
			await ledger.purge();
			expect(await ledger.check()).toMatchObject({ entries: 2, findings: [] });
		});
	});
});

describe('connecting', () => {
	const broken = (change: (target: URL) => void) => {
		const target = new URL(url);
		change(target);
		return withLedger({ url: target.href, patienceMs: 200 }, claimOnce);
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
		await expect(
			openLedger({ store: 'postgres', url, schema, tls: {}, patienceMs: 200 }),
		).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
			message: 'The server does not offer TLS',
		});
	});

	it('gives up in time when a lock is held, and changes nothing', async () => {
		await withLedger({ patienceMs: 100 }, async (ledger) => {
			const key = randomUUID();
			await claimOnce(ledger, key);
			await admin.query('BEGIN');
			await admin.query(`SELECT FROM "${schema}".event FOR UPDATE`);
			try {
				await expect(claimOnce(ledger, key)).rejects.toThrow(LedgerUnavailableError);
			} finally {
				await admin.query('ROLLBACK');
			}
			const [found] = await ledger.get([{ namespace: 'n', key }]);
			expect(found?.event).toMatchObject({ attempt: 1, duplicates: 0 });
		});
	});
});

describe('a lost answer', () => {
	it('to the beginning of a step is asked for again, and is no second try', async () => {
		await withLedger({}, async (ledger) => {
			const key = randomUUID();
			const [claim] = await ledger.claimEvents([{ namespace: 'n', key, claimant }]);
			if (!claim.claimed) throw new Error(`The claim is ${claim.outcome}`);
			// The step is begun, and then the connection breaks before the driver has read that it was.
			const query = jest.spyOn(Pool.prototype, 'query').mockImplementationOnce(async function (
				this: Pool,
				...call: Parameters<Pool['query']>
			) {
				await this.query(...call);
				throw new Error('Connection terminated unexpectedly');
			} as never);
			const [begun] = await ledger.beginSteps([
				{ namespace: 'n', key, token: claim.token, step: 'mail', claimant },
			]);
			query.mockRestore();
			expect(begun).toMatchObject({ ok: true, value: { outcome: 'run', step: { tries: 1 } } });
		});
	});
});

describe('an event that another transaction makes at the same time', () => {
	const isolated = (level: string) => {
		const target = new URL(url);
		target.searchParams.set('options', `-c default_transaction_isolation=${level}`);
		return target.href;
	};

	it.each(['read\\ committed', 'repeatable\\ read', 'serializable'])(
		'is waited for and found, and the others of the batch are new (%s)',
		async (level) => {
			await withLedger({ url: isolated(level) }, async (ledger) => {
				const [early, theirs, late] = ['a', 'b', 'c'].map((start) => start + randomUUID());
				await admin.query('BEGIN');
				await admin.query(
					`SELECT "${schema}".claim_event('n', $1, 'token', 'somebody else', NULL, 'x', NULL, NULL, 60000, 60000, 5, 'review',
						NULL, NULL, NULL)`,
					[theirs],
				);
				const claims = ledger.claimEvents(
					[late, theirs, early].map((key) => ({ namespace: 'n', key, claimant })),
				);
				await untilSomebodyWaits();
				await admin.query('COMMIT');
				expect((await claims).map(({ outcome }) => outcome)).toEqual(['new', 'in_progress', 'new']);
			});
		},
	);

	async function untilSomebodyWaits(): Promise<void> {
		for (;;) {
			const { rows } = await admin.query('SELECT FROM pg_locks WHERE NOT granted');
			if (rows.length > 0) return;
			await new Promise((resolve) => setTimeout(resolve, 10));
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
		await withLedger({ patienceMs: 0 }, async (ledger) => {
			// In the first of the rounds the connections are made, and the batches come one after the other.
			for (let round = 0; round < ROUNDS; round++) {
				const addresses = Array.from({ length: KEYS }, (_, i) => ({
					namespace: 'n',
					key: `${round}/${i}`,
				}));
				const claim = (list: typeof addresses, executionId: string) =>
					ledger.claimEvents(
						list.map((address) => ({ ...address, claimant: { ...claimant, executionId } })),
					);
				if (kind === 'some old') await claim(addresses.slice(0, KEYS / 2), 'earlier');
				const reversed = [...addresses].reverse();
				const results = await Promise.all(
					[addresses, reversed, addresses, reversed].map((list, i) => claim(list, `batch ${i}`)),
				);
				expect(results.flat().filter(({ outcome }) => outcome === 'new')).toHaveLength(expected);
			}
		});
	});
});

describe('PgBouncer in transaction mode', () => {
	it('changes nothing', async () => {
		const bouncer = await startPgBouncer(url);
		try {
			await withLedger({ url: bouncer.url }, async (ledger) => {
				const keys = Array.from({ length: 200 }, () => randomUUID());
				const work = keys.map(async (key) => {
					const [claim] = await ledger.claimEvents([{ namespace: 'n', key, claimant }]);
					if (!claim.claimed) throw new Error(`The claim is ${claim.outcome}`);
					const [done] = await ledger.completeEvents([
						{ namespace: 'n', key, token: claim.token, result: key },
					]);
					return done.ok;
				});
				expect(await Promise.all(work)).toEqual(keys.map(() => true));
				const again = await ledger.claimEvents(
					keys.map((key) => ({ namespace: 'n', key, claimant })),
				);
				expect(again.map(({ event }) => event && 'result' in event && event.result)).toEqual(keys);
			});
		} finally {
			await bouncer.stop();
		}
	});

	it('lends the connections of one ledger to another, and what they have prepared with it', async () => {
		const bouncer = await startPgBouncer(url);
		try {
			const through = { url: bouncer.url };
			await withLedger(through, async (one) => {
				await withLedger(through, async (other) => {
					for (let i = 0; i < 5; i++) {
						expect(await claimOnce(one)).toBe('new');
						expect(await claimOnce(other)).toBe('new');
					}
				});
			});
		} finally {
			await bouncer.stop();
		}
	});
});

describe('indexes', () => {
	it('serve every operation, also with plans that were made when the ledger was nearly empty', async () => {
		let before = 0;
		await withLedger({}, async (ledger) => {
			await everything(ledger, 'first');
			// Of a table that Postgres has looked at and found to be small, it makes other plans than of one that it does not know.
			await admin.query('VACUUM ANALYZE');
			for (let i = 0; i < 10; i++) await everything(ledger, `early ${i}`);
			await withLedger({}, fillIn);
			// A connection tells what it has read when a second has passed since it did last, and it is used again.
			await sleep(1100);
			await ledger.check();
			before = await rowsRead();
			await everything(ledger, 'late');
		});
		const between = await rowsRead();
		expect(between - before).toBeLessThan(FEW);
		// Who comes now makes plans of its own, before Postgres has found out what is in the table.
		await withLedger({}, (ledger) => everything(ledger, 'later'));
		expect((await rowsRead()) - between).toBeLessThan(FEW);
	});

	const MANY = 20_000;
	const FEW = 1000;

	/** In small batches: what is made at the same time is read together. */
	async function fillIn(ledger: Ledger): Promise<void> {
		for (let first = 0; first < MANY; first += 50) {
			await ledger.importRecords(
				Array.from({ length: 50 }, (_, i) => ({
					namespace: i % 2 ? 'n' : 'm',
					key: `key ${first + i}`,
					fingerprint: `print ${first + i}`,
				})),
			);
		}
		await admin.query(
			`INSERT INTO ${schema}.step (event_id, name, state, attempt, tries, execution_id, started_at)
				SELECT id, 'another', 'done', 1, 1, 'x', now() FROM ${schema}.event;
			INSERT INTO ${schema}.approval (event_id, gate, id, state, fingerprint, required, requested_at)
				SELECT id, 'another', id, 'approved', 'x', 1, now() FROM ${schema}.event;
			INSERT INTO ${schema}.mark (namespace, object, version, expires_at)
				SELECT 'n', 'object ' || id, 1, now() + interval '1 hour' FROM ${schema}.event`,
		);
	}

	async function everything(ledger: Ledger, key: string): Promise<void> {
		const address = { namespace: 'n', key };
		const [claim] = await ledger.claimEvents([
			{ ...address, claimant, fingerprint: `print of ${key}`, findSameContent: true },
		]);
		if (!claim.claimed) throw new Error(`The claim is ${claim.outcome}`);
		await claimAndComplete(ledger, [`${key} one`, `${key} two`]);
		await claimAndComplete(ledger, [`${key} three`, `${key} four`], 'the same');
		const held = { ...address, token: claim.token };
		await ledger.claimEvents([{ ...address, claimant: { ...claimant, itemIndex: 1 } }]);
		await ledger.beginSteps([{ ...held, step: 'mail', claimant }]);
		await ledger.finishSteps([{ ...held, step: 'mail' }]);
		await ledger.renewLeases([held]);
		await ledger.get([address]);
		await ledger.history(address);
		for (const filter of [
			{},
			{ namespace: 'n' },
			{ state: 'processing' as const },
			{ namespace: 'n', keyPrefix: 'key 19' },
			{ namespace: 'n', fingerprint: 'print 7' },
			{ executionId: 'execution' },
			{ createdBefore: Date.now() + 1000, namespace: 'n' },
		]) {
			const { cursor } = await ledger.list({ ...filter, limit: 3 });
			if (cursor !== undefined) await ledger.list({ ...filter, limit: 3, cursor });
		}
		await ledger.take({ kinds: ['stuck', 'failed', 'review', 'expired_gate'], by: 'test' });
		await ledger.stats();
		await ledger.completeEvents([held]);
		await ledger.failByExecution({ executionId: 'execution', reason: 'test' });
		await ledger.purge();
		await gateAndUndo(ledger, `${key} gated`);
		await ledger.importRecords([{ namespace: 'n', key: `${key} imported` }]);
		await ledger.deleteEvents([{ namespace: 'n', key: `${key} imported` }]);
	}

	async function gateAndUndo(ledger: Ledger, key: string): Promise<void> {
		const address = { namespace: 'n', key };
		const [claim] = await ledger.claimEvents([
			{ ...address, claimant, ordering: { object: key, version: 1 } },
		]);
		if (!claim.claimed) throw new Error(`The claim is ${claim.outcome}`);
		const held = { ...address, token: claim.token };
		await ledger.beginSteps([{ ...held, step: 'mail', claimant }]);
		await ledger.finishSteps([{ ...held, step: 'mail', undo: 'say sorry' }]);
		const gate = { ...held, gate: 'boss' };
		const [asked] = await ledger.requestApprovals([{ ...gate, fingerprint: 'offer' }]);
		if (!asked.ok) throw asked.error;
		const approvalId = asked.value.approval.id;
		await ledger.noteApproval({ ...gate, approvalId, kind: 'approval_told', by: 'test', limit: 3 });
		await ledger.decideApproval({ ...gate, approvalId, decision: 'approved', by: 'boss' });
		await ledger.takeUndos([held]);
		await ledger.markUndone([{ ...held, step: 'mail' }]);
		await ledger.failEvents([{ ...held, reason: 'test' }]);
		await ledger.releaseEvents([{ ...address, by: 'test', reason: 'test' }]);
	}

	async function claimAndComplete(ledger: Ledger, keys: string[], content?: string): Promise<void> {
		const claims = await ledger.claimEvents(
			keys.map((key, itemIndex) => ({
				namespace: 'n',
				key,
				claimant: { ...claimant, executionId: 'another', itemIndex },
				fingerprint: `print of ${content ?? key}`,
				findSameContent: true,
			})),
		);
		await ledger.completeEvents(
			claims.map((claim, i) => {
				if (!claim.claimed) throw new Error(`The claim is ${claim.outcome}`);
				return { namespace: 'n', key: keys[i], token: claim.token };
			}),
		);
	}

	/** From the tables that grow, by whichever way, as far as it was told: a connection tells at the latest when it ends. */
	async function rowsRead(): Promise<number> {
		for (let last = -1; ; ) {
			const { rows } = await admin.query<{ read: string }>(
				`SELECT sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_user_tables
				WHERE schemaname = $1 AND relname IN ('event', 'step', 'approval', 'mark')`,
				[schema],
			);
			const read = Number(rows[0].read);
			if (read === last) return read;
			last = read;
			await new Promise((resolve) => setTimeout(resolve, 1500));
		}
	}
});
