import type { BeginStepResult, CheckReport, DecisionResult, Stats, WorkKind } from './Ledger';
import type {
	ApprovalRecord,
	ClaimOutcome,
	EventAddress,
	EventRecord,
	EventState,
	EventSummary,
	HistoryEntry,
	NoteKind,
	StepRecord,
	StoppedPolicy,
} from './records';

/**
 * What a store has to do for `StoreLedger`: the same operations as the contract, but already checked, with
 * defaults filled in, values as text and at most {@link BATCH_LIMIT} commands at a time. Commands and replies are
 * plain JSON, because the same text goes to a SQL function, a Lua script and the embedded store. A field without
 * a value is left out, never null. Replies are in the order of the commands.
 *
 * **Rules that all stores follow** (the conformance suite checks them)
 *
 * - *live record*: a `done` event whose `expiresAt` has passed does not exist; claiming or importing it starts
 *   from nothing (steps, gates and history go too).
 * - *held by a token*: the token is the event's present one, else `stale`; and the event is `processing`, or it
 *   is `waiting` and no gate is pending any more (it is then `processing` again, history `continued`), else `closed`.
 *   No record at all: `missing`. Every held write renews the lease: `leaseUntil` = `dueAt` = now + lease.
 * - *operator* (`by` instead of a token): no token is asked for. With `inState`, an event in another state is `closed`.
 * - *won* (claim): attempt + 1, the command's token, claimant, execution, lease, retention and limits replace the
 *   old; its fingerprint and input only if it has them; the reason goes; history and tally get the outcome.
 * - *turned away* (claim): `duplicates` + 1, `lastSeenAt` = now, tally of the outcome, no history.
 * - *attempts used* = attempt − (attempt at the last release) ≥ maxAttempts.
 * - *to review*: state `review`, the reason, `dueAt` = now, no lease, history `review`, tally `review` — or, when it
 *   happens in a claim, only the tally of the claim's outcome, which is `review` too.
 * - history entries have `at`, `kind`, `attempt` and what is known of `executionId`, `step`, `gate`, `by`, `reason`; the newest
 *   {@link HISTORY_LIMIT} stay. Each history entry also counts in the tally of its namespace, day (UTC) and kind.
 */
export interface LedgerStore {
	readonly kind: CheckReport['store'];

	/**
	 * How many calls of one operation are under way at once, if there are enough small ones. One where a transaction costs more
	 * than what is done in it; more where this process would wait while the store works, and the other way round. Default 1.
	 */
	readonly callsAtOnce?: number;

	/** The table of DESIGN §3, in `claim` below. */
	claim(commands: ClaimCommand[]): Promise<ClaimReply[]>;
	begin(commands: BeginCommand[]): Promise<BeginReply[]>;
	finish(commands: FinishCommand[]): Promise<FinishReply[]>;
	takeUndos(commands: TakeUndosCommand[]): Promise<TakeUndosReply[]>;
	markUndone(commands: UndoneCommand[]): Promise<FinishReply[]>;
	complete(commands: CompleteCommand[]): Promise<WriteReply[]>;
	fail(commands: FailCommand[]): Promise<WriteReply[]>;
	renew(commands: RenewCommand[]): Promise<WriteReply[]>;
	release(commands: ReleaseCommand[]): Promise<WriteReply[]>;
	/** Applies `fail` to all `processing` and `waiting` events of an execution, as if their holder did it. */
	failByExecution(command: FailByExecutionCommand): Promise<EventSummary[]>;
	requestApprovals(commands: ApprovalCommand[]): Promise<ApprovalReply[]>;
	decideApproval(command: DecisionCommand): Promise<DecisionReply>;
	noteApproval(command: NoteCommand): Promise<NoteReply>;
	get(addresses: EventAddress[]): Promise<Array<StoredDetails | null>>;
	list(query: ListQuery): Promise<EventSummary[]>;
	history(addresses: EventAddress[]): Promise<HistoryEntry[][]>;
	stats(query: { namespace?: string; days: number }): Promise<Stats>;
	/** History and tally `taken`; changes `dueAt` only. Most urgent first. */
	take(command: TakeCommand): Promise<StoredDetails[]>;
	import(commands: ImportCommand[]): Promise<ImportReply[]>;
	/** As if it had expired, and tally `deleted`. */
	delete(addresses: EventAddress[]): Promise<boolean[]>;
	/** Removes up to `limit` expired events (tally `purged`, also when a claim replaces one); says how many. */
	purge(limit: number): Promise<number>;
	check(): Promise<CheckReport>;
	close(): Promise<void>;
}

