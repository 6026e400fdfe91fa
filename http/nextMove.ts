import { backoff, type BackoffSettings } from './backoff';
import type { AnswerClass } from './classify';
import { isIdempotent, type Method } from './methods';

/** What came of one attempt, or of asking the destination whether it happened. */
export type Result =
	| { kind: 'answered'; class: AnswerClass; status: number; retryAfterMs?: number }
	| { kind: 'not_sent'; permanent?: boolean }
	| { kind: 'unknown' }
	| { kind: 'looked_up'; found: 'happened' | 'absent' | 'unclear' };

export interface RetrySettings extends BackoffSettings {
	maxAttempts: number;
	/** No attempt begins later than this after the first. */
	deadlineMs: number;
	/** For a longer wait no worker is held up: the event is parked. */
	longestWaitMs: number;
}

export interface Situation {
	method: Method;
	/** The destination recognises a repeat by its key, and still does. */
	isProtected: boolean;
	canLookUp: boolean;
	/** An earlier attempt may have had its effect. */
	inDoubt: boolean;
	attempts: number;
	elapsedMs: number;
}

/**
 * What to do next:
 * - `finish`: it happened.
 * - `send`, `look_up`: after a wait.
 * - `park`: give the event back until then.
 * - `fail`: stop. `known`: it did not happen. Else it may have, and repeating it is safe.
 * - `review`: it may have happened, and only a person can tell.
 */
export type Move =
	| { do: 'finish' }
	| { do: 'send' | 'look_up' | 'park'; waitMs: number }
	| { do: 'fail'; known: boolean }
	| { do: 'review' };

export interface Decision {
	move: Move;
	inDoubt: boolean;
}

/**
 * The heart of it: an effect is asked for again only if it is known not to have happened, or if asking twice has the effect of
 * asking once.
 */
export function nextMove(
	result: Result,
	situation: Situation,
	settings: RetrySettings,
	random?: () => number,
): Decision {
	const inDoubt = leavesDoubt(result, situation);
	return { inDoubt, move: move(result, { ...situation, inDoubt }, settings, random) };
}

/** Whether the effect may have happened, as far as is known after this. */
function leavesDoubt(result: Result, { inDoubt }: Situation): boolean {
	switch (result.kind) {
		case 'not_sent':
			return inDoubt;
		case 'unknown':
			return true;
		case 'looked_up':
			return result.found !== 'absent' && inDoubt;
		case 'answered':
			return inDoubt || ['failing', 'stuck', 'in_progress', 'mismatch'].includes(result.class);
	}
}

function move(
	result: Result,
	situation: Situation,
	settings: RetrySettings,
	random?: () => number,
): Move {
	switch (result.kind) {
		case 'not_sent':
			return result.permanent ? giveUp(situation) : again(situation, settings, undefined, random);
		case 'unknown':
			return again(situation, settings, undefined, random);
		case 'looked_up':
			if (result.found === 'happened') return { do: 'finish' };
			if (result.found === 'unclear') return { do: 'review' };
			return again(situation, settings, 0, random);
		case 'answered':
			return afterAnswer(result, situation, settings, random);
	}
}

function afterAnswer(
	{ class: answer, status, retryAfterMs }: Extract<Result, { kind: 'answered' }>,
	situation: Situation,
	settings: RetrySettings,
	random?: () => number,
): Move {
	switch (answer) {
		case 'success':
		case 'exists':
			return { do: 'finish' };
		case 'mismatch':
			return { do: 'review' };
		case 'refused':
		case 'in_progress':
		case 'failing':
			return again(situation, settings, retryAfterMs, random);
		case 'stuck':
			return askOrReview(situation, settings, random);
		case 'final':
			// What an earlier attempt removed is not there any more.
			if (
				situation.inDoubt &&
				situation.method === 'DELETE' &&
				(status === 404 || status === 410)
			) {
				return { do: 'finish' };
			}
			return giveUp(situation);
	}
}

function askOrReview(situation: Situation, settings: RetrySettings, random?: () => number): Move {
	if (!situation.canLookUp) return { do: 'review' };
	return { do: 'look_up', waitMs: backoff(situation.attempts, settings, random) };
}

/** Sends it again, if that is safe and there is time and a wait that is not too long. */
function again(
	situation: Situation,
	settings: RetrySettings,
	askedMs: number | undefined,
	random?: () => number,
): Move {
	if (situation.inDoubt && !isRepeatable(situation))
		return askOrReview(situation, settings, random);
	// Not sooner than asked for, and not all at the same moment.
	const waitMs = Math.max(askedMs ?? 0, backoff(situation.attempts, settings, random));
	if (waitMs > settings.longestWaitMs) return { do: 'park', waitMs };
	const isOver =
		situation.attempts >= settings.maxAttempts ||
		situation.elapsedMs + waitMs > settings.deadlineMs;
	return isOver ? giveUp(situation) : { do: 'send', waitMs };
}

function giveUp(situation: Situation): Move {
	if (!situation.inDoubt) return { do: 'fail', known: true };
	if (isRepeatable(situation)) return { do: 'fail', known: false };
	return { do: 'review' };
}

function isRepeatable({ method, isProtected }: Situation): boolean {
	return isProtected || isIdempotent(method);
}
