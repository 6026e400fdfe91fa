import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { EventAddress } from '../../../ledger/records';
import type {
	FullRecord,
	Head,
	Inserted,
	Insertion,
	RecordQuery,
	RecordStore,
	StoredRecord,
	Swap,
	Swapped,
	Wanted,
} from '../../../ledger/stores/RecordStore';

/** An empty place for records, which can be opened several times, each time with connections of its own. */
export interface StorePlace {
	open(): Promise<RecordStore>;
	/** Closes nothing, but removes all that is left. */
	dispose(): Promise<void>;
}

/** What each test gets: a store that others use too, and a namespace of its own. */
export interface Fixture {
	store: RecordStore;
	namespace: string;
	/** The same place once more. */
	openAnother(): Promise<RecordStore>;
	/** A place where nothing is yet. */
	openEmpty(): Promise<RecordStore>;
}

export const HOUR_MS = 3_600_000;

/** Fills in {@link Fixture} before each test and closes what the test opened. */
export function useFixture(create: () => Promise<StorePlace>): Fixture {
	let place: StorePlace;
	let opened: RecordStore[] = [];
	let emptyPlaces: StorePlace[] = [];
	const open = async (from: StorePlace) => {
		const store = await from.open();
		opened.push(store);
		return store;
	};
	const fixture = {
		openAnother: () => open(place),
		openEmpty: async () => {
			const empty = await create();
			emptyPlaces.push(empty);
			return await open(empty);
		},
	} as Fixture;

	beforeAll(async () => {
		place = await create();
		fixture.store = await place.open();
	});
	beforeEach(() => {
		fixture.namespace = randomUUID();
	});
	afterEach(async () => {
		for (const store of opened) await store.close();
		for (const empty of emptyPlaces) await empty.dispose();
		opened = [];
		emptyPlaces = [];
	});
	afterAll(async () => {
		await fixture.store?.close();
		await place?.dispose();
	});
	return fixture;
}

/** The revision that records start with here. */
export const FIRST = 1_000_000_000_000;

/** A new event, as a claim inserts it. */
export function insertion(
	{ namespace }: Pick<Fixture, 'namespace'>,
	key: string,
	change: Partial<Insertion> = {},
): Insertion {
	return {
		namespace,
		key,
		revision: FIRST,
		state: 'processing',
		dueAfterMs: HOUR_MS,
		body: `{"of":${JSON.stringify(key)}}`,
		count: 'new',
		isDelivery: true,
		...change,
	};
}

/** One that is done, and expires after `expiresAfterMs`. */
export function doneInsertion(
	of: Pick<Fixture, 'namespace'>,
	key: string,
	change: Partial<Insertion> = {},
): Insertion {
	const done = insertion(of, key, { state: 'done', expiresAfterMs: HOUR_MS, ...change });
	delete done.dueAfterMs;
	return done;
}

export async function insertOne(
	store: RecordStore,
	item: Insertion,
): Promise<Inserted['replies'][0]> {
	return (await store.insert([item])).replies[0];
}

/** Inserts and reads it back. */
export async function inserted(
	{ store, namespace }: Fixture,
	key: string,
	change: Partial<Insertion> = {},
): Promise<FullRecord> {
	expect(await insertOne(store, insertion({ namespace }, key, change))).toMatchObject({
		inserted: true,
	});
	return await readOne(store, { namespace, key });
}

/** A record that is expired by the time this returns. */
export async function insertedExpired(
	{ store, namespace }: Fixture,
	key: string,
	change: Partial<Insertion> = {},
): Promise<FullRecord> {
	await store.insert([doneInsertion({ namespace }, key, { expiresAfterMs: 1, ...change })]);
	await sleep(20);
	return await readOne(store, { namespace, key });
}

/** Everything that belongs to a record, or what is wanted of it. */
export async function readOne(
	store: RecordStore,
	{ namespace, key }: EventAddress,
	wanted: Omit<Wanted, 'namespace' | 'key'> = { parts: 'all', values: true, history: true },
): Promise<FullRecord> {
	const { records } = await store.read([{ namespace, key, ...wanted }]);
	expect(records).toHaveLength(1);
	return records[0]!;
}

/** A swap that changes nothing but what `change` says. */
export function swapOf(record: StoredRecord, change: Partial<Swap> = {}): Swap {
	return {
		namespace: record.namespace,
		key: record.key,
		revision: record.revision,
		head: headOf(record),
		body: record.body,
		parts: [],
		append: '',
		rotate: false,
		duplicates: 0,
		counts: [],
		...change,
	};
}

export async function swapOne(store: RecordStore, swap: Swap): Promise<Swapped | undefined> {
	const { replies } = await store.swap([swap]);
	expect(replies).toHaveLength(1);
	return replies[0];
}

/** Swaps, which has to succeed, and reads it back. */
export async function swapped(
	{ store }: Fixture,
	record: StoredRecord,
	change: Partial<Swap> = {},
): Promise<FullRecord> {
	expect(await swapOne(store, swapOf(record, change))).toBeDefined();
	return await readOne(store, record);
}

const HEAD_FIELDS = [
	'state',
	'createdAt',
	'dueAt',
	'expiresAt',
	'executionId',
	'fingerprint',
	'externalId',
] as const;

export function headOf(record: StoredRecord): Head {
	const fields = HEAD_FIELDS.filter((name) => record[name] !== undefined);
	return Object.fromEntries(fields.map((name) => [name, record[name]])) as unknown as Head;
}

export async function keysOf(store: RecordStore, query: RecordQuery): Promise<string[]> {
	return (await store.list(query)).records.map(({ key }) => key);
}

/** All pages of a query, one after the other. */
export async function allPages(
	store: RecordStore,
	query: Omit<RecordQuery, 'after'>,
): Promise<StoredRecord[]> {
	const all: StoredRecord[] = [];
	for (let after: RecordQuery['after']; ; ) {
		const { records } = await store.list({ ...query, after });
		expect(records.length).toBeLessThanOrEqual(query.limit);
		all.push(...records);
		// A page that does not go on where the last one ended would never come to an end.
		expect(all.length).toBeLessThan(10_000);
		const last = records.at(-1);
		if (records.length < query.limit || !last) return all;
		const time = query.order === 'created' ? last.createdAt : (last.dueAt ?? 0);
		after = { time, namespace: last.namespace, key: last.key };
	}
}

/** The tallies of a namespace, without their days. */
export async function talliesOf({
	store,
	namespace,
}: Pick<Fixture, 'store' | 'namespace'>): Promise<Record<string, number>> {
	const tallies: Record<string, number> = {};
	for (const tally of (await store.stats({ namespace, days: 2 })).tallies) {
		expect(tally.namespace).toBe(namespace);
		tallies[tally.kind] = (tallies[tally.kind] ?? 0) + tally.count;
	}
	return tallies;
}

/** A record as a list gives it. */
export function withoutExtras(record: FullRecord): StoredRecord {
	const extras = ['input', 'result', 'parts', 'history'];
	const fields = Object.entries(record).filter(([name]) => !extras.includes(name));
	return Object.fromEntries(fields) as unknown as StoredRecord;
}

/** A field without a value is left out. */
export function expectNoHoles(record: object): void {
	const holes = Object.entries(record).filter(([, value]) => value === null || value === undefined);
	expect(holes).toEqual([]);
}

/** How long the texts of the tests are kept apart, where the order of insertion counts. */
export const APART_MS = 3;