/** How many commands one call to a store may have. */
export const BATCH_LIMIT = 1000;

/** `dueAt` of what is never due by itself: the end of the year 9999. */
export const NEVER = 253_402_300_799_000;

// --- Stored records: as in records.ts, with values as text ---

export type StoredEvent = Omit<EventRecord, 'input' | 'result'> & {
	input?: string;
	result?: string;
};
export type StoredStep = Omit<StepRecord, 'output' | 'undo'> & { output?: string; undo?: string };
export type StoredApproval = Omit<ApprovalRecord, 'content'> & { content?: string };
export interface StoredDetails {
	event: StoredEvent;
	steps: StoredStep[];
	approvals: StoredApproval[];
}

// --- Claims ---

/**
 * In this order, for a live record:
 *
 * 1. its token is the command's token: the answer to this very command was lost → the same outcome again, nothing changes
 * 2. both have a fingerprint and they differ → `conflict`
 * 3. `done` → `duplicate`; `waiting` → `waiting`; `review` → `review`
 * 4. `processing`, lease live, and neither the claimant is the same nor `held` its token → `in_progress`
 * 5. from here on the claim could be won, so ordering counts: the object's mark is above `version` → `stale`, and the
 *    record, which must not be run any more, becomes `done` (history `superseded`, expires after its retention)
 * 6. `processing`, lease live → `resumed`
 * 7. attempts used, or `processing` (lease over) and policy `review` → to review, `review`
 * 8. `failed` → `retry`; `processing` → `recovered`
 *
 * Without a live record: mark above `version` → `stale`, no record is made; else `new`. A command with `object` that is
 * not stale raises the mark to `version`. Marks live for the retention of the newest claim.
 *
 * Reasons: `Attempt 2 of execution 17 stopped before it finished`, `All 5 attempts are used up` and, after a failure,
 * `All 5 attempts are used up; last: <its reason>`.
 */
export interface ClaimCommand extends EventAddress {
	token: string;
	claimant: string;
	held?: string;
	executionId: string;
	workflowId?: string;
	fingerprint?: string;
	lease: number;
	retention: number;
	maxAttempts: number;
	onStopped: StoppedPolicy;
	input?: string;
	keepInput?: true;
	object?: string;
	version?: number;
	findSameContent?: true;
}

export interface ClaimReply {
	outcome: ClaimOutcome;
	/** The store's time; for `new` it stands for the whole event, which the caller knows. */
	now: number;
	/** For all but `new` and a `stale` without record; with `result`, without `input`. */
	event?: StoredEvent;
	/** When there are any. */
	steps?: StoredStep[];
	sameContentAs?: string;
}

// --- Steps ---

/** What became of a write: `unfinished` only for complete, `not_done` only for markUndone. */
export type WriteStatus =
	| 'ok'
	| 'repeated'
	| 'stale'
	| 'closed'
	| 'missing'
	| 'unfinished'
	| 'not_done';

/**
 * For the step of a held event:
 *
 * 1. none, `failed` or `undone` → started, `run` (tries + 1; `startedAt` stays that of the first start)
 * 2. both have a fingerprint and they differ → `conflict`
 * 3. `done` → `done`
 * 4. started by this attempt and another claimant → `in_progress`
 * 5. `repeat`, and (if given) `repeatWithin` since `startedAt` has not passed → started again, `run`
 * 6. event to review, `in_doubt`: `Step 'x' was started by attempt 1 of execution 17 and not finished`
 *
 * A start has history `step_started`. A store whose answers can get lost recognises the repetition of a command that it has
 * carried out, and answers it as before.
 */
