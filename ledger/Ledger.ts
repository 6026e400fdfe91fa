import type { ClaimError } from './errors';
import type {
	ApprovalRecord,
	Claimant,
	EventAddress,
	EventDetails,
	EventRecord,
	EventState,
	EventSummary,
	HistoryEntry,
	JsonValue,
	LosingOutcome,
	NoteKind,
	StepRecord,
	StoppedPolicy,
	WinningOutcome,
} from './records';

/**
 * The ledger: who works on which event, what is finished, and what a person has to decide. One contract,
 * three stores (embedded SQLite, Postgres, Redis) that behave the same.
 *
 * **Promised**
 * - Atomic per event: every operation on one (namespace, key) happens whole or not at all, and operations on
 *   the same event happen one after the other. Of any number of concurrent claims exactly one wins.
 * - Fencing: each won claim has a fresh token. After a takeover every write with an older token is refused
 *   and changes nothing.
 * - Batches: up to 1,000 items cost one round trip (on Redis one per shard, sent together). Larger batches
 *   are split; results come back in the order of the requests. Two items with one key in the same batch
 *   behave as if they came one after the other.
 * - A lost answer is harmless: repeating any call, as the ledger itself does when a connection breaks, has
 *   the effect of calling once.
 * - Times are by the store's clock.
 *
 * **Not promised**
 * - Atomicity across events: a batch may be cut off between two of its events when the store goes away.
 *   What was written is then found again by the same claimant (`resumed`).
 * - That an outside effect happened once. The ledger says whether to act; only the destination can make an
 *   act and its record one. A step that was begun and not finished is therefore never assumed either way.
 * - More durability than the store is set up for. `check` reports settings that lose acknowledged writes.
 *
 * **Errors.** A malformed request throws an `InvalidRequestError` with the item's `index`, before anything is
 * written. A request that the event's state does not allow is a `ClaimError` in that item's result and does
 * not disturb the others. A store that cannot be reached or used throws for the whole call.
 */
export interface Ledger {
	/** Claims events. Never throws because somebody else has the event: that is an outcome. */
	claimEvents(requests: ClaimRequest[]): Promise<ClaimResult[]>;

	/**
	 * Says, right before a side effect, whether to run it, and records that it was started. Also proves that the
	 * claim is still held and renews its lease.
	 */
	beginSteps(requests: BeginStepRequest[]): Promise<Array<Settled<BeginStepResult>>>;

	/** Records how a step ended. It need not have been begun. The first `done` stays: repeats change nothing. */
	finishSteps(requests: FinishStepRequest[]): Promise<Array<Settled<FinishStepResult>>>;

	/**
	 * Hands out the finished steps of events that said how to undo them, newest first: all of an event's together, to one caller
	 * per visibility time-out, until they are marked undone. Refused to operators while a run has the event.
	 */
	takeUndos(requests: TakeUndosRequest[]): Promise<Array<Settled<TakeUndosResult>>>;

	/** Records that finished steps were taken back. They may be run again from then on. */
	markUndone(requests: UndoneRequest[]): Promise<Array<Settled<FinishStepResult>>>;

	/**
	 * Ends events with a result, which every later duplicate gets. Refused while a step is started and not
	 * finished, unless an operator decides so.
	 */
	completeEvents(requests: CompleteRequest[]): Promise<Array<Settled<WriteResult>>>;

	/** Gives events up for now (`failed`: may be claimed again) or for a person (`review`). */
	failEvents(requests: FailRequest[]): Promise<Array<Settled<WriteResult>>>;

	/** Extends leases from now on. Ends the wait of an event whose gates are all decided or expired. */
	renewLeases(requests: RenewRequest[]): Promise<Array<Settled<WriteResult>>>;

	/** Gives claims back: the event is `failed` and due at once, and gets its full number of attempts again. */
	releaseEvents(requests: ReleaseRequest[]): Promise<Array<Settled<WriteResult>>>;

	/** Fails every claim that an execution holds, for error workflows that know no keys. */
	failByExecution(request: FailByExecutionRequest): Promise<EventSummary[]>;

	/**
	 * Asks for approval, once per event, gate and content. A decision that was made about the same content is
	 * returned and not asked for again; changed content and expired requests are asked anew. The event has to
	 * exist.
	 */
	requestApprovals(requests: ApprovalRequest[]): Promise<Array<Settled<ApprovalResult>>>;

	/**
	 * Records one person's decision. The first decision wins; everyone after gets it shown. Who has approved already and does so again
	 * changes nothing.
	 */
	decideApproval(request: DecisionRequest): Promise<DecisionResult>;

	/**
	 * Notes in the history what became of a request: people were told, it is awaited, was shown, or somebody tried to decide. At most
	 * `limit` times per kind and `by`, so that nobody can fill the history, and guesses are counted before they are checked.
	 */
	noteApproval(request: NoteRequest): Promise<NoteResult>;

