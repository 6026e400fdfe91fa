import type { WorkKind } from '../contract/upkeep';
import type { EventState } from '../records';
import type { TakeCommand } from './commands';
import { Draft, unchanged } from './Draft';
import type { Decision, Event, Found } from './Event';
import { isLive } from './transitions';

/** Which states an event is in when it is this kind of work. */
export const STATES_OF: Record<WorkKind, readonly EventState[]> = {
	stuck: ['processing', 'waiting'],
	failed: ['failed'],
	review: ['review'],
	expired_gate: ['waiting'],
};

/**
 * `taken`: the caller has it for the visibility time-out. `later`: its lease was renewed since `dueAt` was set; that is put right now.
 * `left`: it is not for this caller.
 */
export type TakeReply = 'taken' | 'later' | 'left';

/**
 * What may be taken: due, of a wanted kind, created at least `minAgeMs` ago, attempt at least `minAttempts`; and if it is stuck or failed,
 * due since min(`backoffMs` × 2^(attempts used − 1), `maxBackoffMs`), with no attempts used since now.
 */
export function take({ event }: Found, command: TakeCommand, now: number): Decision<TakeReply> {
	if (!event || event.dueAt === undefined || event.dueAt > now) return unchanged<TakeReply>('left');
	if (isLive(event, now) && event.leaseUntil !== undefined) return later(event, now);
	if (!command.kinds.some((kind) => isOfKind(event, kind)) || !passes(event, command, now)) {
		return unchanged<TakeReply>('left');
	}
	const draft = new Draft(event, now);
	draft.event.dueAt = now + command.visibilityMs;
	draft.log('taken', { by: command.by });
	return draft.decide<TakeReply>('taken');
}

function later(event: Event, now: number): Decision<TakeReply> {
	const draft = new Draft(event, now);
	draft.event.dueAt = event.leaseUntil;
	return draft.decide<TakeReply>('later');
}

function isOfKind(event: Event, kind: WorkKind): boolean {
	if (!STATES_OF[kind].includes(event.state)) return false;
	return event.state !== 'waiting' || (kind === 'stuck') === (event.isPaused === true);
}

function passes(event: Event, command: TakeCommand, now: number): boolean {
	const { minAgeMs, minAttempts, backoffMs, maxBackoffMs } = command;
	const used = event.attempt - event.attemptsSince;
	const waits = event.state !== 'review' && event.state !== 'waiting' && used > 0;
	const backoff = waits ? Math.min(maxBackoffMs, backoffMs * 2 ** Math.min(used - 1, 20)) : 0;
	return (
		event.createdAt <= now - minAgeMs &&
		event.attempt >= minAttempts &&
		event.dueAt! + backoff <= now
	);
}
