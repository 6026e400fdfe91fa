import { StaleClaimError } from '../../../ledger/errors';
import type { Claimant } from '../../../ledger/records';
import type { Case } from './Case';
import { expectFencedOff } from './heldWrites';
import {
	ALICE,
	at,
	BOB,
	claim,
	claimant,
	complete,
	fail,
	finishStep,
	type Held,
	heldBy,
	holderOf,
	look,
	lose,
	pause,
	refused,
	release,
	review,
	wait,
	win,
} from './helpers';

/** Everybody who is not Alice, however like her. */
const DOUBLES: Record<string, Claimant> = {
	'another execution': { ...ALICE, executionId: '57' },
	'an execution of another instance': { ...ALICE, instance: 'other n8n' },
	"a clone's execution": { ...ALICE, nonce: 'another nonce' },
};

/** Who an execution is, who acts for it, and what follows for its claims. */
export const holders: Case[] = [
	{
		name: 'the same execution number of another instance, or of a clone, is somebody else',
		async run(fixture) {
			for (const [who, by] of Object.entries(DOUBLES)) {
				const { event } = await win(fixture, who);
				const lost = await lose(fixture, who, { claimant: by, onStopped: 'takeover' });
				expect(lost).toMatchObject({ outcome: 'in_progress', event: { attempt: 1 } });
				const pretended = await lose(fixture, who, { claimant: BOB, actsFor: holderOf(by) });
				expect(pretended.outcome).toBe('in_progress');
				await expectFencedOff(fixture, who, heldBy(by, event.attempt));
			}
		},
	},
	{
		name: 'in every state, nobody but the holder of the present attempt changes anything',
		async run(fixture) {
			const bring = {
				processing: async () => {},
				wait,
				paused: (_: unknown, key: string, held: Held) => pause(fixture, key, held),
				complete,
				fail,
				review,
			};
			for (const [key, act] of Object.entries(bring)) {
				const { held } = await win(fixture, key);
				await act(fixture, key, held);
				for (const by of Object.values(DOUBLES)) {
					await expectFencedOff(fixture, key, heldBy(by, held.attempt));
				}
				await expectFencedOff(fixture, key, { ...held, attempt: held.attempt + 1 });
				await expectFencedOff(fixture, key, { ...held, attempt: 0 });
			}
		},
	},
	{
		name: 'steps are not marked undone by anybody else',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await finishStep(fixture, 'k', held, 'step');
			for (const by of Object.values(DOUBLES)) {
				const request = { ...at(fixture, 'k'), ...heldBy(by, 1), step: 'step' };
				await refused(fixture.ledger.markUndone([request]), StaleClaimError);
			}
			expect((await look(fixture, 'k')).steps).toMatchObject([{ state: 'done' }]);
		},
	},
	{
		name: 'who acts for the holder resumes its claim: the older attempt is fenced off',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await finishStep(fixture, 'k', first.held, 'step', 'output');
			const retry = { claimant: BOB, actsFor: holderOf(ALICE) };
			const second = await win(fixture, 'k', retry);
			expect(second).toMatchObject({
				outcome: 'resumed',
				event: { attempt: 2, executionId: 'bob' },
				steps: [{ name: 'step', output: 'output' }],
			});
			await expectFencedOff(fixture, 'k', first.held);
			// It is not the holder that it acts for who has the claim now.
			await expectFencedOff(fixture, 'k', heldBy(ALICE, 2));
			await complete(fixture, 'k', second.held);
		},
	},
	{
		name: 'the first retry fences the second: both act for the same execution, one works',
		async run(fixture) {
			await win(fixture, 'k');
			const actsFor = holderOf(ALICE);
			const first = await win(fixture, 'k', { claimant: BOB, actsFor });
			const second = await lose(fixture, 'k', { claimant: claimant('carol'), actsFor });
			expect(second).toMatchObject({
				outcome: 'in_progress',
				event: { attempt: 2, executionId: 'bob' },
			});
			expect((await lose(fixture, 'k')).outcome).toBe('in_progress');
			await complete(fixture, 'k', first.held);
		},
	},
	{
		name: 'of many retries at the same time one resumes the claim',
		async run(fixture) {
			await win(fixture, 'k');
			const ledgers = [fixture.ledger, await fixture.openAnother()];
			const results = await Promise.all(
				Array.from({ length: 10 }, (_, i) =>
					ledgers[i % 2].claimEvents([
						{
							...at(fixture, 'k'),
							claimant: claimant(`retry ${i}`),
							actsFor: holderOf(ALICE),
						},
					]),
				),
			);
			const outcomes = results.map(([result]) => result.outcome).sort();
			expect(outcomes).toEqual([...Array<string>(9).fill('in_progress'), 'resumed']);
			expect((await look(fixture, 'k')).event).toMatchObject({ attempt: 2, duplicates: 9 });
		},
	},
	{
		name: 'acting for somebody is no more than being that one: other states are as for anybody',
		async run(fixture) {
			const bring = { waiting: wait, duplicate: complete, review, retry: fail };
			for (const [outcome, act] of Object.entries(bring)) {
				const { held } = await win(fixture, outcome);
				await act(fixture, outcome, held);
				const request = { claimant: BOB, actsFor: held.holder };
				expect((await claim(fixture, outcome, request)).outcome).toBe(outcome);
			}
			const { held } = await win(fixture, 'stopped');
			await fixture.expireLease(at(fixture, 'stopped'));
			const lost = await lose(fixture, 'stopped', { claimant: BOB, actsFor: held.holder });
			expect(lost.outcome).toBe('review');
		},
	},
	{
		name: 'who acts for an execution that lost its claim resumes nothing',
		async run(fixture) {
			await win(fixture, 'k');
			await fixture.expireLease(at(fixture, 'k'));
			await win(fixture, 'k', { claimant: BOB, onStopped: 'takeover' });
			const late = { claimant: claimant('carol'), actsFor: holderOf(ALICE) };
			expect((await lose(fixture, 'k', late)).outcome).toBe('in_progress');
		},
	},
	{
		name: 'what an instance is called, and its nonce, are shown to nobody',
		async run(fixture) {
			const by = { ...claimant('57'), instance: 'secret instance', nonce: 'secret nonce' };
			const won = await win(fixture, 'k', { claimant: by, actsFor: holderOf(BOB) });
			await finishStep(fixture, 'k', won.held, 'step');
			const lost = await lose(fixture, 'k');
			await release(fixture, 'k');
			const { ledger, namespace } = fixture;
			const shown = [
				{ ...won, held: undefined },
				lost,
				await look(fixture, 'k'),
				await ledger.list({ namespace }),
				await ledger.history(at(fixture, 'k')),
				await ledger.take({ kinds: ['failed'], namespace, by: 'taker' }),
				await ledger.stats({ namespace }),
			];
			expect(JSON.stringify(shown)).toContain('57');
			expect(JSON.stringify(shown)).not.toMatch(/secret|nonce of/);
		},
	},
];
