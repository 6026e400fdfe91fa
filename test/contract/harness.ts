import { randomUUID } from 'node:crypto';

import type { Ledger } from '../../ledger/Ledger';
import { RecordLedger } from '../../ledger/RecordLedger';
import { type RuleBook, RULES } from '../../ledger/rules/RuleBook';
import type { RecordStore } from '../../ledger/stores/RecordStore';
import { backdoorsOf } from './backdoors';
import { CONFORMANCE } from './conformance';
import type { Case, Fixture } from './conformance/Case';

/** A kind of store that can be tested: a place for the tests alone, opened as often as they like. */
export interface StoreUnderTest {
	/** Each time with connections of its own. */
	open(): Promise<RecordStore>;
	/** How large the largest batch is: what a store does in a few seconds. */
	manyItems: number;
	/** Leaves nothing behind. */
	dispose(): Promise<void>;
}

/** Runs something with a fixture on an open store, and closes all that it opened besides. */
export async function withFixture<T>(
	place: StoreUnderTest,
	store: RecordStore,
	run: (fixture: Fixture) => Promise<T>,
	rules: RuleBook = RULES,
): Promise<T> {
	const others: Ledger[] = [];
	const ledgerOn = (used: RecordStore) => new RecordLedger(used, undefined, rules);
	try {
		return await run({
			...backdoorsOf(store),
			store,
			ledger: ledgerOn(store),
			namespace: randomUUID(),
			openAnother: async () => {
				const ledger = ledgerOn(await place.open());
				others.push(ledger);
				return ledger;
			},
			ledgerOn,
			manyItems: place.manyItems,
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
	let store: RecordStore;

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
