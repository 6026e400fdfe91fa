import { EventClosedError } from '../../../ledger/errors';
import type { BeginStepRequest } from '../../../ledger/Ledger';
import type { Case, Fixture } from './Case';
import {
	ALICE,
	at,
	beginStep,
	BOB,
	claimant,
	complete,
	fail,
	finishStep,
	history,
	HOUR,
	kinds,
	look,
	lose,
	ok,
	refused,
	review,
	takeOver,
	unchanged,
	untilPast,
	win,
} from './helpers';

async function begin(
	fixture: Fixture,
	key: string,
	token: string,
	request: Partial<BeginStepRequest> = {},
) {
	return await ok(
		fixture.ledger.beginSteps([
			{ ...at(fixture, key), token, step: 'step', claimant: ALICE, ...request },
		]),
	);
}

/** A step that an earlier attempt began and did not finish. */
async function inDoubt(fixture: Fixture, key: string) {
	const first = await win(fixture, key, { claimant: claimant('17') });
	const { step } = await begin(fixture, key, first.token, { claimant: claimant('17') });
	const second = await takeOver(fixture, key);
	return { startedAt: step.startedAt, token: second.token };
}

export const steps: Case[] = [
	{
		name: 'never begun: run, and it is on record',
		async run(fixture) {
			const { token, event } = await win(fixture, 'k');
			const begun = await begin(fixture, 'k', token, { fingerprint: 'fp' });
			expect(begun.outcome).toBe('run');
			expect(begun.event).toMatchObject({ state: 'processing', attempt: 1 });
			expect(begun.step).toEqual({
				name: 'step',
				state: 'started',
				attempt: 1,
				tries: 1,
				executionId: 'alice',
				fingerprint: 'fp',
				startedAt: begun.step.startedAt,
			});
			expect(begun.step.startedAt).toBeGreaterThanOrEqual(event.claimedAt);
			expect((await look(fixture, 'k')).steps).toEqual([begun.step]);
			expect((await history(fixture, 'k'))[1]).toEqual({
				at: begun.step.startedAt,
				kind: 'step_started',
				attempt: 1,
				executionId: 'alice',
				step: 'step',
			});
		},
	},
	{
		name: 'finishing keeps all that is known about the step',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const begun = await begin(fixture, 'k', token, { fingerprint: 'fp' });
			const finished = await ok(
				fixture.ledger.finishSteps([
					{
						...at(fixture, 'k'),
						token,
						step: 'step',
						output: { id: 7 },
						externalId: 'ch_1',
						undo: ['refund', 7],
					},
				]),
			);
			expect(finished.repeated).toBe(false);
			expect(finished.step).toEqual({
				...begun.step,
				state: 'done',
				finishedAt: finished.step.finishedAt,
				output: { id: 7 },
				externalId: 'ch_1',
				undo: ['refund', 7],
			});
			expect(finished.step.finishedAt).toBeGreaterThanOrEqual(begun.step.startedAt);
			expect((await look(fixture, 'k')).steps).toEqual([finished.step]);
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_started', 'step_done']);
		},
	},
	{
		name: 'a finished step never runs again, in this attempt or any later one',
		async run(fixture) {
			let { token } = await win(fixture, 'k');
			await begin(fixture, 'k', token);
			const { step } = await finishStep(fixture, 'k', token, 'step', { paid: true });
			const expectDone = async () => {
				const again = await begin(fixture, 'k', token, { whenInDoubt: 'repeat', claimant: BOB });
				expect(again).toMatchObject({ outcome: 'done', step });
			};
			await expectDone();
			token = (await win(fixture, 'k')).token;
			await expectDone();
			token = (await takeOver(fixture, 'k')).token;
			await expectDone();
			await fail(fixture, 'k', token);
			token = (await win(fixture, 'k')).token;
			await expectDone();
			expect((await look(fixture, 'k')).steps).toEqual([step]);
			expect((await kinds(fixture, 'k')).filter((kind) => kind === 'step_started')).toHaveLength(1);
		},
	},
	{
		name: 'the output of a finished step never changes',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { step } = await finishStep(fixture, 'k', token, 'step', 'first');
			const changes = [
				{ output: 'second', externalId: 'other', undo: 'other' },
				{ state: 'failed', error: 'it did not happen' } as const,
				{},
			];
			for (const change of changes) {
				const request = { ...at(fixture, 'k'), token, step: 'step', ...change };
				const repeated = await ok(fixture.ledger.finishSteps([request]));
				expect(repeated).toMatchObject({ repeated: true, step });
			}
			expect((await look(fixture, 'k')).steps).toEqual([step]);
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_done']);
		},
	},
	{
		name: 'finishing a done step again is harmless when the event is over, other steps are refused',
		async run(fixture) {
			for (const end of [complete, fail, review]) {
				const key = end.name;
				const { token } = await win(fixture, key);
				const { step } = await finishStep(fixture, key, token, 'step', 'output');
				await end(fixture, key, token);
				await unchanged(fixture, key, async () => {
					const repeated = await finishStep(fixture, key, token, 'step', 'changed');
					expect(repeated).toMatchObject({ repeated: true, step });
					const late = { ...at(fixture, key), token, step: 'late' };
					await refused(fixture.ledger.finishSteps([late]), EventClosedError);
				});
			}
		},
	},
	{
		name: 'finished without having been begun',
		async run(fixture) {
			const { token } = await win(fixture, 'k', { claimant: BOB });
			const { step, repeated } = await finishStep(fixture, 'k', token, 'step', null);
			expect(repeated).toBe(false);
			expect(step).toEqual({
				name: 'step',
				state: 'done',
				attempt: 1,
				tries: 1,
				executionId: 'bob',
				startedAt: step.finishedAt,
				finishedAt: step.finishedAt,
				output: null,
			});
		},
	},
	{
		name: 'a failed step may be begun again; its first start stays',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const first = await begin(fixture, 'k', token, { fingerprint: 'one' });
			const failed = await ok(
				fixture.ledger.finishSteps([
					{ ...at(fixture, 'k'), token, step: 'step', state: 'failed', error: 'Refused' },
				]),
			);
			expect(failed.step).toMatchObject({ state: 'failed', error: 'Refused', tries: 1 });
			await untilPast(fixture, first.step.startedAt);
			const second = await begin(fixture, 'k', token, { fingerprint: 'two' });
			expect(second).toMatchObject({
				outcome: 'run',
				step: { state: 'started', tries: 2, startedAt: first.step.startedAt, fingerprint: 'two' },
			});
			const { step } = await finishStep(fixture, 'k', token, 'step', 'output');
			expect(step).toMatchObject({ state: 'done', tries: 2, output: 'output' });
			expect(step).not.toHaveProperty('error');
			expect(await kinds(fixture, 'k')).toEqual([
				'new',
				'step_started',
				'step_failed',
				'step_started',
				'step_done',
			]);
		},
	},
	{
		name: 'another fingerprint: conflict, and nothing changes but the lease',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			await begin(fixture, 'k', token, { fingerprint: 'one' });
			const other = { fingerprint: 'two', whenInDoubt: 'repeat' } as const;
			const { steps: before } = await look(fixture, 'k');
			expect(await begin(fixture, 'k', token, other)).toMatchObject({
				outcome: 'conflict',
				step: before[0],
				event: { state: 'processing' },
			});
			expect((await look(fixture, 'k')).steps).toEqual(before);
			await finishStep(fixture, 'k', token, 'step');
			expect((await begin(fixture, 'k', token, other)).outcome).toBe('conflict');
			expect((await begin(fixture, 'k', token)).outcome).toBe('done');
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_started', 'step_done']);
		},
	},
	{
		name: 'begun by another item of the same attempt: in_progress',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const requests = [0, 1, 2].map((i) => ({
				...at(fixture, 'k'),
				token,
				step: 'step',
				claimant: claimant('alice', i),
				whenInDoubt: 'repeat' as const,
			}));
			const results = await fixture.ledger.beginSteps(requests);
			const outcomes = results.map((result) => result.ok && result.value.outcome);
			expect(outcomes).toEqual(['run', 'in_progress', 'in_progress']);
			const { event, steps: found } = await look(fixture, 'k');
			expect(event.state).toBe('processing');
			expect(found).toMatchObject([{ state: 'started', tries: 1 }]);
		},
	},
	{
		name: 'begun by an earlier attempt and not finished: in doubt, the event goes to review',
		async run(fixture) {
			const { token } = await inDoubt(fixture, 'k');
			const begun = await begin(fixture, 'k', token, { claimant: BOB });
			const reason = "Step 'step' was started by attempt 1 of execution 17 and not finished";
			expect(begun).toMatchObject({
				outcome: 'in_doubt',
				step: { state: 'started', attempt: 1, tries: 1, executionId: '17' },
				event: { state: 'review', attempt: 2, reason },
			});
			expect(begun.event).not.toHaveProperty('leaseUntil');
			const { event, steps: found } = await look(fixture, 'k');
			expect(event).toMatchObject({ state: 'review', reason });
			expect(found).toMatchObject([{ state: 'started', tries: 1 }]);
			expect((await history(fixture, 'k')).slice(2)).toMatchObject([
				{ kind: 'recovered', attempt: 2 },
				{ kind: 'review', attempt: 2, reason },
			]);
			const late = { ...at(fixture, 'k'), token, step: 'step' };
			await refused(fixture.ledger.finishSteps([late]), EventClosedError);
			expect((await lose(fixture, 'k', { onStopped: 'takeover' })).outcome).toBe('review');
		},
	},
	{
		name: 'begun before by the same claimant and not finished: in doubt as well',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			await begin(fixture, 'k', token);
			const resumed = await win(fixture, 'k');
			expect((await begin(fixture, 'k', resumed.token)).outcome).toBe('in_doubt');
			expect((await look(fixture, 'k')).event.state).toBe('review');
		},
	},
	{
		name: 'in doubt, but repeating is safe: run again, counted, first start kept',
		async run(fixture) {
			const { token, startedAt } = await inDoubt(fixture, 'k');
			await untilPast(fixture, startedAt);
			const begun = await begin(fixture, 'k', token, { claimant: BOB, whenInDoubt: 'repeat' });
			expect(begun).toMatchObject({
				outcome: 'run',
				step: { state: 'started', attempt: 2, tries: 2, executionId: 'bob', startedAt },
				event: { state: 'processing' },
			});
			expect((await look(fixture, 'k')).steps).toEqual([begun.step]);
		},
	},
	{
		name: 'repeating is safe for a time only: run within it, in doubt after it',
		async run(fixture) {
			const within = await inDoubt(fixture, 'within');
			const repeat = { claimant: BOB, whenInDoubt: 'repeat' } as const;
			const begun = await begin(fixture, 'within', within.token, {
				...repeat,
				repeatWithinMs: HOUR,
			});
			expect(begun.outcome).toBe('run');
			const after = await inDoubt(fixture, 'after');
			await untilPast(fixture, after.startedAt + 1);
			const late = await begin(fixture, 'after', after.token, { ...repeat, repeatWithinMs: 1 });
			expect(late).toMatchObject({ outcome: 'in_doubt', event: { state: 'review' } });
		},
	},
	{
		name: 'the new holder may say how a step in doubt ended',
		async run(fixture) {
			const { token } = await inDoubt(fixture, 'k');
			const { step, repeated } = await finishStep(fixture, 'k', token, 'step', 'looked up');
			expect(repeated).toBe(false);
			expect(step).toMatchObject({ state: 'done', attempt: 1, tries: 1, output: 'looked up' });
			expect((await begin(fixture, 'k', token)).outcome).toBe('done');
		},
	},
	{
		name: 'steps are listed in the order in which they were begun',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const names = ['zeta', 'alpha', 'Mid', 'ω', 'beta', '10', '9'];
			await fixture.ledger.beginSteps(
				names.map((step) => ({ ...at(fixture, 'k'), token, step, claimant: ALICE })),
			);
			await finishStep(fixture, 'k', token, 'beta');
			await beginStep(fixture, 'k', token, 'after all');
			const { steps: found } = await look(fixture, 'k');
			expect(found.map(({ name }) => name)).toEqual([...names, 'after all']);
			expect((await takeOver(fixture, 'k')).steps).toEqual(found);
		},
	},
	{
		name: 'the same step name in another event is another step',
		async run(fixture) {
			const first = await win(fixture, 'a');
			const second = await win(fixture, 'b');
			await finishStep(fixture, 'a', first.token, 'step', 'a');
			const begun = await begin(fixture, 'b', second.token);
			expect(begun).toMatchObject({ outcome: 'run', step: { tries: 1 } });
		},
	},
	{
		name: 'more than one of everything in one batch, in order',
		async run(fixture) {
			const tokens = [(await win(fixture, 'a')).token, (await win(fixture, 'b')).token];
			const requests = ['a', 'b', 'a', 'b'].map((key, i) => ({
				...at(fixture, key),
				token: tokens[i % 2],
				step: `step ${i}`,
				output: i,
			}));
			const finished = await fixture.ledger.finishSteps(requests);
			expect(finished.map((result) => result.ok && result.value.step.output)).toEqual([0, 1, 2, 3]);
			expect((await look(fixture, 'a')).steps.map(({ output }) => output)).toEqual([0, 2]);
			expect((await look(fixture, 'b')).steps.map(({ output }) => output)).toEqual([1, 3]);
		},
	},
];
