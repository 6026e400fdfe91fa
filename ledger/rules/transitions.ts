import { NEVER } from '../records';
import type { Draft } from './Draft';
import type { Event } from './Event';
import { stateOf } from './present';
import { usedUpReason } from './texts';

/** What several rules do to an event. */

/** Is somebody presumed to work on it, or to come back to it? */
export function isLive({ state, leaseUntil }: Event, now: number): boolean {
	if (state === 'processing') return leaseUntil! > now;
	return state === 'waiting' && (leaseUntil === undefined || leaseUntil > now);
}

export function isUsedUp({ attempt, attemptsSince }: Event, maxAttempts: number): boolean {
	return attempt - attemptsSince >= maxAttempts;
}

/** From now on. `dueAt` stays where it is if it comes earlier: who looks then sees that the claim is alive, and looks again later. */
export function renewLease({ event, now }: Draft): void {
	if (event.state !== 'processing') event.dueAt = now + event.leaseMs;
	event.state = 'processing';
	event.leaseUntil = now + event.leaseMs;
	event.dueAt = Math.min(event.dueAt ?? event.leaseUntil, event.leaseUntil);
	event.isPaused = undefined;
}

/** Its result is left to the caller. */
export function end(draft: Draft): void {
	const { event, now } = draft;
	event.state = 'done';
	event.doneAt = now;
	event.expiresAt = now + event.retentionMs;
	event.leaseUntil = undefined;
	event.dueAt = undefined;
	event.reason = undefined;
	event.isPaused = undefined;
	if (!event.keepInput) draft.input = null;
}

/** Without the tally, for claims: they count their outcome, which is `review` too. */
export function toReview(draft: Draft, reason: string, by?: string): void {
	const { event, now } = draft;
	event.state = 'review';
	event.reason = reason;
	event.dueAt = now;
	event.leaseUntil = undefined;
	event.isPaused = undefined;
	draft.remember('review', { by, reason });
}

/** When the attempts are used up, it is review in any case. */
export function giveUp(
	draft: Draft,
	{
		as,
		by,
		reason,
		retryAfterMs,
	}: { as: 'failed' | 'review'; by?: string; reason: string; retryAfterMs: number },
): void {
	const { event, now } = draft;
	const usedUp = as === 'failed' && isUsedUp(event, event.maxAttempts);
	if (as === 'review' || usedUp) {
		toReview(draft, usedUp ? usedUpReason(event.maxAttempts, reason) : reason, by);
		draft.count('review');
		return;
	}
	event.state = 'failed';
	event.reason = reason;
	event.dueAt = now + retryAfterMs;
	event.leaseUntil = undefined;
	event.isPaused = undefined;
	draft.log('failed', { by, reason });
}

export function hasPendingGate({ approvals }: Event, now: number): boolean {
	return approvals.some((approval) => stateOf(approval, now) === 'pending');
}

/** When the first of the pending gates expires, or never. */
export function nextExpiry({ approvals }: Event, now: number): number {
	const pending = approvals.filter((approval) => stateOf(approval, now) === 'pending');
	return Math.min(NEVER, ...pending.map(({ expiresAt }) => expiresAt ?? NEVER));
}

/** Records which pending gates this write is the first to find expired: all of them, or that of one gate. */
export function recordExpiries(draft: Draft, gate?: string): void {
	const { event, now } = draft;
	event.approvals = event.approvals.map((approval) => {
		const isMeant = gate === undefined || approval.gate === gate;
		if (!isMeant || approval.state !== 'pending' || stateOf(approval, now) === 'pending')
			return approval;
		draft.log('approval_expired', { gate: approval.gate });
		return { ...approval, state: 'expired' };
	});
}
