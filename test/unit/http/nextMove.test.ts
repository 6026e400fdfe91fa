import fc from 'fast-check';

import type { AnswerClass } from '../../../http/classify';
import { METHODS } from '../../../http/methods';
import {
	type Decision,
	nextMove,
	type Result,
	type RetrySettings,
	type Situation,
} from '../../../http/nextMove';

const settings: RetrySettings = {
	maxAttempts: 4,
	deadlineMs: 60_000,
	longestWaitMs: 30_000,
	baseMs: 1000,
	capMs: 8000,
};

const unprotected: Situation = {
	method: 'POST',
	isProtected: false,
	canLookUp: false,
	inDoubt: false,
	attempts: 1,
	elapsedMs: 0,
};
const withKey = { ...unprotected, isProtected: true };
const put = { ...unprotected, method: 'PUT' as const };
const withLookUp = { ...unprotected, canLookUp: true };

const answered = (answer: AnswerClass, status = 0, retryAfterMs?: number): Result => ({
	kind: 'answered',
	class: answer,
	status,
	retryAfterMs,
});
const notSent: Result = { kind: 'not_sent' };
const unknown: Result = { kind: 'unknown' };

const decide = (result: Result, situation: Situation) =>
	nextMove(result, situation, settings, () => 1);

const sendAfter = (waitMs: number) => ({ do: 'send', waitMs });
const fail = (known: boolean) => ({ do: 'fail', known });

describe('The next move after', () => {
	it.each<[string, Result, Situation, Decision['move'] | object, boolean]>([
		['success', answered('success'), unprotected, { do: 'finish' }, false],
		['what exists already', answered('exists'), withKey, { do: 'finish' }, false],
		['a refusal', answered('refused'), unprotected, sendAfter(1000), false],
		['a refusal with a wait', answered('refused', 429, 5000), unprotected, sendAfter(5000), false],
		[
			'a refusal with a long wait',
			answered('refused', 429, 31_000),
			unprotected,
			{ do: 'park', waitMs: 31_000 },
			false,
		],
		['the last refusal', answered('refused'), { ...unprotected, attempts: 4 }, fail(true), false],
		[
			'a refusal too late',
			answered('refused'),
			{ ...unprotected, elapsedMs: 59_001 },
			fail(true),
			false,
		],
		['a final no', answered('final', 400), unprotected, fail(true), false],
		['nothing sent', notSent, unprotected, sendAfter(1000), false],
		['nothing sent for the last time', notSent, { ...unprotected, attempts: 4 }, fail(true), false],
		[
			'nothing sent, for ever',
			{ kind: 'not_sent', permanent: true },
			unprotected,
			fail(true),
			false,
		],
		['an unknown outcome', unknown, unprotected, { do: 'review' }, true],
		['an unknown outcome with a key', unknown, withKey, sendAfter(1000), true],
		['an unknown outcome of a PUT', unknown, put, sendAfter(1000), true],
		['an unknown outcome, asking', unknown, withLookUp, { do: 'look_up', waitMs: 1000 }, true],
		[
			'the last unknown outcome with a key',
			unknown,
			{ ...withKey, attempts: 4 },
			fail(false),
			true,
		],
		['a failing server', answered('failing', 500), unprotected, { do: 'review' }, true],
		['a failing server with a key', answered('failing', 500), withKey, sendAfter(1000), true],
		[
			'a failing server with a long wait',
			answered('failing', 503, 99_000),
			withKey,
			{ do: 'park', waitMs: 99_000 },
			true,
		],
		['a stuck one with a key', answered('stuck', 500), withKey, { do: 'review' }, true],
		[
			'a stuck one, asking',
			answered('stuck', 302),
			withLookUp,
			{ do: 'look_up', waitMs: 1000 },
			true,
		],
		['one in progress', answered('in_progress', 409), withKey, sendAfter(1000), true],
		[
			'one in progress, key too old',
			answered('in_progress', 409),
			unprotected,
			{ do: 'review' },
			true,
		],
		['another request under the key', answered('mismatch', 422), withKey, { do: 'review' }, true],
		[
			'a look-up that found it',
			{ kind: 'looked_up', found: 'happened' },
			{ ...withLookUp, inDoubt: true },
			{ do: 'finish' },
			true,
		],
		[
			'a look-up that did not',
			{ kind: 'looked_up', found: 'absent' },
			{ ...withLookUp, inDoubt: true },
			sendAfter(1000),
			false,
		],
		[
			'one that did not, too late',
			{ kind: 'looked_up', found: 'absent' },
			{ ...withLookUp, inDoubt: true, attempts: 4 },
			fail(true),
			false,
		],
		[
			'a look-up that cannot tell',
			{ kind: 'looked_up', found: 'unclear' },
			{ ...withLookUp, inDoubt: true },
			{ do: 'review' },
			true,
		],
	])('%s', (_what, result, situation, move, inDoubt) => {
		expect(decide(result, situation)).toEqual({ move, inDoubt });
	});

	it('an earlier doubt: a refusal of the repeat does not say that the first did not happen', () => {
		const doubt = { inDoubt: true };
		expect(decide(answered('final', 401), { ...withKey, ...doubt }).move).toEqual(fail(false));
		expect(decide(answered('final', 400), { ...put, ...doubt }).move).toEqual(fail(false));
		expect(decide(answered('final', 400), { ...unprotected, ...doubt }).move).toEqual({
			do: 'review',
		});
		expect(decide(notSent, { ...unprotected, ...doubt }).move).toEqual({ do: 'review' });
	});

	it('an earlier doubt: what was to be removed and is gone has been removed', () => {
		const gone = { ...unprotected, method: 'DELETE' as const };
		expect(decide(answered('final', 404), { ...gone, inDoubt: true }).move).toEqual({
			do: 'finish',
		});
		expect(decide(answered('final', 404), gone).move).toEqual(fail(true));
	});
});

