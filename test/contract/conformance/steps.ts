import { EventClosedError } from '../../../ledger/errors';
import type { Case } from './Case';
import {
	ALICE,
	at,
	begin,
	beginStep,
	BOB,
	claimant,
	complete,
	fail,
	finishStep,
	history,
	kinds,
	look,
	ok,
	refused,
	review,
	takeOver,
	unchanged,
	untilPast,
	win,
} from './helpers';

export const steps: Case[] = [
	{
		name: 'never begun: run, and it is on record',
		async run(fixture) {
			const { held, event } = await win(fixture, 'k');
			const begun = await begin(fixture, 'k', held, { fingerprint: 'fp' });
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
		name: 'a step belongs to the execution that began it, which may act for the one that has the event',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { step } = await begin(fixture, 'k', held, { claimant: claimant('sub-execution') });
			expect(step.executionId).toBe('sub-execution');
			expect((await history(fixture, 'k'))[1]).toMatchObject({
				kind: 'step_started',
				executionId: 'sub-execution',
			});
			const finished = await finishStep(fixture, 'k', held, 'step');
			expect(finished.step.executionId).toBe('sub-execution');
			expect((await look(fixture, 'k')).event.executionId).toBe('alice');
			expect((await history(fixture, 'k'))[2]).toMatchObject({ executionId: 'alice' });
		},
	},
	{
		name: 'finishing keeps all that is known about the step',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const begun = await begin(fixture, 'k', held, { fingerprint: 'fp' });
			const finished = await ok(
				fixture.ledger.finishSteps([
					{
						...at(fixture, 'k'),
						...held,
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
			let { held } = await win(fixture, 'k');
			await begin(fixture, 'k', held);
			const { step } = await finishStep(fixture, 'k', held, 'step', { paid: true });
			const expectDone = async () => {
				const again = await begin(fixture, 'k', held, { whenInDoubt: 'repeat', claimant: BOB });
				expect(again).toMatchObject({ outcome: 'done', step });
			};
			await expectDone();
			held = (await win(fixture, 'k')).held;
			await expectDone();
			held = (await takeOver(fixture, 'k')).held;
			await expectDone();
			await fail(fixture, 'k', held);
			held = (await win(fixture, 'k')).held;
			await expectDone();
			expect((await look(fixture, 'k')).steps).toEqual([step]);
			expect((await kinds(fixture, 'k')).filter((kind) => kind === 'step_started')).toHaveLength(1);
		},
	},
	{
		name: 'the output of a finished step never changes',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { step } = await finishStep(fixture, 'k', held, 'step', 'first');
			const changes = [
				{ output: 'second', externalId: 'other', undo: 'other' },
				{ state: 'failed', error: 'it did not happen' } as const,
				{},
			];
			for (const change of changes) {
				const request = { ...at(fixture, 'k'), ...held, step: 'step', ...change };
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
				const { held } = await win(fixture, key);
				const { step } = await finishStep(fixture, key, held, 'step', 'output');
				await end(fixture, key, held);
				await unchanged(fixture, key, async () => {
					const repeated = await finishStep(fixture, key, held, 'step', 'changed');
					expect(repeated).toMatchObject({ repeated: true, step });
					const late = { ...at(fixture, key), ...held, step: 'late' };
					await refused(fixture.ledger.finishSteps([late]), EventClosedError);
				});
			}
		},
	},
	{
		name: 'finished without having been begun',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { claimant: BOB });
			const { step, repeated } = await finishStep(fixture, 'k', held, 'step', null);
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
			const { held } = await win(fixture, 'k');
			const first = await begin(fixture, 'k', held, { fingerprint: 'one' });
			const failed = await ok(
				fixture.ledger.finishSteps([
					{ ...at(fixture, 'k'), ...held, step: 'step', state: 'failed', error: 'Refused' },
				]),
			);
			expect(failed.step).toMatchObject({ state: 'failed', error: 'Refused', tries: 1 });
			await untilPast(fixture, first.step.startedAt);
			const second = await begin(fixture, 'k', held, { fingerprint: 'two' });
			expect(second).toMatchObject({
				outcome: 'run',
				step: { state: 'started', tries: 2, startedAt: first.step.startedAt, fingerprint: 'two' },
			});
			const { step } = await finishStep(fixture, 'k', held, 'step', 'output');
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
			const { held } = await win(fixture, 'k');
			await begin(fixture, 'k', held, { fingerprint: 'one' });
			const other = { fingerprint: 'two', whenInDoubt: 'repeat' } as const;
			const { steps: before } = await look(fixture, 'k');
			expect(await begin(fixture, 'k', held, other)).toMatchObject({
				outcome: 'conflict',
				step: before[0],
				event: { state: 'processing' },
			});
			expect((await look(fixture, 'k')).steps).toEqual(before);
			await finishStep(fixture, 'k', held, 'step');
			expect((await begin(fixture, 'k', held, other)).outcome).toBe('conflict');
			expect((await begin(fixture, 'k', held)).outcome).toBe('done');
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_started', 'step_done']);
		},
	},
	{
		name: 'begun by another item of the same attempt: in_progress',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const requests = [0, 1, 2].map((i) => ({
				...at(fixture, 'k'),
				...held,
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
		name: 'steps are listed in the order in which they were begun',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const names = ['zeta', 'alpha', 'Mid', 'ω', 'beta', '10', '9'];
			await fixture.ledger.beginSteps(
				names.map((step) => ({ ...at(fixture, 'k'), ...held, step, claimant: ALICE })),
			);
			await finishStep(fixture, 'k', held, 'beta');
			await beginStep(fixture, 'k', held, 'after all');
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
			await finishStep(fixture, 'a', first.held, 'step', 'a');
			const begun = await begin(fixture, 'b', second.held);
			expect(begun).toMatchObject({ outcome: 'run', step: { tries: 1 } });
		},
	},
	{
		name: 'more than one of everything in one batch, in order',
		async run(fixture) {
			const claims = [(await win(fixture, 'a')).held, (await win(fixture, 'b')).held];
			const requests = ['a', 'b', 'a', 'b'].map((key, i) => ({
				...at(fixture, key),
				...claims[i % 2],
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
