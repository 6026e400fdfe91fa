import {
	EventInUseError,
	EventNotFoundError,
	StepNotInDoubtError,
	UnfinishedStepsError,
} from '../../../ledger/errors';
import type { ResolveStepRequest } from '../../../ledger/Ledger';
import type { Case, Fixture } from './Case';
import {
	at,
	begin,
	beginStep,
	BOB,
	complete,
	fail,
	failStep,
	finishStep,
	history,
	kinds,
	look,
	ok,
	pause,
	refused,
	release,
	takeOver,
	unchanged,
	untilPast,
	wait,
	win,
} from './helpers';

async function resolve(
	fixture: Fixture,
	key: string,
	resolution: ResolveStepRequest['resolution'],
	request: Partial<ResolveStepRequest> = {},
) {
	return await ok(fixture.ledger.resolveSteps([asked(fixture, key, resolution, request)]));
}

function asked(
	fixture: Fixture,
	key: string,
	resolution: ResolveStepRequest['resolution'],
	request: Partial<ResolveStepRequest> = {},
): ResolveStepRequest {
	return { ...at(fixture, key), step: 'step', by: 'olga', resolution, ...request };
}

/** An event in review, because its step was begun by an attempt that never finished it. */
async function inDoubt(fixture: Fixture, key: string) {
	const first = await win(fixture, key, { input: 'in' });
	await begin(fixture, key, first.held, { fingerprint: 'fp' });
	const { held } = await takeOver(fixture, key);
	expect((await begin(fixture, key, held)).outcome).toBe('in_doubt');
	return held;
}

