import {
	type ClaimError,
	EventChangedError,
	EventClosedError,
	EventInUseError,
	EventNotFoundError,
	StaleClaimError,
	StepNotDoneError,
	UnfinishedStepsError,
} from './errors';
import type { ClaimResult, Settled } from './Ledger';
import {
	type ApprovalRecord,
	type EventAddress,
	type EventDetails,
	type EventRecord,
	type EventState,
	type EventSummary,
	type StepRecord,
	WINNING_OUTCOMES,
	type WinningOutcome,
} from './records';
import { optional } from './requests';
import {
	type ClaimCommand,
	type ClaimReply,
	NEVER,
	type StoredApproval,
	type StoredDetails,
	type StoredEvent,
	type StoredStep,
	type WriteStatus,
} from './Store';
import { decodeValue } from './values';

// From what a store replies to what the contract promises.

export function claimResult(command: ClaimCommand, reply: ClaimReply): ClaimResult {
	const { outcome, sameContentAs } = reply;
	const steps = reply.steps ? reply.steps.map(step) : [];
	if (!isWinning(outcome)) {
		return { claimed: false, outcome, event: optional(reply.event, record), steps };
	}
	const event = reply.event ? withoutValues(reply.event) : firstClaim(command, reply.now);
	const won = { claimed: true as const, outcome, token: command.token, event, steps };
	return sameContentAs === undefined ? won : { ...won, sameContentAs };
}

function isWinning(outcome: string): outcome is WinningOutcome {
	return (WINNING_OUTCOMES as readonly string[]).includes(outcome);
}

/** A `new` event is what was asked for, from now on: the store need not repeat it. */
function firstClaim(command: ClaimCommand, now: number): EventSummary {
	return {
		namespace: command.namespace,
		key: command.key,
		state: 'processing',
		attempt: 1,
		maxAttempts: command.maxAttempts,
		fingerprint: command.fingerprint,
		executionId: command.executionId,
		workflowId: command.workflowId,
		createdAt: now,
		claimedAt: now,
		leaseUntil: now + command.lease,
		dueAt: now + command.lease,
		duplicates: 0,
		lastSeenAt: now,
	};
}

export function settle<T>(
	reply: { status: WriteStatus; event?: EventSummary; steps?: string[] },
	command: EventAddress,
	value: (event: EventSummary) => T,
): Settled<T> {
	const error = refusal(reply, command);
	return error ? { ok: false, error } : { ok: true, value: value(summary(reply.event!)) };
}

function refusal(
	{ status, event, steps }: { status: WriteStatus; event?: EventSummary; steps?: string[] },
	command: EventAddress & { by?: string; inState?: EventState; step?: string },
): ClaimError | undefined {
	if (status === 'missing') return new EventNotFoundError(command.namespace, command.key);
	if (status === 'stale') return new StaleClaimError(summary(event!));
	if (status === 'closed') return closed(summary(event!), command);
	if (status === 'not_done') return new StepNotDoneError(summary(event!), command.step!);
	if (status === 'unfinished') return new UnfinishedStepsError(summary(event!), steps!);
	return undefined;
}

/** Operators may write whatever the state, but for what a run is at. */
function closed(
	event: EventSummary,
	{ by, inState }: { by?: string; inState?: EventState },
): ClaimError {
	if (inState !== undefined) return new EventChangedError(event, inState);
	const isInUse = event.state === 'processing' || event.state === 'waiting';
	return by !== undefined && isInUse ? new EventInUseError(event) : new EventClosedError(event);
}

export function summary(stored: EventSummary): EventSummary {
	const { dueAt, ...rest } = stored;
	return dueAt === undefined || dueAt >= NEVER ? rest : { ...rest, dueAt };
}

/** The winner knows the input; a result that an event had before it was released is none. */
function withoutValues(stored: StoredEvent): EventSummary {
	const event = { ...stored };
	delete event.input;
	delete event.result;
	return summary(event as EventSummary);
}

function record({ input, result, ...rest }: StoredEvent): EventRecord {
	return {
		...summary(rest),
		...(input !== undefined && { input: decodeValue(input) }),
		...(result !== undefined && { result: decodeValue(result) }),
	};
}

export function step({ output, undo, ...rest }: StoredStep): StepRecord {
	return {
		...rest,
		...(output !== undefined && { output: decodeValue(output) }),
		...(undo !== undefined && { undo: decodeValue(undo) }),
	};
}

export function approval({ content, ...rest }: StoredApproval): ApprovalRecord {
	return { ...rest, ...(content !== undefined && { content: decodeValue(content) }) };
}

export function details(stored: StoredDetails): EventDetails {
	return {
		event: record(stored.event),
		steps: stored.steps.map(step),
		approvals: stored.approvals.map(approval),
	};
}