	/** Reads events with their steps, gates and values. Changes nothing; expired events are not found. */
	get(addresses: EventAddress[]): Promise<Array<EventDetails | undefined>>;

	/** Pages through events. See {@link ListRequest} for the order. */
	list(request: ListRequest): Promise<ListResult>;

	/** What happened to an event, oldest first: the newest 100 entries. */
	history(address: EventAddress): Promise<HistoryEntry[]>;

	/** The same for many. */
	histories(addresses: EventAddress[]): Promise<HistoryEntry[][]>;

	/** Counts that are kept up to date with each write; nothing is scanned but open events. */
	stats(request?: StatsRequest): Promise<Stats>;

	/**
	 * Hands out work that needs somebody: each event once per visibility time-out, however many processes ask.
	 * Changes nothing else: who wants to work on it has to claim it.
	 */
	take(request: TakeRequest): Promise<EventDetails[]>;

	/** Records events as done that were handled elsewhere (backfill). Existing records are left alone. */
	importRecords(requests: ImportRequest[]): Promise<Array<'imported' | 'exists'>>;

	/** Forgets events, whatever their state, with all that belongs to them: their next delivery is new. */
	deleteEvents(addresses: EventAddress[]): Promise<Array<'deleted' | 'missing'>>;

	/** Removes expired records, a bounded number per call. */
	purge(request?: PurgeRequest): Promise<PurgeResult>;

	/** Looks at the store and says what is there and what is wrong, in plain words. */
	check(): Promise<CheckReport>;

	/** Lets go of connections. Idempotent; every other call fails afterwards. */
	close(): Promise<void>;
}

/** The result of one item of a batch: its value, or why the event's state did not allow it. */
export type Settled<T> = { ok: true; value: T } | { ok: false; error: ClaimError };

export interface ClaimRequest extends EventAddress {
	claimant: Claimant;
	workflowId?: string;
	/** The token of an earlier claim that travelled with the item: proves that this is the same work. */
	token?: string;
	/** The same key with another fingerprint is a `conflict`. */
	fingerprint?: string;
	/** Default 30 minutes. */
	leaseMs?: number;
	/** How long a done record is remembered. Default 30 days. */
	retentionMs?: number;
	/** Default 5. */
	maxAttempts?: number;
	/** Default `review`. */
	onStopped?: StoppedPolicy;
	/** Stored for recovery until the event is done. */
	input?: JsonValue;
	/** Keep the input after the event is done. */
	keepInput?: boolean;
	/**
	 * An event with a lower version than one that was claimed for the same object is `stale`. (On Redis the mark
	 * is raised right before the claim, not together with it.)
	 */
	ordering?: { object: string; version: number };
	/**
	 * Look for another event with the same fingerprint, among those that were claimed with this option. A hint for people: it may
	 * name one that is forgotten by now.
	 */
	findSameContent?: boolean;
}

export type ClaimResult = ClaimWon | ClaimLost;

export interface ClaimWon {
	claimed: true;
	outcome: WinningOutcome;
	/** Proves the claim in all later writes. Secret. */
	token: string;
	event: EventSummary;
	/** What earlier attempts left: finished steps with their outputs, and unfinished ones. */
	steps: StepRecord[];
	/** Another event of the namespace with the same fingerprint: probably the same thing under another key. */
	sameContentAs?: string;
}

export interface ClaimLost {
	claimed: false;
	outcome: LosingOutcome;
	/** Absent only for a `stale` event that has no record. Without its input. */
	event?: EventRecord;
	steps: StepRecord[];
}

/** A write that the holder of a claim makes. */
export interface HeldRequest extends EventAddress {
	token: string;
}

/**
 * A write that a holder (by token) or an operator (by name, and with a reason) makes. An operator needs no
 * token and ends whatever claim there is.
 */
export type AuthorisedRequest = EventAddress &
	(
		| { token: string; by?: undefined; inState?: undefined }
		| {
				token?: undefined;
				by: string;
				/** Only if it is in this state: somebody may have been faster. */ inState?: EventState;
		  }
	);

export interface BeginStepRequest extends HeldRequest {
	step: string;
	claimant: Claimant;
	/**
	 * What to do when the step was started before and never finished: nobody knows whether it happened.
	 * `repeat` only if repeating is safe at the destination. Default `review`.
	 */
	whenInDoubt?: 'review' | 'repeat';
	/** With `repeat`: only this long after the first try, e.g. while the provider still knows its key. */
	repeatWithinMs?: number;
	/** Hash of what the step is going to do: the same step with another one is a `conflict`. */
	fingerprint?: string;
}

