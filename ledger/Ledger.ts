import type {
	ApprovalRequest,
	ApprovalResult,
	DecisionRequest,
	DecisionResult,
	NoteRequest,
	NoteResult,
} from './contract/approvals';
import type { ClaimRequest, ClaimResult } from './contract/claims';
import type {
	CompleteRequest,
	DeleteRequest,
	FailByExecutionRequest,
	FailRequest,
	PauseRequest,
	ReleaseRequest,
	RenewRequest,
	WriteResult,
} from './contract/events';
import type {
	BeginStepRequest,
	BeginStepResult,
	FinishStepRequest,
	FinishStepResult,
	ResolveStepRequest,
	TakeUndosRequest,
	TakeUndosResult,
	UndoneRequest,
} from './contract/steps';
import type {
	CheckReport,
	ImportRequest,
	ListRequest,
	ListResult,
	PurgeRequest,
	PurgeResult,
	RecoveryRequest,
	Stats,
	StatsRequest,
	TakeRequest,
} from './contract/upkeep';
import type { ClaimError } from './errors';
import type { EventAddress, EventDetails, EventSummary, HistoryEntry, Recovery } from './records';

export type * from './contract/approvals';
export type * from './contract/claims';
export type * from './contract/events';
export type * from './contract/steps';
export type * from './contract/upkeep';

/** The result of one item of a batch: its value, or why the event's state did not allow it. */
export type ItemResult<T> = { ok: true; value: T } | { ok: false; error: ClaimError };

/**
 * The ledger: who works on which event, what is finished, and what a person has to decide. One contract,
 * three stores (embedded SQLite, Postgres, Redis) that behave the same.
 *
 * **Promised**
 * - Atomic per event: every operation on one (namespace, key) happens whole or not at all, and operations on
 *   the same event happen one after the other. Of any number of concurrent claims exactly one wins.
 * - Fencing: each won claim has a fresh attempt number. After a takeover every write of an older attempt is refused
 *   and changes nothing.
 * - Batches: up to 1,000 items cost one round trip (on Redis one per shard, sent together). Larger batches
 *   are split; results come back in the order of the requests. Two items with one key in the same batch
 *   behave as if they came one after the other.
 * - A lost answer is harmless: repeating any call, as the ledger itself does when a connection breaks, has
 *   the effect of calling once. Only `duplicates`, and the tallies of what was turned away, may be one too high for each lost answer.
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
	beginSteps(requests: BeginStepRequest[]): Promise<Array<ItemResult<BeginStepResult>>>;

	/** Records how a step ended. It need not have been begun. The first `done` stays: repeats change nothing. */
	finishSteps(requests: FinishStepRequest[]): Promise<Array<ItemResult<FinishStepResult>>>;

	/** Records what a person found out about steps in doubt. */
	resolveSteps(requests: ResolveStepRequest[]): Promise<Array<ItemResult<FinishStepResult>>>;

	/**
	 * Hands out the finished steps of events that said how to undo them, newest first: all of an event's together, to one caller
	 * per visibility time-out, until they are marked undone. Refused to operators while a run has the event.
	 */
	takeUndos(requests: TakeUndosRequest[]): Promise<Array<ItemResult<TakeUndosResult>>>;

	/** Records that finished steps were taken back. They may be run again from then on. */
	markUndone(requests: UndoneRequest[]): Promise<Array<ItemResult<FinishStepResult>>>;

	/**
	 * Ends events with a result, which every later duplicate gets. Refused while a step is started and not finished, or failed, unless
	 * an operator decides so.
	 */
	completeEvents(requests: CompleteRequest[]): Promise<Array<ItemResult<WriteResult>>>;

	/** Gives events up for now (`failed`: may be claimed again) or for a person (`review`). */
	failEvents(requests: FailRequest[]): Promise<Array<ItemResult<WriteResult>>>;

	/** Extends leases from now on. Ends the wait of an event, unless a gate of it is still open. */
	renewLeases(requests: RenewRequest[]): Promise<Array<ItemResult<WriteResult>>>;

	/** Lets events wait for something that is no gate, such as n8n's Wait node. The holder's next write ends it. */
	pauseEvents(requests: PauseRequest[]): Promise<Array<ItemResult<WriteResult>>>;

	/** Gives claims back: the event is `failed` and due at once, and gets its full number of attempts again. */
	releaseEvents(requests: ReleaseRequest[]): Promise<Array<ItemResult<WriteResult>>>;

	/** Fails every claim that an execution holds, for error workflows that know no keys. */
	failByExecution(request: FailByExecutionRequest): Promise<EventSummary[]>;

	/**
	 * Asks for approval, once per event, gate and content. A decision that was made about the same content is
	 * returned and not asked for again; changed content and expired requests are asked anew. The event has to
	 * exist.
	 */
	requestApprovals(requests: ApprovalRequest[]): Promise<Array<ItemResult<ApprovalResult>>>;

	/**
	 * Records one person's decision. The first decision wins; everyone after gets it shown. Who has approved already and does so again
	 * changes nothing.
	 */
	decideApproval(request: DecisionRequest): Promise<DecisionResult>;

	/**
	 * Notes in the history what became of a request: people were notified, it is awaited, was shown, or somebody tried to decide. At most
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

	/** Says that somebody hands out the unfinished work of a namespace, or of all, for some time to come. */
	registerRecovery(request: RecoveryRequest): Promise<void>;

	/** Who does. May be some seconds old. */
	recoveries(): Promise<Recovery[]>;

	/** A secret of this ledger, the same for everybody who asks for this name; made at the first time. Nothing else gives it out. */
	secret(name: string): Promise<string>;

	/** Records events as done that were handled elsewhere (backfill). Existing records are left alone. */
	importRecords(requests: ImportRequest[]): Promise<Array<'imported' | 'exists'>>;

	/** Erases events, whatever their state, with all that belongs to them: their next delivery is new. */
	deleteEvents(requests: DeleteRequest[]): Promise<Array<'deleted' | 'missing'>>;

	/** Removes expired records, a bounded number per call. */
	purge(request?: PurgeRequest): Promise<PurgeResult>;

	/** Looks at the store and says what is there and what is wrong, in plain words. */
	check(): Promise<CheckReport>;

	/** Lets go of connections. Idempotent; every other call fails afterwards. */
	close(): Promise<void>;
}
