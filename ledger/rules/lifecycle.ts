import { NEVER } from '../records';
import { EventClosedError, UnfinishedStepsError } from '../errors';
import type { ItemResult, WriteResult } from '../Ledger';
import { decodeValue } from '../values';
import { giveable, hold, isEndedBy, operate } from './authority';
import type {
	CompleteCommand,
	FailCommand,
	PauseCommand,
	ReleaseCommand,
	RenewCommand,
} from './commands';
import { type Draft, isOpen, unchanged } from './Draft';
import type { Decision, Event, Found, Step } from './Event';
import { ok, refused, stepsInOrder, summary } from './present';
import { end, giveUp, renewLease } from './transitions';

export type WriteReply = ItemResult<WriteResult>;

/**
 * `done` already (by this same claim, or for an operator) → `repeated`, with the stored result. By the holder: held, and no step begun
 * or, unless that is allowed, failed. By an operator: any state. Without a result none is left; without an external id an older one stays.
 */
export function complete(
	found: Found,
	command: CompleteCommand,
	now: number,
): Decision<WriteReply> {
	if (found.event && isEndedBy(found.event, command))
		return unchanged(repeated(found.event, found.result));
	const isOperator = command.by !== undefined;
	const { draft, refusal } = isOperator ? operate(found, command, now) : hold(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const { event } = draft;
	const { allowFailedSteps = false } = command;
	const inTheWay = event.openSteps - (allowFailedSteps ? event.failedSteps : 0);
	if (!isOperator && inTheWay > 0) {
		const isInTheWay = (step: Step) =>
			isOpen(step) && !(allowFailedSteps && step.state === 'failed');
		const open = stepsInOrder(found).filter(isInTheWay);
		return unchanged(refused(new UnfinishedStepsError(summary(event), open)));
	}
	end(draft);
	draft.result = command.result ?? null;
	event.externalId = command.externalId ?? event.externalId;
	countRescue(draft);
	draft.log('completed', { by: command.by, reason: command.reason });
	return draft.decide(written(event));
}

/** An event that had needed more than one attempt: how many these are, and how long they took from their first claim on. */
function countRescue(draft: Draft): void {
	const { event, now } = draft;
	if (event.attempt <= 1) return;
	draft.count('rescued');
	draft.count('rescue_seconds', 1 + Math.floor((now - event.createdAt) / 1000));
}

/** By the holder: `repeated` if it is `failed` or in `review` by this same claim. By an operator: any state but `done`. */
export function fail(found: Found, command: FailCommand, now: number): Decision<WriteReply> {
	const access = giveable(found, command, now);
	if ('repeated' in access) return unchanged(repeated(access.repeated));
	if (!access.draft) return unchanged(refused(access.refusal));
	const { draft } = access;
	if (draft.event.state === 'done') {
		return unchanged(refused(new EventClosedError(summary(draft.event))));
	}
	giveUp(draft, command);
	return draft.decide(written(draft.event));
}

export function renew(found: Found, command: RenewCommand, now: number): Decision<WriteReply> {
	const { draft, refusal } = hold(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	draft.event.leaseMs = command.leaseMs ?? draft.event.leaseMs;
	renewLease(draft);
	return draft.decide(written(draft.event));
}

/** The event waits with its execution: nobody takes it over while it does, unless it is overdue by a lease. */
export function pause(found: Found, command: PauseCommand, now: number): Decision<WriteReply> {
	const { draft, refusal } = hold(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const { event } = draft;
	event.state = 'waiting';
	event.isPaused = true;
	event.leaseUntil = command.forMs === undefined ? undefined : now + command.forMs + event.leaseMs;
	event.dueAt = event.leaseUntil ?? NEVER;
	draft.log('paused');
	return draft.decide(written(event));
}

/** By the holder: as for fail. By an operator: any state. Then it is `failed` and due, and attempts used start from zero. */
export function release(found: Found, command: ReleaseCommand, now: number): Decision<WriteReply> {
	const access = giveable(found, command, now);
	if ('repeated' in access) return unchanged(repeated(access.repeated));
	if (!access.draft) return unchanged(refused(access.refusal));
	const { draft } = access;
	const { event } = draft;
	event.state = 'failed';
	event.reason = command.reason ?? 'Released';
	event.dueAt = now;
	event.attemptsSince = event.attempt;
	event.leaseUntil = undefined;
	event.doneAt = undefined;
	event.expiresAt = undefined;
	event.isPaused = undefined;
	// A result that it had before is none.
	draft.result = null;
	draft.log('released', { by: command.by, reason: command.reason });
	return draft.decide(written(event));
}

function written(event: Event): WriteReply {
	return ok({ repeated: false, event: summary(event) });
}

function repeated(event: Event, result?: string): WriteReply {
	const value = { repeated: true, event: summary(event) };
	return ok(result === undefined ? value : { ...value, result: decodeValue(result) });
}
