import {
	type ClaimError,
	EventChangedError,
	EventClosedError,
	EventInUseError,
	EventNotFoundError,
	StaleClaimError,
} from '../errors';
import type { EventAddress, Holder } from '../records';
import type { Author } from './commands';
import { Draft } from './Draft';
import type { Event, Found } from './Event';
import { summary } from './present';
import { hasPendingGate, isLive, recordExpiries, renewLease } from './transitions';

/** What a write has found: an event that it may change, or why it may not. */
export type Access =
	| { draft: Draft; refusal?: undefined }
	| { draft?: undefined; refusal: ClaimError };

type Command = EventAddress & Author;

export function isHeldBy(event: Event, holder: Holder | undefined): boolean {
	return (
		holder !== undefined &&
		event.executionId === holder.executionId &&
		event.instance === holder.instance &&
		event.nonce === holder.nonce
	);
}

/** The very claim that the event has now, or had last. */
export function isClaimOf({ holder, attempt }: Author, event: Event): boolean {
	return event.attempt === attempt && isHeldBy(event, holder);
}

/**
 * *Held*: the claim is the author's, else stale; and the event is `processing`, or it is `waiting` and no gate of it is pending any
 * more, else closed. Every held write renews the lease.
 */
export function hold({ event }: Found, command: Command, now: number): Access {
	if (!event) return missing(command);
	if (!isClaimOf(command, event)) return { refusal: new StaleClaimError(summary(event)) };
	if (event.state !== 'processing' && event.state !== 'waiting') return closed(event);
	const draft = new Draft(event, now);
	if (event.state === 'waiting') {
		if (hasPendingGate(event, now)) return closed(event);
		recordExpiries(draft);
		draft.log('continued');
	}
	renewLease(draft);
	return { draft };
}

/** An operator: whatever the state, unless one is expected. */
export function operate({ event }: Found, { inState, ...command }: Command, now: number): Access {
	if (!event) return missing(command);
	if (inState !== undefined && event.state !== inState) {
		return { refusal: new EventChangedError(summary(event), inState) };
	}
	return { draft: new Draft(event, now) };
}

/** Who may give an event up: its holder, also while it waits, and an operator. */
export function giveable(
	found: Found,
	command: Command,
	now: number,
): Access | { repeated: Event } {
	const { event } = found;
	if (command.by !== undefined) return operate(found, command, now);
	if (!event) return missing(command);
	if (!isClaimOf(command, event)) return { refusal: new StaleClaimError(summary(event)) };
	if (event.state === 'failed' || event.state === 'review') return { repeated: event };
	return event.state === 'done' ? closed(event) : { draft: new Draft(event, now) };
}

/** Who may undo or resolve steps: the holder, and an operator when nobody has the event. */
export function settleable(found: Found, command: Command, now: number): Access {
	const { event } = found;
	if (command.by === undefined) return hold(found, command, now);
	if (!event) return missing(command);
	if (isLive(event, now)) return { refusal: new EventInUseError(summary(event)) };
	return { draft: new Draft(event, now) };
}

/** Who asks for approval: the holder, also while it waits; or anybody, without making the event wait. */
export function askable({ event }: Found, command: Command, now: number): Access {
	if (!event) return missing(command);
	if (command.holder === undefined) return { draft: new Draft(event, now) };
	if (!isClaimOf(command, event)) return { refusal: new StaleClaimError(summary(event)) };
	if (event.state !== 'processing' && event.state !== 'waiting') return closed(event);
	return { draft: new Draft(event, now) };
}

/** Did this author end the event that is done now? */
export function isEndedBy(event: Event, command: Author): boolean {
	return event.state === 'done' && (command.by !== undefined || isClaimOf(command, event));
}

export function missing({ namespace, key }: EventAddress): { refusal: ClaimError } {
	return { refusal: new EventNotFoundError(namespace, key) };
}

export function closed(event: Event): { refusal: ClaimError } {
	return { refusal: new EventClosedError(summary(event)) };
}
