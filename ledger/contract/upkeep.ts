import type { EventAddress, EventState, EventSummary, JsonValue } from '../records';

/**
 * Filters are combined with *and*. The order depends on them, so that no request has to read more than it shows: by `executionId`,
 * `fingerprint`, `externalId`, `keyPrefix` or `keyPart`: in the order of keys; by a `state` other than `done`: most urgent first; else
 * newest first.
 */
export interface ListRequest {
	namespace?: string;
	/** `stuck`: `processing`, and its lease is over. */
	state?: EventState | 'stuck';
	executionId?: string;
	/** Needs a `namespace`. */
	fingerprint?: string;
	/** Of the event or of one of its steps. */
	externalId?: string;
	/** Needs a `namespace`. */
	keyPrefix?: string;
	/** Anywhere in the key. The only filter that looks through many events: at most 100,000, in the order of keys. */
	keyPart?: string;
	createdAfter?: number;
	createdBefore?: number;
	/** Default 50, at most 1,000. */
	limit?: number;
	/** From the previous page. */
	cursor?: string;
}

export interface ListResult {
	events: EventSummary[];
	/** Absent on the last page. */
	cursor?: string;
}

export interface StatsRequest {
	namespace?: string;
	/** How many days back, today included. Default 30. */
	days?: number;
}

export interface Stats {
	/** How many records there are now, by state. */
	events: Record<EventState, number>;
	/** How often what happened, per namespace and day (UTC, by the store's clock). */
	tallies: Tally[];
}

export interface Tally {
	namespace: string;
	day: string;
	/**
	 * A claim's outcome, or the `kind` of a history entry. Also: `rescued`, an event that was completed and had needed more than one
	 * attempt, and `rescue_seconds`, how long these took in all, from their first claim on.
	 */
	kind: string;
	count: number;
}

/** `stuck`: the lease ran out. `expired_gate`: nobody decided in time. */
export const WORK_KINDS = ['stuck', 'failed', 'review', 'expired_gate'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export interface TakeRequest {
	kinds: WorkKind[];
	namespace?: string;
	/** Default 50, at most 1,000. */
	limit?: number;
	/** How long it is not handed out again. Default 15 minutes. */
	visibilityMs?: number;
	/** Only what was claimed first at least this long ago. */
	minAgeMs?: number;
	/** Only what was tried at least this often. */
	minAttempts?: number;
	/**
	 * How much longer than until it is due stuck and failed work is left alone: this long after the first attempt since its last
	 * release, and twice as long after each further one, up to `maxBackoffMs` (default an hour). Default 0.
	 */
	backoffMs?: number;
	maxBackoffMs?: number;
	/** Who takes it, for the history. */
	by: string;
}

export interface RecoveryRequest {
	by: string;
	/** Absent: all namespaces. */
	namespace?: string;
	/** Until it registers again. */
	forMs: number;
}

export interface ImportRequest extends EventAddress {
	fingerprint?: string;
	result?: JsonValue;
	externalId?: string;
	/** Default: now. */
	doneAt?: number;
	/** From now. Default 30 days. */
	retentionMs?: number;
}

export interface PurgeRequest {
	/** Default 1,000, at most 10,000. */
	limit?: number;
}

export interface PurgeResult {
	purged: number;
	/** The limit was reached: call again. */
	more: boolean;
}

export interface CheckReport {
	store: 'embedded' | 'postgres' | 'redis';
	/** Name and version of the server or library. */
	server: string;
	schemaVersion: number;
	/** How many events the ledger has. */
	entries: number;
	/** What is wrong or risky; empty when all is well. */
	findings: Finding[];
}

export interface Finding {
	/** `error`: it will lose or double work. `warning`: it may, under conditions that the message names. */
	severity: 'error' | 'warning';
	message: string;
	remedy: string;
}
