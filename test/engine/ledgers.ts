import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import { RecordLedger } from '../../ledger/RecordLedger';
import type { EventAddress } from '../../ledger/records';
import type { LedgerSettings } from '../../ledger/settings';
import * as postgresStore from '../../ledger/stores/postgres/PostgresStore';
import * as redisStore from '../../ledger/stores/redis/RedisStore';
import * as sqliteStore from '../../ledger/stores/sqlite/SqliteStore';
import { backdoorsOf } from '../contract/backdoors';
import type { StoreUnderTest } from '../contract/harness';
import { embedded } from '../contract/stores/embedded';
import { postgres } from '../contract/stores/postgres';
import { redis } from '../contract/stores/redis';

/** A ledger that the nodes of a test use through their credential, and that the test looks into by itself. */
export interface LedgerUnderTest {
	credentials: Record<string, ICredentialDataDecryptedObject>;
	ledger: Ledger;
	/** Lets the lease of a claim be over. */
	expireLease(address: EventAddress): Promise<void>;
}

const STORES = [
	{ name: 'the embedded ledger', create: embedded },
	{ name: 'Postgres', create: postgres },
	{ name: 'Redis', create: redis },
];

/** The same tests on every kind of ledger, each a real one of its own. */
export function onEveryLedger(tests: (ledger: LedgerUnderTest) => void): void {
	describe.each(STORES)('on $name', ({ create }) => tests(useLedger(create)));
}

/** On one kind is enough for what does not depend on it. */
export function onEmbeddedLedger(tests: (ledger: LedgerUnderTest) => void): void {
	describe('on the embedded ledger', () => tests(useLedger(embedded)));
}

function useLedger(create: () => Promise<StoreUnderTest>): LedgerUnderTest {
	let place: StoreUnderTest;
	const underTest = {} as LedgerUnderTest;

	beforeAll(async () => {
		place = await create();
		const { store, settings } = await openAndWatch(place);
		underTest.ledger = new RecordLedger(store);
		underTest.expireLease = backdoorsOf(store).expireLease;
		underTest.credentials = { idempotencyLedgerApi: credentialFor(settings) };
	});
	afterAll(async () => {
		await closeSharedLedgers();
		await underTest.ledger?.close();
		await place?.dispose();
	});
	return underTest;
}

/** Places of tests know where they are and do not tell; they do when they are opened. */
async function openAndWatch(place: StoreUnderTest) {
	const doors = [
		jest.spyOn(sqliteStore, 'openSqliteStore'),
		jest.spyOn(postgresStore, 'openPostgresStore'),
		jest.spyOn(redisStore, 'openRedisStore'),
	];
	try {
		const store = await place.open();
		const [[settings]] = doors.flatMap((door) => door.mock.calls as unknown[][]);
		return { store, settings: settings as LedgerSettings };
	} finally {
		for (const door of doors) door.mockRestore();
	}
}

/** The credential with which a node finds the same place. */
function credentialFor(settings: LedgerSettings): ICredentialDataDecryptedObject {
	switch (settings.store) {
		case 'embedded':
			return { store: 'embedded', file: settings.file };
		case 'postgres':
			return {
				store: 'postgres',
				connectWith: 'url',
				url: settings.url!,
				schema: settings.schema!,
				poolSize: 2,
			};
		case 'redis':
			return {
				store: 'redis',
				topology: 'single',
				host: settings.nodes[0].host,
				port: settings.nodes[0].port,
				user: settings.username ?? '',
				password: settings.password ?? '',
				databaseNumber: settings.database ?? 0,
				prefix: settings.prefix!,
			};
	}
}

/** Nodes leave their ledgers open for the next run; after the tests nobody comes. */
async function closeSharedLedgers(): Promise<void> {
	const registry = Symbol.for('n8n-nodes-idempotency/ledgers/v1');
	const shared = (globalThis as { [registry]?: Map<string, { ledger: Promise<Ledger> }> })[
		registry
	];
	for (const { ledger } of shared?.values() ?? []) await (await ledger).close();
	shared?.clear();
}