export interface BeginCommand extends EventAddress {
	token: string;
	step: string;
	claimant: string;
	executionId: string;
	whenInDoubt: 'review' | 'repeat';
	repeatWithin?: number;
	fingerprint?: string;
}

export interface BeginReply {
	status: WriteStatus;
	outcome?: BeginStepResult['outcome'];
	step?: StoredStep;
	event?: EventSummary;
}

/**
 * A step that is done stays as it is: `repeated`, even when the event is done or failed since (with the right token).
 * Otherwise the event has to be held, and the step gets its state, `finishedAt` and the command's fields (fields that the
 * command lacks go); a step that was never begun gets `startedAt` = now, tries 1 and the event's execution.
 * History `step_done` or `step_failed`.
 */
export interface FinishCommand extends EventAddress {
	token: string;
	step: string;
	state: 'done' | 'failed';
	output?: string;
	externalId?: string;
	undo?: string;
	error?: string;
}

export interface FinishReply {
	status: WriteStatus;
	step?: StoredStep;
	event?: EventSummary;
}

/**
 * *Undoing*: by token the event has to be held; by an operator it must not be `waiting`, nor `processing` with a live lease (`closed`).
 *
 * Of the steps that are `done` and have an `undo`: if any was handed out and its time is not over → none, but a holder gets what an
 * earlier attempt had. Else all, until
 * now + visibility; history `undo_taken` if there are any. The repetition of a call gets what it got.
 */
export interface TakeUndosCommand extends EventAddress {
	token?: string;
	by?: string;
	visibility: number;
	/** Tells a repetition, whose first answer was lost. */
	call: string;
}

export interface TakeUndosReply {
	status: WriteStatus;
	/** In the order in which they were begun. */
	undos?: StoredStep[];
	event?: EventSummary;
}

/** *Undoing*, and the step has to be `done` (`undone`: `repeated`), else `not_done`. Then `undone`, history `step_undone`. */
export interface UndoneCommand extends EventAddress {
	token?: string;
	by?: string;
	step: string;
	reason?: string;
}

// --- Events ---

/**
 * `done` already (for a token: by this same claim) → `repeated`, with the stored result. By token: held, and no step
 * `started`, else `unfinished`. By an operator: any state. Then `done`, history `completed`, expires after its retention,
 * tally `rescued` and, in `rescue_seconds`, seconds since `createdAt` (1 + whole ones) if the attempt is not the first,
 * input dropped unless kept, reason, lease and due gone. Without a result none is left; without an external id an older one stays.
 */
export interface CompleteCommand extends EventAddress {
	token?: string;
	by?: string;
	inState?: EventState;
	result?: string;
	externalId?: string;
	reason?: string;
}

/**
 * By token: `processing` or `waiting`, else `repeated` if it is `failed` or in `review` by this same claim, else `closed`.
 * By an operator: any state but `done` (`closed`). `failed` with attempts used is to review, with the reason
 * `All 5 attempts are used up; last: <reason>`. `dueAt` = now + retryAfter (`failed`) or now (`review`). History `failed` or `review`.
 */
export interface FailCommand extends EventAddress {
	token?: string;
	by?: string;
	inState?: EventState;
	as: 'failed' | 'review';
	reason: string;
	retryAfter: number;
}

export interface RenewCommand extends EventAddress {
	token: string;
	/** Replaces the lease of the claim. */
	lease?: number;
}

/**
 * By token: as for fail. By an operator: any state. Then `failed`, due now, reason as given (none: `Released`), attempts
 * used start from zero, a `done` event's expiry goes. History `released`.
 */
export interface ReleaseCommand extends EventAddress {
	token?: string;
	by?: string;
	inState?: EventState;
	reason?: string;
}

export interface FailByExecutionCommand {
	executionId: string;
	as: 'failed' | 'review';
	reason: string;
}

