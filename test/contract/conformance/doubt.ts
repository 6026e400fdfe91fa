import { EventClosedError } from '../../../ledger/errors';
import type { Case, Fixture } from './Case';
import {
	at,
	begin,
	BOB,
	claimant,
	finishStep,
	history,
	HOUR,
	look,
	lose,
	refused,
	takeOver,
	untilPast,
	win,
} from './helpers';

/** A step that an earlier attempt began and did not finish. */
async function inDoubt(fixture: Fixture, key: string) {
	const by = claimant('17');
	const first = await win(fixture, key, { claimant: by });
	const { step } = await begin(fixture, key, first.held);
	const { held } = await takeOver(fixture, key);
	return { startedAt: step.startedAt, held };
}

/** Steps that were begun and not finished: nobody knows whether they happened. */
export const doubt: Case[] = [
	{
		name: 'begun by an earlier attempt and not finished: in doubt, the event goes to review',
		async run(fixture) {
			const { held } = await inDoubt(fixture, 'k');
			const begun = await begin(fixture, 'k', held, { claimant: BOB });
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
			const late = { ...at(fixture, 'k'), ...held, step: 'step' };
			await refused(fixture.ledger.finishSteps([late]), EventClosedError);
			expect((await lose(fixture, 'k', { onStopped: 'takeover' })).outcome).toBe('review');
		},
	},
	{
		name: 'begun before by the same claimant and not finished: in doubt as well',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await begin(fixture, 'k', held);
			const resumed = await win(fixture, 'k');
			expect((await begin(fixture, 'k', resumed.held)).outcome).toBe('in_doubt');
			expect((await look(fixture, 'k')).event.state).toBe('review');
		},
	},
	{
		name: 'in doubt, but repeating is safe: run again, counted, first start kept',
		async run(fixture) {
			const { held, startedAt } = await inDoubt(fixture, 'k');
			await untilPast(fixture, startedAt);
			const begun = await begin(fixture, 'k', held, { claimant: BOB, whenInDoubt: 'repeat' });
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
			const begun = await begin(fixture, 'within', within.held, {
				...repeat,
				repeatWithinMs: HOUR,
			});
			expect(begun.outcome).toBe('run');
			const after = await inDoubt(fixture, 'after');
			await untilPast(fixture, after.startedAt + 1);
			const late = await begin(fixture, 'after', after.held, { ...repeat, repeatWithinMs: 1 });
			expect(late).toMatchObject({ outcome: 'in_doubt', event: { state: 'review' } });
		},
	},
	{
		name: 'the new holder may say how a step in doubt ended',
		async run(fixture) {
			const { held } = await inDoubt(fixture, 'k');
			const { step, repeated } = await finishStep(fixture, 'k', held, 'step', 'looked up');
			expect(repeated).toBe(false);
			expect(step).toMatchObject({ state: 'done', attempt: 1, tries: 1, output: 'looked up' });
			expect((await begin(fixture, 'k', held)).outcome).toBe('done');
		},
	},
];