const situations = fc.record<Situation>({
	method: fc.constantFrom(...METHODS),
	isProtected: fc.boolean(),
	canLookUp: fc.boolean(),
	inDoubt: fc.boolean(),
	attempts: fc.integer({ min: 1, max: 6 }),
	elapsedMs: fc.integer({ min: 0, max: 100_000 }),
});
const results = fc.oneof(
	fc.constant(notSent),
	fc.constant(unknown),
	fc.record({
		kind: fc.constant('looked_up' as const),
		found: fc.constantFrom('happened' as const, 'absent' as const, 'unclear' as const),
	}),
	fc.record({
		kind: fc.constant('answered' as const),
		class: fc.constantFrom<AnswerClass[]>(
			'success',
			'exists',
			'refused',
			'final',
			'failing',
			'stuck',
			'in_progress',
			'mismatch',
		),
		status: fc.constantFrom(200, 404, 409, 429, 500),
		retryAfterMs: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
	}),
);

describe('Whatever happens', () => {
	const always = (check: (result: Result, situation: Situation, decision: Decision) => void) =>
		fc.assert(
			fc.property(
				results,
				situations,
				fc.double({ min: 0, max: 1, noNaN: true }),
				(result, situation, chance) =>
					check(
						result,
						situation,
						nextMove(result, situation, settings, () => chance),
					),
			),
			{ numRuns: 2000 },
		);

	it('nothing that may have happened is sent again, unless twice is as good as once', () => {
		always((_result, situation, { move, inDoubt }) => {
			const isRepeatable = situation.isProtected || !['POST', 'PATCH'].includes(situation.method);
			if (move.do === 'send' && !isRepeatable) expect(inDoubt).toBe(false);
		});
	});

	it('nothing that may have happened is said not to have', () => {
		always((_result, _situation, { move, inDoubt }) => {
			if (move.do === 'fail') expect(move.known).toBe(!inDoubt);
		});
	});

	it('doubt goes only when the destination has been asked', () => {
		always((result, situation, { inDoubt }) => {
			if (situation.inDoubt && !inDoubt) expect(result).toMatchObject({ found: 'absent' });
		});
	});

	it('attempts, time and waits have an end', () => {
		always((_result, situation, { move }) => {
			if (move.do !== 'send') return;
			expect(situation.attempts).toBeLessThan(settings.maxAttempts);
			expect(situation.elapsedMs + move.waitMs).toBeLessThanOrEqual(settings.deadlineMs);
			expect(move.waitMs).toBeLessThanOrEqual(settings.longestWaitMs);
		});
	});
});
