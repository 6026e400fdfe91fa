import { EventClosedError, UnfinishedStepsError } from '../../../ledger/errors';
import type { Case } from './Case';
import {
	at,
	begin,
	claimant,
	complete,
	fail,
	history,
	look,
	ok,
	refused,
	takeOver,
	win,
} from './helpers';

/** One event may have many items: the same step, once for each row. */
export const rows: Case[] = [
	{
		name: 'the same step of another row is another step, in one batch or several',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const requests = [undefined, '1', '2', '1'].map((row, i) => ({
				...at(fixture, 'k'),
				...held,
				step: 'line',
				row,
				claimant: claimant('alice', i),
			}));
			const begun = await fixture.ledger.beginSteps(requests);
			const outcomes = begun.map((result) => result.ok && result.value.outcome);
			expect(outcomes).toEqual(['run', 'run', 'run', 'in_progress']);
			const finished = await fixture.ledger.finishSteps(
				['1', '2', undefined].map((row) => ({
					...at(fixture, 'k'),
					...held,
					step: 'line',
					row,
					output: `out of ${row}`,
				})),
			);
			expect(finished.map((result) => result.ok && result.value.step.row)).toEqual([
				'1',
				'2',
				undefined,
			]);
			const { steps } = await look(fixture, 'k');
			expect(steps).toMatchObject([
				{ name: 'line', output: 'out of undefined' },
				{ name: 'line', row: '1', output: 'out of 1' },
				{ name: 'line', row: '2', output: 'out of 2' },
			]);
			expect(steps[0]).not.toHaveProperty('row');
			expect((await begin(fixture, 'k', held, { step: 'line', row: '3' })).outcome).toBe('run');
		},
	},
	{
		name: 'a row never runs again, in this attempt or any later one; the others do',
		async run(fixture) {
			const first = await win(fixture, 'k');
			for (const row of ['1', '2', '3']) {
				await begin(fixture, 'k', first.held, { row });
			}
			const finish = { ...at(fixture, 'k'), ...first.held, step: 'step' };
			await ok(fixture.ledger.finishSteps([{ ...finish, row: '1', output: 'one' }]));
			await ok(fixture.ledger.finishSteps([{ ...finish, row: '2', state: 'failed' }]));
			const { held, steps } = await takeOver(fixture, 'k');
			expect(steps.map(({ row, state }) => `${row} ${state}`)).toEqual([
				'1 done',
				'2 failed',
				'3 started',
			]);
			expect(await begin(fixture, 'k', held, { row: '1' })).toMatchObject({
				outcome: 'done',
				step: { row: '1', output: 'one' },
			});
			expect(await begin(fixture, 'k', held, { row: '2' })).toMatchObject({
				outcome: 'run',
				step: { tries: 2 },
			});
			const doubtful = await begin(fixture, 'k', held, { row: '3' });
			expect(doubtful).toMatchObject({
				outcome: 'in_doubt',
				event: {
					state: 'review',
					reason:
						"Step 'step' of row '3' was started by attempt 1 of execution alice and not finished",
				},
			});
		},
	},
	{
		name: 'the history says which row it was about',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const step = { ...at(fixture, 'k'), ...held, step: 'step', row: 'line 7' };
			await begin(fixture, 'k', held, { row: 'line 7' });
			await ok(fixture.ledger.finishSteps([{ ...step, state: 'failed', error: 'No' }]));
			await ok(fixture.ledger.finishSteps([step]));
			await fail(fixture, 'k', held);
			const undone = { ...at(fixture, 'k'), step: 'step', row: 'line 7', by: 'olga' };
			await ok(fixture.ledger.markUndone([undone]));
			const entries = (await history(fixture, 'k')).filter((entry) => entry.step === 'step');
			expect(entries.map(({ kind, row }) => `${kind} ${row}`)).toEqual([
				'step_started line 7',
				'step_failed line 7',
				'step_done line 7',
				'step_undone line 7',
			]);
		},
	},
	{
		name: 'an event is not complete while a row is begun or failed, and the refusal names all of them',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			for (const row of ['1', '2', '3']) await begin(fixture, 'k', held, { row });
			const finish = { ...at(fixture, 'k'), ...held, step: 'step' };
			await ok(fixture.ledger.finishSteps([{ ...finish, row: '1' }]));
			await ok(fixture.ledger.finishSteps([{ ...finish, row: '2', state: 'failed' }]));
			const request = { ...at(fixture, 'k'), ...held };
			const error = await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
			expect(error.steps).toEqual(['step', 'step']);
			expect(error.message).toContain("'step' of row '2' (failed), 'step' of row '3'");
			await ok(fixture.ledger.finishSteps([{ ...finish, row: '2' }]));
			await ok(fixture.ledger.finishSteps([{ ...finish, row: '3' }]));
			await complete(fixture, 'k', held);
			const late = { ...finish, row: '4' };
			await refused(fixture.ledger.finishSteps([late]), EventClosedError);
		},
	},
	{
		name: 'rows are undone by themselves',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const rowsOf = ['1', '2'].map((row) => ({
				...at(fixture, 'k'),
				...held,
				step: 'step',
				row,
				undo: { line: row },
			}));
			await fixture.ledger.finishSteps(rowsOf);
			const { steps } = await ok(fixture.ledger.takeUndos([{ ...at(fixture, 'k'), ...held }]));
			expect(steps.map(({ row }) => row).sort()).toEqual(['1', '2']);
			await ok(fixture.ledger.markUndone([rowsOf[0]]));
			expect((await look(fixture, 'k')).steps).toMatchObject([
				{ row: '1', state: 'undone' },
				{ row: '2', state: 'done' },
			]);
			expect((await begin(fixture, 'k', held, { row: '1' })).outcome).toBe('run');
			expect((await begin(fixture, 'k', held, { row: '2' })).outcome).toBe('done');
		},
	},
	{
		name: 'names and rows that could be mistaken for each other are different',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const pairs: Array<[string, string | undefined]> = [
				['a', 'b c'],
				['a b', 'c'],
				['a b c', undefined],
				['a', 'b'],
				['ab', undefined],
				['a:b', undefined],
				['a', 'B'],
				['a', 'b '],
				['s', 'a'],
				['g', 'a'],
			];
			for (const [step, row] of pairs) {
				expect((await begin(fixture, 'k', held, { step, row })).outcome).toBe('run');
			}
			const { steps } = await look(fixture, 'k');
			expect(steps.map(({ name, row }) => [name, row])).toEqual(pairs);
		},
	},
];
