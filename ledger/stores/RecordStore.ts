import type { CheckReport } from '../Ledger';
import type { EventAddress, EventState } from '../records';

export { NEVER } from '../records';

/**
 * What a store has to do: keep records, and hand them out as they were. The rules of the ledger are in `ledger/rules/` and nowhere
 * else; a store knows a record's address, what it is found by ({@link Head}) and its revision, and looks into nothing else.
 *
 * - Each call is given at most {@link BATCH_LIMIT} items and is one round trip (on Redis one per shard, sent together). Items of one
 *   call have different addresses. Replies are in the order of the items.
 * - Each item is atomic by itself. Items of one call may be cut off from each other when the store goes away.
 * - A call that failed because the store was away is repeated by the store itself. So it may have been carried out before; who needs
 *   to know finds the call's mark in `body`.
 * - Texts contain no NUL and no half of a surrogate pair, names and keys no control character but U+001F inside of part names.
 * - A field without a value is left out, never null.
 */
export interface RecordStore {
	readonly kind: CheckReport['store'];

	/** How many calls of one kind are under way at once, if there are enough small ones. Default 1. */
	readonly callsAtOnce?: number;

	/** The store's clock, in whole milliseconds since 1970. */
	now(): Promise<number>;

	/**
	 * Inserts new records, or returns what is in the way, expired or not: the record with the same key, else the one with the same
	 * alias. If the insertion is a delivery, a record in the way that is not expired is counted: `duplicates` + 1, `lastSeenAt` = now,
	 * tally `met_<state of that record>` + 1; its revision stays.
	 */
	insert(insertions: Insertion[]): Promise<Inserted>;

	/** Reads records, expired or not. */
	read(wanted: Wanted[]): Promise<{ now: number; records: Array<FullRecord | undefined> }>;

	/**
	 * Writes each record whose revision is still `revision`, which becomes one more; a swap whose record is missing or has another
	 * revision changes nothing at all.
	 */
	swap(swaps: Swap[]): Promise<{ now: number; replies: Array<Swapped | undefined> }>;

	/**
	 * Raises the version mark of each object to `version`, unless it is higher already; says which are, and counts these as `stale`. A
	 * mark lives for the longest retention it was raised with. Several marks may be of the same object: they are raised in their order.
	 */
	raiseMarks(marks: Mark[]): Promise<boolean[]>;

	/** A page of records without values, in the order of the query, from an index: never more than a page is sorted or sent. */
	list(query: RecordQuery): Promise<{ now: number; records: StoredRecord[] }>;

	/**
	 * Records by state, and the tallies of the last `days` days (UTC), by namespace, day and kind. What is `done` need not be counted one
	 * by one: it is all that was ever counted as `new` or `imported`, less `purged`, less what is in another state.
	 */
	stats(query: { namespace?: string; days: number }): Promise<RecordStats>;

	/**
	 * Removes records with all that belongs to them, so that nothing of their keys and values is left in the store; says which were
	 * there. Counts `purged` and `deleted`.
	 */
	remove(removals: Removal[]): Promise<boolean[]>;

	/** Removes up to `limit` expired records (counts `purged`), marks and entries; says how many records. */
	purge(limit: number): Promise<number>;

	/**
	 * Keeps a small text that is no event: an instance's secret, a registration. With `onlyIfMissing` a live one stays. Returns what is
	 * kept then.
	 */
	putEntry(entry: {
		name: string;
		text: string;
		expiresAfterMs?: number;
		onlyIfMissing?: true;
	}): Promise<string>;

	/** Live entries whose names start so, in the order of their names. */
	readEntries(prefix: string): Promise<Array<{ name: string; text: string }>>;

	check(): Promise<CheckReport>;
	close(): Promise<void>;
}

/** How many items one call to a store may have. */
export const BATCH_LIMIT = 1000;

/** What records are found by. */
export interface Head {
	state: EventState;
	createdAt: number;
	/** When to look at it next; absent when `done`. */
	dueAt?: number;
	/** Only when `done`. From then on the record does not exist for anybody but who would replace it. */
	expiresAt?: number;
	executionId?: string;
	fingerprint?: string;
	externalId?: string;
	/** Another name, unique in the namespace among records that exist: a record is in the way of one with the same. */
	alias?: string;
}

export interface StoredRecord extends EventAddress, Head {
	/** The insertion's, and one more for each swap. */
	revision: number;
	/** Counted beside the revision, because a duplicate changes nothing else. */
	duplicates: number;
	lastSeenAt: number;
	/** All else, as text. Small: a few hundred characters. */
	body: string;
}

