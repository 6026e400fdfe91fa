import { StaleClaimError, UnfinishedStepsError } from '../../../ledger/errors';
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
	heldBy,
	kinds,
	look,
	ok,
	pause,
	refused,
	release,
	takeOver,
	win,
} from './helpers';

/** Several processes: each knows what it wrote last, and none may take that for what is there. */
export const processes: Case[] = [
	{
		name: 'two write under one claim, in turns: nothing is lost, nothing is done twice',
		async run(fixture) {
			const here = fixture;
			const there = { ...fixture, ledger: await fixture.openAnother() };
			const { held } = await win(here, 'k', { input: 'in' });
			for (let i = 0; i < 6; i++) {
				const [first, second] = i % 2 ? [here, there] : [there, here];
				expect((await beginStep(first, 'k', held, `s${i}`)).outcome).toBe('run');
				const by = { claimant: claimant('alice', 1) };
				expect((await beginStep(second, 'k', held, `s${i}`, by)).outcome).toBe('in_progress');
				expect((await finishStep(second, 'k', held, `s${i}`, i)).repeated).toBe(false);
				expect((await beginStep(first, 'k', held, `s${i}`)).step.output).toBe(i);
				expect((await finishStep(first, 'k', held, `s${i}`, 'late')).step.output).toBe(i);
			}
			await begin(there, 'k', held);
			const request = { ...at(here, 'k'), ...held };
			await refused(here.ledger.completeEvents([request]), UnfinishedStepsError);
			await finishStep(here, 'k', held, 'step');
			expect((await complete(there, 'k', held, 'result')).repeated).toBe(false);
			expect(await complete(here, 'k', held, 'late')).toMatchObject({
				repeated: true,
				result: 'result',
			});
			const { steps, event } = await look(here, 'k');
			expect(steps.map(({ output }) => output)).toEqual([0, 1, 2, 3, 4, 5, undefined]);
			expect(event).toMatchObject({ state: 'done', result: 'result', attempt: 1 });
			expect(await kinds(here, 'k')).toEqual([
				'new',
				...Array.from({ length: 7 }, () => ['step_started', 'step_done']).flat(),
				'completed',
			]);
		},
	},
	{
		name: 'many at the same time under one claim: every step is recorded once, and counted',
		async run(fixture) {
			const ledgers = [fixture.ledger, await fixture.openAnother(), await fixture.openAnother()];
			const { held } = await win(fixture, 'k');
			const request = { ...at(fixture, 'k'), ...held };
			await Promise.all(
				Array.from({ length: 60 }, async (_, i) => {
					const ledger = ledgers[i % 3];
					const step = { ...request, step: `s${i}` };
					const begun = await ok(ledger.beginSteps([{ ...step, claimant: claimant('alice', i) }]));
					expect(begun.outcome).toBe('run');
					if (i !== 59) await ok(ledgers[(i + 1) % 3].finishSteps([{ ...step, output: i }]));
				}),
			);
			for (const ledger of ledgers) {
				const error = await refused(ledger.completeEvents([request]), UnfinishedStepsError);
				expect(error.steps).toEqual(['s59']);
			}
			await ok(ledgers[1].finishSteps([{ ...request, step: 's59', output: 59 }]));
			await ok(ledgers[2].completeEvents([request]));
			const { steps } = await look(fixture, 'k');
			expect(steps.map(({ output }) => output as number).sort((a, b) => a - b)).toEqual(
				Array.from({ length: 60 }, (_, i) => i),
			);
			const past = await fixture.ledger.history(at(fixture, 'k'));
			expect(past).toHaveLength(100);
			const { tallies } = await fixture.ledger.stats({ namespace: fixture.namespace });
			const count = (kind: string) => tallies.find((tally) => tally.kind === kind)?.count;
			expect([count('step_started'), count('step_done')]).toEqual([60, 60]);
		},
	},
	{
		name: 'a process that was overtaken does not write over what it did not see',
		async run(fixture) {
			const there = { ...fixture, ledger: await fixture.openAnother() };
			const { held } = await win(fixture, 'k');
			await beginStep(fixture, 'k', held, 'mine');
			await fixture.expireLease(at(fixture, 'k'));
			const second = await win(there, 'k', { claimant: BOB, onStopped: 'takeover' });
			await finishStep(there, 'k', second.held, 'mine', "Bob's");
			for (const step of ['mine', 'other']) {
				const late = { ...at(fixture, 'k'), ...held, step, output: 'late' };
				await refused(fixture.ledger.finishSteps([late]), StaleClaimError);
			}
			await complete(there, 'k', second.held, 'result');
			const late = { ...at(fixture, 'k'), ...held, result: 'late' };
			await refused(fixture.ledger.completeEvents([late]), StaleClaimError);
			expect((await look(fixture, 'k')).event).toMatchObject({ result: 'result', attempt: 2 });
		},
	},
	{
		name: 'a record that was erased and claimed anew is not the one that a process remembers',
		async run(fixture) {
			const there = { ...fixture, ledger: await fixture.openAnother() };
			for (const gone of ['erased', 'forgotten']) {
				const { held } = await win(fixture, gone);
				await begin(fixture, gone, held);
				if (gone === 'erased') {
					await there.ledger.deleteEvents([{ ...at(fixture, gone), by: 'olga' }]);
				} else {
					await there.ledger.completeEvents([{ ...at(fixture, gone), by: 'olga' }]);
					await fixture.expireRecord(at(fixture, gone));
				}
				const second = await win(there, gone, { claimant: BOB });
				expect(second).toMatchObject({ outcome: 'new', event: { attempt: 1 }, steps: [] });
				const late = { ...at(fixture, gone), ...held, step: 'step' };
				await refused(fixture.ledger.finishSteps([late]), StaleClaimError);
				expect((await look(fixture, gone)).steps).toEqual([]);
				// Even the very same execution, at the same attempt, finds what is there now.
				await release(there, gone);
				await there.ledger.deleteEvents([{ ...at(fixture, gone), by: 'olga' }]);
				await win(there, gone);
				const again = await finishStep(fixture, gone, heldBy(ALICE, 1), 'step');
				expect(again).toMatchObject({ repeated: false, step: { tries: 1 } });
			}
		},
	},
	{
		name: "an operator's act elsewhere is seen at once",
		async run(fixture) {
			const there = { ...fixture, ledger: await fixture.openAnother() };
			const { held } = await win(fixture, 'k');
			await begin(fixture, 'k', held);
			await release(there, 'k');
			const late = { ...at(fixture, 'k'), ...held, step: 'step' };
			const [result] = await fixture.ledger.finishSteps([late]);
			expect(result).toMatchObject({ ok: false, error: { event: { state: 'failed' } } });
			expect((await win(fixture, 'k')).outcome).toBe('retry');
		},
	},
	{
		name: 'deliveries counted elsewhere are in what a holder is told of its event',
		async run(fixture) {
			const there = { ...fixture, ledger: await fixture.openAnother() };
			const { held } = await win(fixture, 'k');
			for (let i = 1; i <= 3; i++) {
				await there.ledger.claimEvents([{ ...at(fixture, 'k'), claimant: BOB }]);
				const { event } = await beginStep(fixture, 'k', held, `s${i}`);
				expect(event.duplicates).toBe(i);
				expect(event.lastSeenAt).toBe((await look(there, 'k')).event.lastSeenAt);
			}
			const paused = await pause(there, 'k', held);
			expect(paused.event.duplicates).toBe(3);
			const failed = await fail(fixture, 'k', held);
			expect(failed.event.duplicates).toBe(3);
		},
	},
	{
		name: 'a step that a process finished is known to the next one, by the claim that it wins',
		async run(fixture) {
			const there = { ...fixture, ledger: await fixture.openAnother() };
			const { held } = await win(fixture, 'k');
			await finishStep(fixture, 'k', held, 'step', 'out');
			const second = await takeOver(there, 'k');
			expect(second.steps).toMatchObject([{ name: 'step', output: 'out' }]);
			expect(await begin(there, 'k', second.held)).toMatchObject({
				outcome: 'done',
				step: { output: 'out' },
			});
		},
	},
];
