/**
 * What the ledger keeps, in the words of the design: events, their steps, the gates where a
 * person decides, and the history of all of it.
 *
 * Every `…At` and `…Until` is a point in time in milliseconds since 1970, by the clock of the
 * store and never by the clock of an n8n host. Every `…Ms` is a length of time.
 */

export type JsonValue =
	| string
	| number
	| boolean
	| null
	| JsonValue[]
	| { [name: string]: JsonValue | undefined };

/**
 * ```text
 *            claim                    complete
 *  (nothing) ─────▶ processing ───────────────────▶ done ──(retention)──▶ (nothing)
 *                    ▲   │  ▲ │
 *      claim: retry, │   │  │ └─ request approval ─▶ waiting ─ decision ─┐
 *          recovered │   │  └────────────────────────────────────────────┘
 *                    │   ├─ fail, attempts left ───▶ failed ─┐
 *                    └───┼────────────────────────────────── ┘
 *                        └─ fail, in doubt, attempts used ─▶ review ─ a person ─▶ done | failed
 * ```
 */
export const EVENT_STATES = ['processing', 'waiting', 'done', 'failed', 'review'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** Outcomes that give the caller the claim: exactly one caller at a time has it. */
export const WINNING_OUTCOMES = ['new', 'retry', 'recovered', 'resumed'] as const;
export type WinningOutcome = (typeof WINNING_OUTCOMES)[number];

/** Outcomes that do not: somebody else has, had or must decide about the event. */
export const LOSING_OUTCOMES = [
	'in_progress',
	'waiting',
	'duplicate',
	'stale',
	'conflict',
	'review',
] as const;
export type LosingOutcome = (typeof LOSING_OUTCOMES)[number];
export type ClaimOutcome = WinningOutcome | LosingOutcome;

/** What to do with an event whose previous run stopped midway (its lease ran out). */
export const STOPPED_POLICIES = ['review', 'takeover'] as const;
export type StoppedPolicy = (typeof STOPPED_POLICIES)[number];

/** An execution, told apart from all others that ever use the ledger. */
export interface Holder {
	/** The n8n installation. A clone with the same encryption key may have the same. */
	instance: string;
	executionId: string;
	/** Random, made once for an execution and kept with it: tells it from a clone's execution with the same number. */
	nonce: string;
}

/**
 * Who asks for a claim. The same when n8n retries a node or runs a stalled job again, and different in
 * the next round of a loop: the execution alone proves nothing.
 */
export interface Claimant extends Holder {
	nodeId: string;
	runIndex: number;
	itemIndex: number;
}

export interface EventAddress {
	namespace: string;
	key: string;
}

/** An event without its stored values, as lists show it. */
export interface EventSummary extends EventAddress {
	state: EventState;
	/** Counts up with every claim won and never down: 1 for the first. */
	attempt: number;
	/** How many attempts the event may use before a person has to look at it. */
	maxAttempts: number;
	fingerprint?: string;
	/** The execution that has the claim now, or had it last; none for imported events. */
	executionId?: string;
	workflowId?: string;
	createdAt: number;
	/** When the present claim was won. */
	claimedAt: number;
	/** Until when the claim is presumed alive: while `processing`, and while `waiting` if it is known how long at most. */
	leaseUntil?: number;
	/** When `take` looks at the event next, if it is still in this state. A renewed lease does not move it. */
	dueAt?: number;
	doneAt?: number;
	/** When a `done` record is forgotten. */
	expiresAt?: number;
	/** Deliveries that were turned away. */
	duplicates: number;
	/** When it was delivered last. */
	lastSeenAt: number;
	/** How many deliveries had its key and other content. */
	conflicts?: number;
	/** Why it is `failed` or in `review`. */
	reason?: string;
	externalId?: string;
	/** Who looks after it when it needs somebody, in the user's own words. */
	owner?: string;
	/** Another name of the event, such as an order number: a delivery with another key and this alias is a double submit. */
	alias?: string;
}

export interface EventRecord extends EventSummary {
	/** Stored at the claim so that the event can be run again; dropped when it is done. */
	input?: JsonValue;
	/** What `completeEvents` stored, handed to every later duplicate. */
	result?: JsonValue;
}

/** `failed`: known not to have happened. `undone`: it happened and was taken back. Either may be begun again. */
export type StepState = 'started' | 'done' | 'failed' | 'undone';

export interface StepRecord {
	name: string;
	/** Which of several items of the event it is about. */
	row?: string;
	state: StepState;
	/** The attempt that began it last. */
	attempt: number;
	/** How often it was begun. */
	tries: number;
	executionId: string;
	fingerprint?: string;
	/** When it was begun for the first time: provider keys count their retention from here. */
	startedAt: number;
	finishedAt?: number;
	externalId?: string;
	output?: JsonValue;
	/** What would undo it, for compensation. */
	undo?: JsonValue;
	error?: string;
}

export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'expired';

export interface Vote {
	by: string;
	decision: 'approved' | 'rejected';
	at: number;
	comment?: string;
}

export interface ApprovalRecord {
	id: string;
	gate: string;
	state: ApprovalState;
	/** The decision is about the content with this fingerprint and no other. */
	fingerprint: string;
	content?: JsonValue;
	/** How many different people have to approve. A single rejection rejects the request. */
	required: number;
	votes: Vote[];
	requestedAt: number;
	expiresAt?: number;
	decidedAt?: number;
	decidedBy?: string;
	comment?: string;
	/** What was asked before the content changed. */
	previousFingerprint?: string;
	previousState?: ApprovalState;
}

/** A delivery with the key of an event and other content. */
export interface ConflictRecord {
	at: number;
	executionId: string;
	fingerprint: string;
	input?: JsonValue;
}

export interface EventDetails {
	event: EventRecord;
	/** In the order in which they were begun. */
	steps: StepRecord[];
	approvals: ApprovalRecord[];
	/** The newest few. */
	conflicts: ConflictRecord[];
}

/** Somebody who hands out unfinished work, such as a Ledger Trigger. */
export interface Recovery {
	by: string;
	/** Absent: of all namespaces. */
	namespace?: string;
}

/** One line of an event's history. `kind` says what happened, the rest to whom and why. */
export interface HistoryEntry {
	at: number;
	kind: HistoryKind;
	attempt: number;
	executionId?: string;
	step?: string;
	row?: string;
	gate?: string;
	by?: string;
	reason?: string;
}

/**
 * What is only noted about a gate: people were notified, an execution waits for it, the page was opened, somebody sent a decision, in
 * order or not.
 */
export const NOTE_KINDS = [
	'approval_notified',
	'approval_awaited',
	'approval_shown',
	'decision_sent',
] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export type HistoryKind =
	| WinningOutcome
	| 'step_started'
	| 'step_done'
	| 'step_failed'
	| 'step_resolved'
	| 'undo_taken'
	| 'step_undone'
	| 'completed'
	| 'failed'
	| 'review'
	| 'released'
	| 'superseded'
	| 'approval_requested'
	| NoteKind
	| 'vote'
	| 'approved'
	| 'rejected'
	| 'approval_expired'
	| 'paused'
	| 'continued'
	| 'conflict'
	| 'taken'
	| 'imported';

/** `dueAt` of what is never due by itself: the end of the year 9999. */
export const NEVER = 253_402_300_799_000;

/** The newest entries that an event keeps; older ones are dropped. */
export const HISTORY_LIMIT = 100;

const DAY = 24 * 60 * 60 * 1000;

export const DEFAULTS = {
	leaseMs: 30 * 60 * 1000,
	retentionMs: 30 * DAY,
	maxAttempts: 5,
	onStopped: 'review',
	visibilityMs: 15 * 60 * 1000,
	maxBackoffMs: 60 * 60 * 1000,
	maxValueBytes: 1024 * 1024,
} as const;