/** What belongs to a record and is written with it, but mostly not read with it: a step, the content of a gate. */
export interface Part {
	/** Unique for the record. */
	name: string;
	text: string;
	/** The record is found by this too. */
	externalId?: string;
}

export interface FullRecord extends StoredRecord {
	/** With `values`, if the record has them. */
	input?: string;
	result?: string;
	/** The wanted ones that exist, in any order. */
	parts?: Part[];
	/** With `history`: JSON objects with commas between them, oldest first; at least the newest 100 of them. Empty for a record as it was inserted. */
	history?: string;
}

export interface Wanted extends EventAddress {
	/** Names of parts, or all. Default: none. */
	parts?: 'all' | string[];
	values?: true;
	history?: true;
}

/** A record to be. Its times are counted from the store's now, which is its `createdAt` and `lastSeenAt`. */
export interface Insertion extends EventAddress {
	/** Where it starts: random, so that no later record of the same key ever has a revision that an earlier one had. */
	revision: number;
	state: 'processing' | 'done';
	dueAfterMs?: number;
	expiresAfterMs?: number;
	executionId?: string;
	fingerprint?: string;
	externalId?: string;
	alias?: string;
	body: string;
	input?: string;
	result?: string;
	/** The tally that counts it: one more of this kind. */
	count: string;
	/** Whether a record in the way is counted as met. */
	isDelivery?: true;
	/** Look for another record of the namespace that was inserted with this option and has the same fingerprint. */
	findSameContent?: true;
}

export interface Inserted {
	now: number;
	replies: Array<
		| { inserted: true; /** The key of the newest such record. */ sameContentAs?: string }
		/** What is in the way, already counted, and its result. */
		| { inserted: false; met: StoredRecord & { result?: string } }
	>;
}

export interface Swap extends EventAddress {
	/** That the record must have. */
	revision: number;
	/** All of it, as it is from now on. */
	head: Head;
	body: string;
	/** Undefined: stays. Null: goes. */
	input?: string | null;
	result?: string | null;
	/** New parts, or new texts of parts. */
	parts: Part[];
	/** Appended to the history: JSON objects with commas between them, or ''. */
	append: string;
	/** The history is long: what was appended since the last rotation is kept, what is older goes. */
	rotate: boolean;
	/** Added to `duplicates`. */
	duplicates: number;
	/** If given, this is `lastSeenAt` from now on. */
	lastSeenAt?: number;
	counts: Count[];
}

/** Adds `n` to the tally of a kind, in the record's namespace and on the store's present day. */
export interface Count {
	kind: string;
	n: number;
}

/** As it is after the swap. */
export interface Swapped {
	duplicates: number;
	lastSeenAt: number;
}

export interface Mark {
	namespace: string;
	/** A hash: nothing that could be read is left of an event that was deleted. */
	object: string;
	version: number;
	retentionMs: number;
}

export interface Removal extends EventAddress {
	/** This mark goes too, if it still has this version. */
	mark?: Pick<Mark, 'object' | 'version'>;
	/** A record that is not expired stays; `deleted` is not counted. */
	onlyIfExpired?: true;
}

/**
 * One of three ways through the records that are not expired, each with an index, each with what the last page ended on:
 * - `key`: by (namespace, key) in byte order; optionally of one `executionId`, of a `fingerprint` in a `namespace`, of an
 *   `externalId` (the record's or one of its parts'), or with a `keyPrefix` in a `namespace`
 * - `due`: of one `state` other than done, by (dueAt, namespace, key); optionally only what is due by `dueBefore`, inclusive
 * - `created`: by (createdAt, namespace, key), downwards
 *
 * `createdAfter` and `createdBefore` are not part of what they enclose. `keyPart` (only with order `key`) is somewhere in the key: a
 * store looks at no more than {@link SEARCH_LIMIT} records for it.
 */
export interface RecordQuery {
	namespace?: string;
	state?: EventState;
	executionId?: string;
	fingerprint?: string;
	externalId?: string;
	keyPrefix?: string;
	keyPart?: string;
	createdAfter?: number;
	createdBefore?: number;
	dueBefore?: number;
	limit: number;
	order: 'key' | 'due' | 'created';
	after?: { time: number; namespace: string; key: string };
}

/** How many keys a search by part of a key looks at. */
export const SEARCH_LIMIT = 100_000;

export interface RecordStats {
	events: Record<EventState, number>;
	tallies: Array<{ namespace: string; day: string; kind: string; count: number }>;
}