export interface BeginStepResult {
	/**
	 * - `run`: do it now.
	 * - `done`: it is done, `step.output` has its output.
	 * - `in_progress`: another item of this same attempt has begun it.
	 * - `in_doubt`: begun before and not finished; the event went to review and the claim is over.
	 * - `conflict`: it was begun to do something else; nothing was changed.
	 */
	outcome: 'run' | 'done' | 'in_progress' | 'in_doubt' | 'conflict';
	step: StepRecord;
	event: EventSummary;
}

export interface FinishStepRequest extends HeldRequest {
	step: string;
	/** `failed`: it is known not to have happened and may be begun again. Default `done`. */
	state?: 'done' | 'failed';
	output?: JsonValue;
	externalId?: string;
	undo?: JsonValue;
	error?: string;
}

export interface FinishStepResult {
	/** It was done already; `step` is what is stored, not what was sent. */
	repeated: boolean;
	step: StepRecord;
	event: EventSummary;
}

export type TakeUndosRequest = AuthorisedRequest & {
	/** How long they are not handed out again. Default 15 minutes. */
	visibilityMs?: number;
};

export interface TakeUndosResult {
	/** Newest first. Empty if there are none left, or if somebody else has them. */
	steps: StepRecord[];
	event: EventSummary;
}

export type UndoneRequest = AuthorisedRequest & { step: string; reason?: string };

export interface WriteResult {
	/** The event was in the wanted state already: nothing was changed. */
	repeated: boolean;
	event: EventSummary;
	/** What is stored as the result, when `completeEvents` found it done already. */
	result?: JsonValue;
}

export type CompleteRequest = AuthorisedRequest & {
	result?: JsonValue;
	externalId?: string;
	reason?: string;
};

export type FailRequest = AuthorisedRequest & {
	/** Default `failed`. When the attempts are used up, it is `review` in any case. */
	as?: 'failed' | 'review';
	reason: string;
	/** When `take` hands it out. A claim does not wait for it. */
	retryAfterMs?: number;
};

export interface RenewRequest extends HeldRequest {
	/** Default: the lease of the claim. */
	leaseMs?: number;
}

export type ReleaseRequest = AuthorisedRequest & { reason?: string };

export interface FailByExecutionRequest {
	executionId: string;
	as?: 'failed' | 'review';
	reason: string;
}

export interface ApprovalRequest extends EventAddress {
	gate: string;
	/** With the claim's token the event waits (its lease does not run) until the decision. */
	token?: string;
	fingerprint: string;
	content?: JsonValue;
	/** How many different people have to approve. Default 1. */
	required?: number;
	/** Default: never. */
	expiresInMs?: number;
}

export interface ApprovalResult {
	/** True for the one caller who has to tell people about it. */
	isNew: boolean;
	approval: ApprovalRecord;
}

export interface DecisionRequest extends EventAddress {
	gate: string;
	approvalId: string;
	decision: 'approved' | 'rejected';
	by: string;
	comment?: string;
}

export interface DecisionResult {
	/**
	 * - `decided`: this call decided (or is the repetition of the one that did).
	 * - `voted`: counted, more people have to approve.
	 * - `already_decided`, `expired`: too late, `approval` says what holds.
	 * - `superseded`: the content changed since; `approval` is the newer request.
	 * - `unknown`: there is no such request.
	 */
	outcome: 'decided' | 'voted' | 'already_decided' | 'expired' | 'superseded' | 'unknown';
	approval?: ApprovalRecord;
}

export interface NoteRequest extends EventAddress {
	gate: string;
	approvalId: string;
	kind: NoteKind;
	by: string;
	reason?: string;
	/** How many such notes by the same person or execution there may be since the request was made. At most 20. */
	limit: number;
}

export interface NoteResult {
	/** False if there are enough already, or if this request does not hold any more. (A repetition may count twice.) */
	noted: boolean;
}

/**
 * Filters are combined with *and*. The order depends on them, so that no request has to read more than it
 * shows: by `executionId`, `fingerprint` or `keyPrefix`: in the order of keys; by a `state` other than `done`:
 * most urgent first; else newest first.
 */
export interface ListRequest {
	namespace?: string;
	state?: EventState;
	executionId?: string;
	/** Needs a `namespace`. */
	fingerprint?: string;
	/** Needs a `namespace`. */
	keyPrefix?: string;
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
	 * A claim's outcome, or the `kind` of a history entry. Besides: `rescued`, an event that was completed and had needed more than one
	 * attempt, and `rescue_seconds`, how long these took in all, from their first claim on.
	 */
	kind: string;
	count: number;
}

/** `stuck`: the lease ran out. `expired_gate`: nobody decided in time. */
export type WorkKind = 'stuck' | 'failed' | 'review' | 'expired_gate';

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
