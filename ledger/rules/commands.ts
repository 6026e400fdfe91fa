import type { EventAddress, EventState, Holder, NoteKind, StoppedPolicy } from '../records';
import type { WorkKind } from '../contract/upkeep';

/** What the rules are asked: requests that were checked, with defaults filled in and values as text. */

export interface ClaimCommand extends EventAddress {
	holder: Holder;
	claimant: string;
	actsFor?: Holder;
	workflowId?: string;
	owner?: string;
	fingerprint?: string;
	alias?: string;
	leaseMs: number;
	retentionMs: number;
	maxAttempts: number;
	onStopped: StoppedPolicy;
	input?: string;
	keepInput?: true;
	object?: string;
	version?: number;
	findSameContent?: true;
	call: string;
}

export interface ImportCommand extends EventAddress {
	fingerprint?: string;
	result?: string;
	externalId?: string;
	doneAt?: number;
	retentionMs: number;
	call: string;
}

/** Who writes: an execution under a claim, or an operator. */
export interface Author {
	holder?: Holder;
	attempt?: number;
	by?: string;
	/** For operators: only if the event is in this state. */
	inState?: EventState;
}

export interface BeginCommand extends EventAddress, Author {
	kind: 'begin';
	/** Tells a repetition, whose first answer was lost. */
	call: string;
	step: string;
	row?: string;
	claimant: string;
	executionId: string;
	whenInDoubt: 'review' | 'repeat';
	repeatWithinMs?: number;
	fingerprint?: string;
}

export interface FinishCommand extends EventAddress, Author {
	kind: 'finish';
	step: string;
	row?: string;
	state: 'done' | 'failed';
	output?: string;
	externalId?: string;
	undo?: string;
	error?: string;
}

export interface ResolveCommand extends EventAddress, Author {
	kind: 'resolve';
	by: string;
	step: string;
	row?: string;
	resolution: 'happened' | 'did_not_happen';
	externalId?: string;
	output?: string;
	reason?: string;
}

export interface TakeUndosCommand extends EventAddress, Author {
	kind: 'takeUndos';
	visibilityMs: number;
}

export interface UndoneCommand extends EventAddress, Author {
	kind: 'markUndone';
	step: string;
	row?: string;
	reason?: string;
}

export interface CompleteCommand extends EventAddress, Author {
	kind: 'complete';
	allowFailedSteps?: true;
	result?: string;
	externalId?: string;
	reason?: string;
}

export interface FailCommand extends EventAddress, Author {
	kind: 'fail';
	as: 'failed' | 'review';
	reason: string;
	retryAfterMs: number;
}

export interface RenewCommand extends EventAddress, Author {
	kind: 'renew';
	/** Replaces the lease of the claim. */
	leaseMs?: number;
}

export interface PauseCommand extends EventAddress, Author {
	kind: 'pause';
	forMs?: number;
}

export interface ReleaseCommand extends EventAddress, Author {
	kind: 'release';
	reason?: string;
}

export interface ApprovalCommand extends EventAddress, Author {
	kind: 'requestApproval';
	/** Of the request, if one is made. */
	id: string;
	gate: string;
	fingerprint: string;
	content?: string;
	required: number;
	expiresInMs?: number;
}

export interface DecisionCommand extends EventAddress, Author {
	kind: 'decideApproval';
	by: string;
	gate: string;
	approvalId: string;
	decision: 'approved' | 'rejected';
	comment?: string;
}

export interface NoteCommand extends EventAddress, Author {
	kind: 'noteApproval';
	by: string;
	gate: string;
	approvalId: string;
	note: NoteKind;
	reason?: string;
	limit: number;
}

/** What `take` hands out, and to whom. */
export interface TakeCommand extends EventAddress {
	kind: 'take';
	kinds: WorkKind[];
	visibilityMs: number;
	minAgeMs: number;
	minAttempts: number;
	backoffMs: number;
	maxBackoffMs: number;
	by: string;
}

export type WriteCommand =
	| BeginCommand
	| FinishCommand
	| ResolveCommand
	| TakeUndosCommand
	| UndoneCommand
	| CompleteCommand
	| FailCommand
	| RenewCommand
	| PauseCommand
	| ReleaseCommand
	| ApprovalCommand
	| DecisionCommand
	| NoteCommand
	| TakeCommand;
