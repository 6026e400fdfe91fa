import {
	type EventState,
	type EventSummary,
	HISTORY_LIMIT,
	type HistoryEntry,
	type StepState,
	type ApprovalState,
	type Vote,
	type WinningOutcome,
} from '../records';
import type { StoredApproval, StoredStep } from '../Store';

/** An event as `event_record` shows it: what has no value is null. */
export interface EventRow {
	readonly id: number;
	readonly namespaceId: number;
	readonly namespace: string;
	readonly key: string;
	readonly createdAt: number;
	fingerprint: string | null;
	state: EventState;
	dueAt: number | null;
	reason: string | null;
	attempt: number;
	token: string | null;
	claimant: string | null;
	executionId: string | null;
	workflowId: string | null;
	outcome: WinningOutcome | null;
	claimedAt: number;
	leaseUntil: number | null;
	lease: number;
	retention: number;
	maxAttempts: number;
	attemptsFrom: number;
	keepInput: 0 | 1;
	duplicates: number;
	lastSeenAt: number;
	doneAt: number | null;
	expiresAt: number | null;
	externalId: string | null;
	history: string | null;
}

export interface StepRow {
	name: string;
	state: StepState;
	attempt: number;
	tries: number;
	executionId: string;
	claimant: string | null;
	fingerprint: string | null;
	startedAt: number;
	finishedAt: number | null;
	externalId: string | null;
	output: string | null;
	undo: string | null;
	error: string | null;
	/** Until when its undoing is handed out, by which call, and of which attempt if its run has it. */
	undoUntil: number | null;
	undoCall: string | null;
	undoAttempt: number | null;
}

export interface ApprovalRow {
	gate: string;
	id: string;
	state: ApprovalState;
	fingerprint: string;
	content: string | null;
	required: number;
	/** JSON of {@link CountedVote}s. */
	votes: string;
	requestedAt: number;
	expiresAt: number | null;
	decidedAt: number | null;
	decidedBy: string | null;
	comment: string | null;
	previousFingerprint: string | null;
	previousState: ApprovalState | null;
}

/** A vote with the id that tells its repetition from a second vote. */
export type CountedVote = Vote & { id: string };

const SUMMARY_FIELDS = [
	'namespace',
	'key',
	'state',
	'attempt',
	'maxAttempts',
	'fingerprint',
	'executionId',
	'workflowId',
	'createdAt',
	'claimedAt',
	'leaseUntil',
	'dueAt',
	'doneAt',
	'expiresAt',
	'duplicates',
	'lastSeenAt',
	'reason',
	'externalId',
] as const;

const STEP_FIELDS = [
	'name',
	'state',
	'attempt',
	'tries',
	'executionId',
	'fingerprint',
	'startedAt',
	'finishedAt',
	'externalId',
	'output',
	'undo',
	'error',
] as const;

const APPROVAL_FIELDS = [
	'id',
	'gate',
	'fingerprint',
	'content',
	'required',
	'requestedAt',
	'expiresAt',
	'decidedAt',
	'decidedBy',
	'comment',
	'previousFingerprint',
	'previousState',
] as const;

export function toSummary(row: EventRow): EventSummary {
	return pick(row, SUMMARY_FIELDS) as unknown as EventSummary;
}

export function toStep(row: StepRow): StoredStep {
	return pick(row, STEP_FIELDS) as unknown as StoredStep;
}

/** As every read shows it: a pending gate is expired as soon as its time is over. */
export function toApproval(row: ApprovalRow, now: number): StoredApproval {
	const votes = votesOf(row).map(({ by, decision, at, comment }) => ({
		by,
		decision,
		at,
		...(comment !== undefined && { comment }),
	}));
	const fields = pick(row, APPROVAL_FIELDS) as unknown as StoredApproval;
	return { ...fields, state: stateOf(row, now), votes };
}

export function votesOf({ votes }: ApprovalRow): CountedVote[] {
	return JSON.parse(votes) as CountedVote[];
}

export function stateOf({ state, expiresAt }: ApprovalRow, now: number): ApprovalState {
	return state === 'pending' && expiresAt !== null && expiresAt <= now ? 'expired' : state;
}

/** The history of an event as text. A row that nothing has happened to since it was made has it in its other columns. */
export function historyOf({ history, createdAt, attempt, executionId }: EventRow): string {
	if (history !== null) return history;
	return JSON.stringify([{ at: createdAt, kind: 'new', attempt, executionId }]);
}

/** No entry is shorter: it has at least a time, a kind and an attempt. */
const SHORTEST_ENTRY = '{"at":0,"kind":"new","attempt":1}'.length;

/** Adds an entry to the text of a history; the newest {@link HISTORY_LIMIT} stay. */
export function withEntry(history: string, entry: HistoryEntry): string {
	// Hardly any history is so long that it has to be read to be sure that nothing must go.
	if (history.length < HISTORY_LIMIT * SHORTEST_ENTRY) {
		return `${history.slice(0, -1)},${JSON.stringify(entry)}]`;
	}
	const entries = [...(JSON.parse(history) as HistoryEntry[]), entry];
	return JSON.stringify(entries.slice(-HISTORY_LIMIT));
}

/** A field without a value is left out. Written for speed: batches make thousands of these. */
function pick<R extends object>(row: R, names: ReadonlyArray<keyof R>): Partial<R> {
	const fields: Partial<R> = {};
	for (const name of names) if (row[name] !== null) fields[name] = row[name];
	return fields;
}