/** What people find out about steps in doubt. */
export const resolving: Case[] = [
	{
		name: "it happened: the step is done, with the destination's id and output, and never runs again",
		async run(fixture) {
			await inDoubt(fixture, 'k');
			const before = await look(fixture, 'k');
			await untilPast(fixture, before.steps[0].startedAt);
			const resolved = await resolve(fixture, 'k', 'happened', {
				externalId: 'ch_1',
				output: { id: 7 },
				reason: 'Seen at the bank',
			});
			expect(resolved).toMatchObject({ repeated: false, event: { state: 'review', attempt: 2 } });
			expect(resolved.step).toEqual({
				...before.steps[0],
				state: 'done',
				finishedAt: resolved.step.finishedAt,
				externalId: 'ch_1',
				output: { id: 7 },
			});
			expect(resolved.step.finishedAt).toBeGreaterThan(resolved.step.startedAt);
			const after = await look(fixture, 'k');
			expect(after).toEqual({ ...before, steps: [resolved.step] });
			expect((await history(fixture, 'k')).at(-1)).toMatchObject({
				kind: 'step_resolved',
				step: 'step',
				by: 'olga',
				reason: 'Seen at the bank',
			});
			await release(fixture, 'k');
			const { held } = await win(fixture, 'k', { claimant: BOB });
			expect(await begin(fixture, 'k', held)).toMatchObject({
				outcome: 'done',
				step: { output: { id: 7 }, externalId: 'ch_1' },
			});
			expect((await complete(fixture, 'k', held)).repeated).toBe(false);
		},
	},
	{
		name: 'it did not happen: the step may be begun again, and is not in doubt any more',
		async run(fixture) {
			await inDoubt(fixture, 'k');
			const { step } = await resolve(fixture, 'k', 'did_not_happen');
			expect(step).toMatchObject({ state: 'failed', tries: 1, attempt: 1, fingerprint: 'fp' });
			expect((await history(fixture, 'k')).at(-1)).toMatchObject({
				kind: 'step_resolved',
				reason: 'did not happen',
			});
			await release(fixture, 'k');
			const { held } = await win(fixture, 'k', { claimant: BOB });
			expect(await begin(fixture, 'k', held)).toMatchObject({
				outcome: 'run',
				step: { state: 'started', tries: 2, attempt: 3, startedAt: step.startedAt },
			});
			await finishStep(fixture, 'k', held, 'step', 'second time');
			await complete(fixture, 'k', held);
		},
	},
	{
		name: 'not resolved, the event goes round in circles: in doubt again',
		async run(fixture) {
			await inDoubt(fixture, 'k');
			await release(fixture, 'k');
			const { held } = await win(fixture, 'k', { claimant: BOB });
			expect((await begin(fixture, 'k', held)).outcome).toBe('in_doubt');
		},
	},
	{
		name: 'the same again changes nothing; another resolution of a done step is refused',
		async run(fixture) {
			for (const resolution of ['happened', 'did_not_happen'] as const) {
				await inDoubt(fixture, resolution);
				const { step } = await resolve(fixture, resolution, resolution, { output: 1 });
				await unchanged(fixture, resolution, async () => {
					const again = await resolve(fixture, resolution, resolution, { output: 2 });
					expect(again).toMatchObject({ repeated: true, step });
				});
			}
			const late = asked(fixture, 'happened', 'did_not_happen');
			await unchanged(fixture, 'happened', async () => {
				await refused(fixture.ledger.resolveSteps([late]), StepNotInDoubtError);
			});
			// A step that did not happen may have happened after all: somebody looked again.
			const found = await resolve(fixture, 'did_not_happen', 'happened', { externalId: 'x' });
			expect(found).toMatchObject({ repeated: false, step: { state: 'done', externalId: 'x' } });
			expect((await kinds(fixture, 'did_not_happen')).slice(-2)).toEqual([
				'step_resolved',
				'step_resolved',
			]);
		},
	},
	{
		name: 'only what was begun can be resolved',
		async run(fixture) {
			await inDoubt(fixture, 'k');
			for (const request of [{ step: 'other' }, { row: '1' }]) {
				const nothing = asked(fixture, 'k', 'happened', request);
				await unchanged(fixture, 'k', async () => {
					await refused(fixture.ledger.resolveSteps([nothing]), StepNotInDoubtError);
				});
			}
			const missing = asked(fixture, 'missing', 'happened');
			await refused(fixture.ledger.resolveSteps([missing]), EventNotFoundError);
		},
	},
	{
		name: 'not while a run has the event, or waits with it',
		async run(fixture) {
			const bring = { live: async () => {}, wait, pause };
			for (const [key, act] of Object.entries(bring)) {
				const { held } = await win(fixture, key);
				await begin(fixture, key, held);
				await act(fixture, key, held);
				await unchanged(fixture, key, async () => {
					const request = asked(fixture, key, 'happened');
					await refused(fixture.ledger.resolveSteps([request]), EventInUseError);
				});
			}
			const stopped = await win(fixture, 'stopped');
			await begin(fixture, 'stopped', stopped.held);
			await fixture.expireLease(at(fixture, 'stopped'));
			const { event } = await resolve(fixture, 'stopped', 'happened');
			expect(event).toMatchObject({ state: 'processing', attempt: 1 });
			const { held } = await win(fixture, 'failed');
			await begin(fixture, 'failed', held);
			await fail(fixture, 'failed', held);
			expect((await resolve(fixture, 'failed', 'happened')).event.state).toBe('failed');
		},
	},
	{
		name: 'a step that failed can be said to have happened',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await failStep(fixture, 'k', held, 'step');
			await fail(fixture, 'k', held);
			expect(await resolve(fixture, 'k', 'did_not_happen')).toMatchObject({ repeated: true });
			const { step } = await resolve(fixture, 'k', 'happened', { output: 'after all' });
			expect(step).toMatchObject({ state: 'done', output: 'after all' });
			expect(step).not.toHaveProperty('error');
		},
	},
	{
		name: 'several steps and rows in one call, each by itself',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			for (const row of ['1', '2']) {
				await begin(fixture, 'k', held, { row });
			}
			await beginStep(fixture, 'k', held, 'other');
			await fail(fixture, 'k', held);
			const results = await fixture.ledger.resolveSteps([
				asked(fixture, 'k', 'happened', { row: '1' }),
				asked(fixture, 'k', 'did_not_happen', { row: '2' }),
				asked(fixture, 'k', 'happened', { row: '3' }),
				asked(fixture, 'k', 'happened', { step: 'other' }),
			]);
			expect(results.map((result) => result.ok)).toEqual([true, true, false, true]);
			expect((await look(fixture, 'k')).steps).toMatchObject([
				{ row: '1', state: 'done' },
				{ row: '2', state: 'failed' },
				{ name: 'other', state: 'done' },
			]);
			const again = await win(fixture, 'k', { claimant: BOB });
			const request = { ...at(fixture, 'k'), ...again.held };
			const error = await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
			expect(error.steps).toEqual(['step']);
		},
	},
	{
		name: 'what was resolved can be undone',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await begin(fixture, 'k', held);
			await fail(fixture, 'k', held);
			await resolve(fixture, 'k', 'happened', { output: 'x' });
			const undone = { ...at(fixture, 'k'), step: 'step', by: 'olga' };
			expect(await ok(fixture.ledger.markUndone([undone]))).toMatchObject({
				step: { state: 'undone' },
			});
		},
	},
];
