import type {
	ApprovalRecord,
	ConflictRecord,
	EventSummary,
	HistoryEntry,
	StepRecord,
	StoppedPolicy,
	WinningOutcome,
} from '../records';

/** An event as the rules see it, without its values. Values of any kind are text here: see values.ts. */
export interface Event extends EventSummary {
	/** The rest of the claim's holder, of whom `executionId` is known to all. */
	instance?: string;
	nonce?: string;
	/** Which item of which run of which node won the claim. */
	claimant?: string;
	/** What the claim was won as. */
	outcome?: WinningOutcome;

	// What the claim asked for.
	leaseMs: number;
	retentionMs: number;
	onStopped: StoppedPolicy;
	keepInput?: true;
	/** The object whose version mark the claim raised, and to what. */
	object?: string;
	version?: number;

	/** Attempts are counted from this one: that of the last release. */
	attemptsSince: number;
	/** It waits for something that is no gate. */
	isPaused?: true;
	/** How many steps there are, how many of them are `started` or `failed`, and how many are `failed`. */
	steps: number;
	openSteps: number;
	failedSteps: number;
	/** How many history entries were appended since the last rotation; 0 as long as nothing happened since it was made. */
	entries: number;
	/** The newest request of each gate, without its content. */
	approvals: Approval[];
	/** The call that won the claim: its repetition, after a lost answer, is the same claim again. */
	claimCall: string;
	/** The newest few calls that wrote it since, newest first: they tell a lost answer from a lost race. */
	calls: string[];
}

export interface Step extends Omit<StepRecord, 'output' | 'undo'> {
	output?: string;
	undo?: string;
	/** Steps are shown in this order. */
	position: number;
	/** Which item began it. */
	claimant?: string;
	/** The call that began it, until it ends. Others may have written to the event since, so often that it forgot this call. */
	call?: string;
	/** Until when its undoing is handed out, and to which attempt if its run has it. */
	undoUntil?: number;
	undoAttempt?: number;
}

export interface Approval extends Omit<ApprovalRecord, 'content'> {
	/** How often what was noted: `<kind> <by>` → count. */
	notes?: Record<string, number>;
}

export interface Conflict extends Omit<ConflictRecord, 'input'> {
	input?: string;
}

/** Steps by {@link stepId}: all of an event, or those that a command is about. */
export interface Steps {
	get(id: string): Step | undefined;
	values(): Iterable<Step>;
}

/** What a rule is given: an event, and of what belongs to it at least what the command is about. */
export interface Found {
	/** Undefined if there is none, or if it is expired. */
	event?: Event;
	steps: Steps;
	/** By gate. */
	contents: ReadonlyMap<string, string>;
	result?: string;
}

/** Adds `n` to the tally of a kind. */
export interface Count {
	kind: string;
	n: number;
}

/** What comes of a command. Without an `event` nothing changes. */
export interface Decision<Reply> {
	reply: Reply;
	event?: Event;
	/** Those that change, whole. */
	steps: Step[];
	/** New contents of gates. */
	contents: Array<{ gate: string; content: string | undefined }>;
	conflict?: Conflict;
	/** Undefined: stays. Null: goes. */
	input?: string | null;
	result?: string | null;
	history: HistoryEntry[];
	counts: Count[];
	/** Added to the deliveries that were turned away, and when the event was delivered last. */
	duplicates: number;
	lastSeenAt?: number;
}

/** Names contain no control characters, so that this is unambiguous. */
export function stepId(name: string, row: string | undefined): string {
	return row === undefined ? name : `${name}\x1f${row}`;
}
