import { UnfinishedStepsError } from '../../../ledger/errors';
import type { JsonValue } from '../../../ledger/records';
import type { Case } from './Case';
import {
	ask,
	at,
	begin,
	beginStep,
	complete,
	fail,
	finishStep,
	history,
	HOUR,
	look,
	lose,
	ok,
	refused,
	release,
	review,
	sum,
	takeOver,
	unchanged,
	win,
} from './helpers';

/** How an event ends. */
export const completing: Case[] = [
	{
		name: 'completing: done, with its result, and without lease, due time and input',
		async run(fixture) {
			const { held, event } = await win(fixture, 'k', { input: 'in', retentionMs: 9 * HOUR });
			const request = { ...at(fixture, 'k'), ...held, result: { ok: 1 }, externalId: 'inv_1' };
			const done = await ok(fixture.ledger.completeEvents([request]));
			expect(done.repeated).toBe(false);
			const expected = {
				...event,
				state: 'done',
				doneAt: done.event.doneAt,
				expiresAt: done.event.doneAt! + 9 * HOUR,
				externalId: 'inv_1',
				leaseUntil: undefined,
				dueAt: undefined,
			};
			expect(done.event).toEqual(expected);
			expect(done.event.doneAt).toBeGreaterThanOrEqual(event.claimedAt);
			expect((await look(fixture, 'k')).event).toEqual({ ...expected, result: { ok: 1 } });
			expect(await history(fixture, 'k')).toMatchObject([
				{ kind: 'new' },
				{ kind: 'completed', attempt: 1, at: done.event.doneAt },
			]);
		},
	},
	{
		name: 'the input survives failures, and the end only when it is kept on purpose',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { input: 'in' });
			await fail(fixture, 'k', held);
			expect((await look(fixture, 'k')).event.input).toBe('in');
			const second = await win(fixture, 'k', { keepInput: true });
			await complete(fixture, 'k', second.held);
			expect((await look(fixture, 'k')).event.input).toBe('in');
		},
	},
	{
		name: 'no result, null, false, zero and empty text are different results',
		async run(fixture) {
			const results: Array<JsonValue | undefined> = [undefined, null, false, 0, ''];
			for (const [i, result] of results.entries()) {
				const { held } = await win(fixture, `k${i}`);
				await complete(fixture, `k${i}`, held, result);
				const { event } = await lose(fixture, `k${i}`);
				expect(event!.result).toBe(result);
				expect(event!.state).toBe('done');
			}
		},
	},
	{
		name: 'completing again changes nothing and says what is stored',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await complete(fixture, 'k', held, 'first');
			await unchanged(fixture, 'k', async () => {
				const again = await complete(fixture, 'k', held, 'second');
				expect(again).toMatchObject({ repeated: true, result: 'first' });
				const operator = { ...at(fixture, 'k'), by: 'olga', result: 'third' };
				const repeated = await ok(fixture.ledger.completeEvents([operator]));
				expect(repeated).toMatchObject({ repeated: true, result: 'first' });
			});
		},
	},
	{
		name: 'completing is refused while a step is begun or failed, and says which',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			for (const step of ['zeta', 'done', 'alpha', 'failed']) {
				await beginStep(fixture, 'k', held, step);
			}
			await finishStep(fixture, 'k', held, 'done');
			const request = { ...at(fixture, 'k'), ...held, result: 'result' };
			const failed = { ...at(fixture, 'k'), ...held, step: 'failed', state: 'failed' as const };
			await ok(fixture.ledger.finishSteps([failed]));
			const before = await look(fixture, 'k');
			const error = await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
			expect(error.steps).toEqual(['zeta', 'alpha', 'failed']);
			expect(error.message).toContain("'zeta', 'alpha', 'failed' (failed)");
			const { event, steps } = await look(fixture, 'k');
			expect(event).toMatchObject({ state: 'processing', attempt: 1 });
			expect(event).not.toHaveProperty('result');
			expect(steps).toEqual(before.steps);
			await finishStep(fixture, 'k', held, 'zeta');
			await finishStep(fixture, 'k', held, 'alpha');
			await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
			await finishStep(fixture, 'k', held, 'failed', 'at last');
			expect((await complete(fixture, 'k', held, 'result')).repeated).toBe(false);
		},
	},
	{
		name: 'completing is refused for a step that an earlier attempt left unfinished',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await beginStep(fixture, 'k', first.held, 'email');
			const { held } = await takeOver(fixture, 'k');
			const request = { ...at(fixture, 'k'), ...held };
			await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
		},
	},
	{
		name: 'completed again after a release: the new result counts, also when there is none',
		async run(fixture) {
			for (const result of ['new', undefined]) {
				const key = `result ${result}`;
				const first = await win(fixture, key);
				await complete(fixture, key, first.held, 'old');
				await ok(fixture.ledger.releaseEvents([{ ...at(fixture, key), by: 'olga' }]));
				const second = await win(fixture, key);
				await complete(fixture, key, second.held, result);
				expect((await look(fixture, key)).event.result).toBe(result);
				const lost = await lose(fixture, key);
				expect(lost).toMatchObject({ outcome: 'duplicate', event: { attempt: 2 } });
				expect(lost.event!.result).toBe(result);
			}
		},
	},
	{
		name: 'a refused end leaves the event as it is, also one that could go on after its gate',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await begin(fixture, 'k', held);
			await ask(fixture, 'k', { ...held, expiresInMs: HOUR });
			await fixture.expireApproval(at(fixture, 'k'), 'gate');
			const request = { ...at(fixture, 'k'), ...held };
			for (let i = 0; i < 2; i++) {
				await unchanged(fixture, 'k', async () => {
					await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
				});
			}
			const { tallies } = await fixture.ledger.stats({ namespace: fixture.namespace });
			expect(sum(tallies)).not.toHaveProperty('continued');
			await finishStep(fixture, 'k', held, 'step');
			await complete(fixture, 'k', held);
		},
	},
	{
		name: 'undone steps do not keep an event from its end',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await finishStep(fixture, 'k', held, 'step');
			await ok(fixture.ledger.markUndone([{ ...at(fixture, 'k'), ...held, step: 'step' }]));
			expect((await complete(fixture, 'k', held)).event.state).toBe('done');
		},
	},
	{
		name: 'a result that was given back is gone: nobody is told it, whatever becomes of the event',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await complete(fixture, 'k', held, 'old');
			await release(fixture, 'k');
			expect((await look(fixture, 'k')).event).not.toHaveProperty('result');
			const second = await win(fixture, 'k', { maxAttempts: 1 });
			await review(fixture, 'k', second.held);
			const lost = await lose(fixture, 'k');
			expect(lost.outcome).toBe('review');
			expect(lost.event).not.toHaveProperty('result');
			expect((await look(fixture, 'k')).event).not.toHaveProperty('result');
		},
	},
];
