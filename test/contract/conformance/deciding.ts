import type { Case } from './Case';
import { ask, at, complete, decide, history, HOUR, look, unchanged, wait, win } from './helpers';

/** How people decide. */
export const deciding: Case[] = [
	{
		name: 'a decision about outdated content is not counted: superseded, with the newer request',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { ...held, fingerprint: 'one' });
			const second = await ask(fixture, 'k', { ...held, fingerprint: 'two' });
			await unchanged(fixture, 'k', async () => {
				expect(await decide(fixture, 'k', first.approval.id, 'approved')).toEqual({
					outcome: 'superseded',
					approval: second.approval,
				});
			});
		},
	},
	{
		name: 'the decision is on record and the event goes on, with a fresh lease',
		async run(fixture) {
			for (const decision of ['approved', 'rejected'] as const) {
				const { held, event } = await win(fixture, decision, { leaseMs: 3 * HOUR });
				const { approval } = await ask(fixture, decision, { ...held, expiresInMs: HOUR });
				const { id } = approval;
				const decided = await decide(fixture, decision, id, decision, { comment: 'As agreed' });
				expect(decided.outcome).toBe('decided');
				const { decidedAt } = decided.approval!;
				expect(decided.approval).toEqual({
					...approval,
					state: decision,
					votes: [{ by: 'olga', decision, at: decidedAt, comment: 'As agreed' }],
					decidedAt,
					decidedBy: 'olga',
					comment: 'As agreed',
				});
				const found = await look(fixture, decision);
				expect(found.approvals).toEqual([decided.approval]);
				expect(found.event).toMatchObject({ state: 'processing', attempt: 1 });
				expect(found.event.leaseUntil! - event.claimedAt).toBeGreaterThanOrEqual(3 * HOUR);
				expect(found.event.dueAt).toBe(found.event.leaseUntil);
				expect((await history(fixture, decision)).at(-1)).toMatchObject({
					kind: decision,
					gate: 'gate',
					by: 'olga',
				});
				await complete(fixture, decision, held);
			}
		},
	},
	{
		name: 'the first decision wins; everyone after sees who decided and when',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held });
			const first = await decide(fixture, 'k', approval.id, 'rejected', { comment: 'Too much' });
			await unchanged(fixture, 'k', async () => {
				for (const by of ['olga', 'paul']) {
					expect(await decide(fixture, 'k', approval.id, 'approved', { by })).toEqual({
						outcome: 'already_decided',
						approval: first.approval,
					});
				}
			});
		},
	},
	{
		name: 'of many concurrent decisions exactly one decides',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held });
			const other = await fixture.openAnother();
			const results = await Promise.all(
				Array.from({ length: 12 }, (_, i) =>
					[fixture.ledger, other][i % 2].decideApproval({
						...at(fixture, 'k'),
						gate: 'gate',
						approvalId: approval.id,
						decision: i % 3 ? 'approved' : 'rejected',
						by: `person ${i}`,
					}),
				),
			);
			const winners = results.filter(({ outcome }) => outcome === 'decided');
			expect(winners).toHaveLength(1);
			for (const result of results) expect(result.approval).toEqual(winners[0].approval);
			expect(winners[0].approval!.votes).toHaveLength(1);
		},
	},
	{
		name: 'a quorum needs different people',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held, required: 3 });
			const vote = async (by: string) =>
				(await decide(fixture, 'k', approval.id, 'approved', { by })).outcome;
			expect(await vote('olga')).toBe('voted');
			expect(await vote('olga')).toBe('voted');
			expect(await vote('paul')).toBe('voted');
			expect(await vote('olga')).toBe('voted');
			const before = await look(fixture, 'k');
			expect(before).toMatchObject({
				event: { state: 'waiting' },
				approvals: [{ state: 'pending' }],
			});
			expect(before.approvals[0]).not.toHaveProperty('decidedBy');
			expect(await vote('rita')).toBe('decided');
			const { event, approvals: found } = await look(fixture, 'k');
			expect(event.state).toBe('processing');
			expect(found).toMatchObject([{ state: 'approved', decidedBy: 'rita' }]);
			expect(new Set(found[0].votes.map(({ by }) => by))).toEqual(
				new Set(['olga', 'paul', 'rita']),
			);
			const entries = (await history(fixture, 'k')).slice(2);
			expect(entries.at(0)).toMatchObject({ kind: 'vote', gate: 'gate', by: 'olga' });
			expect(entries.at(-1)).toMatchObject({ kind: 'approved', gate: 'gate', by: 'rita' });
			expect(entries.filter(({ kind }) => kind === 'approved')).toHaveLength(1);
		},
	},
	{
		name: 'one rejection decides, whatever the quorum',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held, required: 3 });
			await decide(fixture, 'k', approval.id, 'approved');
			const rejected = await decide(fixture, 'k', approval.id, 'rejected', { by: 'paul' });
			expect(rejected).toMatchObject({
				outcome: 'decided',
				approval: { state: 'rejected', decidedBy: 'paul' },
			});
			expect((await look(fixture, 'k')).event.state).toBe('processing');
		},
	},
	{
		name: 'deciding what was never asked, or is forgotten: unknown',
		async run(fixture) {
			const nothing = { outcome: 'unknown', approval: undefined };
			expect(await decide(fixture, 'nothing', 'id', 'approved')).toEqual(nothing);
			const { held } = await win(fixture, 'k');
			expect(await decide(fixture, 'k', 'id', 'approved')).toEqual(nothing);
			const approval = await wait(fixture, 'k', held);
			const other = await decide(fixture, 'k', approval.id, 'approved', { gate: 'other' });
			expect(other).toEqual(nothing);
			await decide(fixture, 'k', approval.id, 'approved');
			await complete(fixture, 'k', held);
			await fixture.expireRecord(at(fixture, 'k'));
			expect(await decide(fixture, 'k', approval.id, 'approved')).toEqual(nothing);
		},
	},
	{
		name: 'the same vote again changes nothing; a change of mind to reject counts',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held, required: 3 });
			const first = await decide(fixture, 'k', approval.id, 'approved');
			await unchanged(fixture, 'k', async () => {
				expect(await decide(fixture, 'k', approval.id, 'approved', { comment: 'Again' })).toEqual(
					first,
				);
			});
			const rejected = await decide(fixture, 'k', approval.id, 'rejected');
			expect(rejected).toMatchObject({ outcome: 'decided', approval: { state: 'rejected' } });
		},
	},
];