export interface WriteReply {
	status: WriteStatus;
	/** In all cases but `missing`. */
	event?: EventSummary;
	/** With `repeated` of complete. */
	result?: string;
	/** With `unfinished`: the names of the steps, in their order. */
	steps?: string[];
}

// --- Gates ---

/**
 * A pending gate whose `expiresAt` has passed is `expired`, in every read; the first write that meets it records that (history
 * `approval_expired`).
 *
 * With a token the event has to be `processing` or `waiting` with that token (else `stale`, `closed`); without, it only has to
 * exist. Same id → this very command again, `isNew`. Pending, approved or rejected with the same fingerprint → that one. Else
 * the command's request is stored, with the previous fingerprint and state, `isNew`, history `approval_requested`.
 * With a token and a pending gate: the event is `waiting`, without lease, due when the first of its pending gates expires or never.
 */
export interface ApprovalCommand extends EventAddress {
	id: string;
	gate: string;
	token?: string;
	fingerprint: string;
	content?: string;
	required: number;
	expiresIn?: number;
}

export interface ApprovalReply {
	status: WriteStatus;
	isNew?: boolean;
	approval?: StoredApproval;
	event?: EventSummary;
}

/**
 * No event or gate → `unknown`; another id → `superseded`; a vote with this `voteId` → the answer it got; not pending →
 * `already_decided` or `expired`; approved by the same person before → `voted`, nothing changes. Else the vote is kept (history
 * `vote`): `rejected` decides; `approved` decides when `required` different people have approved, else `voted`. A decision has history
 * `approved` or `rejected` (instead of `vote`), and a waiting event without another pending gate is `processing` again, with a fresh
 * lease; with one, it is due when the first of those that are left expires or never.
 */
export interface DecisionCommand extends EventAddress {
	gate: string;
	approvalId: string;
	voteId: string;
	decision: 'approved' | 'rejected';
	by: string;
	comment?: string;
}

export interface DecisionReply {
	outcome: DecisionResult['outcome'];
	approval?: StoredApproval;
}

/**
 * The gate's present request has this id, and the history since its `approval_requested` (all of it, if that was dropped) has fewer
 * than `limit` entries of this kind, gate and `by` → one more, `noted`. Else nothing changes.
 */
export interface NoteCommand extends EventAddress {
	gate: string;
	approvalId: string;
	kind: NoteKind;
	by: string;
	reason?: string;
	limit: number;
}

export interface NoteReply {
	noted: boolean;
}

// --- Reads and upkeep ---

/**
 * One of three ways through the records, each with an index, each with what the last page ended on:
 * - `key`: by (namespace, key) in byte order; has `executionId`, or `namespace` and `fingerprint`, or `namespace` and `keyPrefix`
 * - `due`: of one `state`, by (dueAt, namespace, key)
 * - `created`: by (createdAt, namespace, key), downwards
 *
 * `createdAfter` and `createdBefore` are not part of what they enclose.
 */
export type ListQuery = {
	namespace?: string;
	state?: EventState;
	executionId?: string;
	fingerprint?: string;
	keyPrefix?: string;
	createdAfter?: number;
	createdBefore?: number;
	limit: number;
	order: 'key' | 'due' | 'created';
	after?: { time: number; namespace: string; key: string };
};

/**
 * What may be taken: created at least `minAge` ago, attempt at least `minAttempts`; and if `processing` or `failed`, due since
 * min(`backoff` × 2^(attempts used − 1), `maxBackoff`), with no attempts used since now.
 */
export interface TakeFilter {
	minAge: number;
	minAttempts: number;
	backoff: number;
	maxBackoff: number;
}

export interface TakeCommand extends TakeFilter {
	kinds: WorkKind[];
	namespace?: string;
	limit: number;
	visibility: number;
	by: string;
}

/** History and tally `imported`; attempt 0, no execution. */
export interface ImportCommand extends EventAddress {
	fingerprint?: string;
	result?: string;
	externalId?: string;
	doneAt?: number;
	retention: number;
}

export interface ImportReply {
	status: 'imported' | 'exists';
}
