import { randomUUID } from 'node:crypto';

import type { Ledger } from '../../ledger/Ledger';
import type { LedgerStore } from '../../ledger/Store';
import { StoreLedger } from '../../ledger/StoreLedger';
import { CONFORMANCE } from './conformance';
import type { Backdoors, Case, Fixture } from './conformance/Case';

/** A kind of store that can be tested: a place for the tests alone, opened as often as they like. */
export interface StoreUnderTest extends Backdoors {
	/** Each time with connections of its own. */
	open(): Promise<LedgerStore>;
	/** How large the largest batch is: what a store does in a few seconds. */
	manyItems: number;
	/** Leaves nothing behind. */
	dispose(): Promise<void>;
}

/** Runs something with a fixture on an open store, and closes all that it opened besides. */
export async function withFixture<T>(
	place: StoreUnderTest,
	store: LedgerStore,
	run: (fixture: Fixture) => Promise<T>,
): Promise<T> {
	const others: Ledger[] = [];
	try {
		return await run({
			store,
			ledger: new StoreLedger(store),
			namespace: randomUUID(),
			openAnother: async () => {
				const ledger = new StoreLedger(await place.open());
				others.push(ledger);
				return ledger;
			},
			manyItems: place.manyItems,
			expireLease: (address) => place.expireLease(address),
			expireRecord: (address) => place.expireRecord(address),
			expireApproval: (address, gate) => place.expireApproval(address, gate),
			makeDue: (address) => place.makeDue(address),
			expireUndos: (address) => place.expireUndos(address),
		});
	} finally {
		for (const ledger of others) await ledger.close();
	}
}

/** Opens a store for all tests of a `describe`, and cleans up after them. */
export function useStore(create: () => Promise<StoreUnderTest>): {
	withFixture<T>(run: (fixture: Fixture) => Promise<T>): Promise<T>;
} {
	let place: StoreUnderTest;
	let store: LedgerStore;

	beforeAll(async () => {
		place = await create();
		store = await place.open();
	});
	afterAll(async () => {
		await store?.close();
		await place?.dispose();
	});

	return { withFixture: (run) => withFixture(place, store, run) };
}

/** The conformance suite as tests. */
export function describeConformance(
	create: () => Promise<StoreUnderTest>,
	topics: Record<string, Case[]> = CONFORMANCE,
): void {
	const { withFixture: withStore } = useStore(create);
	for (const [topic, cases] of Object.entries(topics)) {
		describe(topic, () => {
			for (const { name, run } of cases) test(name, () => withStore(run), 120_000);
		});
	}
}
