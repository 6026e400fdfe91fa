import type { Case } from './Case';
import {
	ALICE,
	at,
	beginStep,
	BOB,
	claim,
	claimant,
	complete,
	fail,
	finishStep,
	history,
	kinds,
	look,
	lose,
	review,
	unchanged,
	wait,
	win,
} from './helpers';

/** Who is turned away, and what is forgotten: the other rows of the table in DESIGN §3. */
export const turnedAway: Case[] = [
	{
		name: 'already in review: review, counted, nothing else changes',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { event } = await review(fixture, 'k', held);
			const lost = await lose(fixture, 'k', { actsFor: held.holder, onStopped: 'takeover' });
			expect(lost.outcome).toBe('review');
			expect(lost.event).toEqual({
				...event,
				duplicates: 1,
				lastSeenAt: lost.event!.lastSeenAt,
			});
			expect(await kinds(fixture, 'k')).toEqual(['new', 'review']);
		},
	},
	{
		name: 'waiting at a gate: waiting, also for the same claimant',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await wait(fixture, 'k', held);
			for (const by of [ALICE, BOB]) {
				const lost = await lose(fixture, 'k', { claimant: by, actsFor: held.holder });
				expect(lost.outcome).toBe('waiting');
			}
			expect((await look(fixture, 'k')).event).toMatchObject({ state: 'waiting', duplicates: 2 });
			expect(await kinds(fixture, 'k')).toEqual(['new', 'approval_requested']);
		},
	},
	{
		name: 'done: duplicate, with the stored result',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { input: 'in', keepInput: true });
			await finishStep(fixture, 'k', held, 'email', 'sent');
			await complete(fixture, 'k', held, { total: 12 });
			const lost = await lose(fixture, 'k', { onStopped: 'takeover' });
			expect(lost).toMatchObject({
				outcome: 'duplicate',
				event: { state: 'done', result: { total: 12 }, duplicates: 1 },
			});
			expect(lost.event).not.toHaveProperty('input');
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_done', 'completed']);
		},
	},
	{
		name: 'no fingerprint on one side: no conflict; the first one that comes is kept',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await fail(fixture, 'k', held);
			const second = await win(fixture, 'k', { fingerprint: 'fp' });
			expect(second).toMatchObject({ outcome: 'retry', event: { fingerprint: 'fp' } });
			await fail(fixture, 'k', second.held);
			expect(await win(fixture, 'k')).toMatchObject({ event: { fingerprint: 'fp' } });
			expect((await lose(fixture, 'k', { fingerprint: 'else' })).outcome).toBe('conflict');
		},
	},
	{
		name: 'every delivery that is turned away is counted',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { fingerprint: 'fp' });
			for (let i = 0; i < 3; i++) await lose(fixture, 'k', { claimant: BOB });
			await complete(fixture, 'k', held);
			await lose(fixture, 'k', { fingerprint: 'other' });
			const twice = [1, 2].map((i) => ({ ...at(fixture, 'k'), claimant: claimant('x', i) }));
			const results = await fixture.ledger.claimEvents(twice);
			expect(results.map(({ event }) => event!.duplicates)).toEqual([5, 6]);
			const { event } = await look(fixture, 'k');
			expect(event.duplicates).toBe(6);
			expect(event.lastSeenAt).toBe(results[1].event!.lastSeenAt);
		},
	},
	{
		name: 'an expired record does not exist: new, without the old steps, gates and history',
		async run(fixture) {
			const first = await win(fixture, 'k', { fingerprint: 'one', workflowId: 'w', input: 1 });
			await lose(fixture, 'k', { claimant: BOB });
			await finishStep(fixture, 'k', first.held, 'email', 'sent');
			await fixture.ledger.requestApprovals([
				{ ...at(fixture, 'k'), gate: 'gate', fingerprint: 'content' },
			]);
			await complete(fixture, 'k', first.held, 'old');
			await fixture.expireRecord(at(fixture, 'k'));
			expect(await fixture.ledger.get([at(fixture, 'k')])).toEqual([undefined]);
			expect(await history(fixture, 'k')).toEqual([]);
			const second = await win(fixture, 'k', { claimant: BOB, fingerprint: 'two' });
			expect(second).toMatchObject({ outcome: 'new', steps: [] });
			expect(second.event).toMatchObject({ attempt: 1, duplicates: 0, fingerprint: 'two' });
			expect(await look(fixture, 'k')).toEqual({
				event: second.event,
				steps: [],
				approvals: [],
				conflicts: [],
			});
			expect(await kinds(fixture, 'k')).toEqual(['new']);
			const started = await beginStep(fixture, 'k', second.held, 'email');
			expect(started).toMatchObject({ outcome: 'run', step: { tries: 1 } });
		},
	},
	{
		name: 'failed, review and waiting do not expire by themselves',
		async run(fixture) {
			for (const bring of [fail, review, wait]) {
				const { held } = await win(fixture, bring.name, { retentionMs: 1 });
				await bring(fixture, bring.name, held);
				expect((await look(fixture, bring.name)).event.expiresAt).toBeUndefined();
			}
		},
	},
	{
		name: 'the same content under another key is pointed out, to whoever asks',
		async run(fixture) {
			const request = { fingerprint: 'same', findSameContent: true };
			expect(await win(fixture, 'first', request)).not.toHaveProperty('sameContentAs');
			expect(await win(fixture, 'second', request)).toMatchObject({
				outcome: 'new',
				sameContentAs: 'first',
			});
			const other = await win(fixture, 'third', { ...request, fingerprint: 'other' });
			expect(other).not.toHaveProperty('sameContentAs');
			const silent = await win(fixture, 'fourth', { fingerprint: 'same' });
			expect(silent).not.toHaveProperty('sameContentAs');
			// Who did not ask is not pointed out either.
			expect(await win(fixture, 'later', request)).toMatchObject({ sameContentAs: 'second' });
			const elsewhere = { namespace: `${fixture.namespace} elsewhere`, ...request };
			expect(await win(fixture, 'fifth', elsewhere)).not.toHaveProperty('sameContentAs');
		},
	},
	{
		name: 'the same content is pointed out in a batch too, whether it came before or with it',
		async run(fixture) {
			await win(fixture, 'before', { fingerprint: 'a', findSameContent: true });
			const claims = async (...fingerprints: string[]) =>
				await fixture.ledger.claimEvents(
					fingerprints.map((fingerprint, i) => ({
						...at(fixture, `${fingerprints.join()} ${i}`),
						claimant: claimant('x', i),
						fingerprint,
						findSameContent: true,
					})),
				);
			const [fresh, known] = await claims('b', 'a');
			expect(fresh).not.toHaveProperty('sameContentAs');
			expect(known).toMatchObject({ outcome: 'new', sameContentAs: 'before' });
			const [alone, , second] = await claims('c', 'd', 'd');
			expect(alone).not.toHaveProperty('sameContentAs');
			expect(second).toMatchObject({ outcome: 'new', sameContentAs: 'c,d,d 1' });
		},
	},
	{
		name: 'an event that is claimed anew does not have the same content as itself',
		async run(fixture) {
			const request = { fingerprint: 'own', findSameContent: true };
			await win(fixture, 'k', request);
			await fixture.ledger.deleteEvents([{ ...at(fixture, 'k'), by: 'olga' }]);
			expect(await win(fixture, 'k', request)).not.toHaveProperty('sameContentAs');
		},
	},
	{
		name: 'reading changes nothing',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { input: [1, 2] });
			await beginStep(fixture, 'k', held, 'email');
			await unchanged(fixture, 'k', async () => {
				await fixture.ledger.list({ namespace: fixture.namespace });
				await fixture.ledger.stats({ namespace: fixture.namespace });
			});
			expect((await claim(fixture, 'k', { claimant: BOB })).outcome).toBe('in_progress');
		},
	},
];
