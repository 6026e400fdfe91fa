import type { NoteRequest } from '../../../ledger/Ledger';
import type { Case } from './Case';
import { ask, at, decide, history, HOUR, look, unchanged, win } from './helpers';

/** More about approvals: several gates, votes that are repeated, and what is only noted. */
export const gates: Case[] = [
	{
		name: 'with two gates the event is due when the first of them expires',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const due = async () => (await look(fixture, 'k')).event.dueAt;
			const first = (await ask(fixture, 'k', { token, gate: 'first', expiresInMs: HOUR })).approval;
			const later = (await ask(fixture, 'k', { token, gate: 'later', expiresInMs: 2 * HOUR }))
				.approval;
			await ask(fixture, 'k', { token, gate: 'never' });
			expect(await due()).toBe(first.expiresAt);
			await decide(fixture, 'k', first.id, 'approved', { gate: 'first' });
			expect(await due()).toBe(later.expiresAt);
			await decide(fixture, 'k', later.id, 'approved', { gate: 'later' });
			expect(await due()).toBeUndefined();
			expect((await look(fixture, 'k')).event.state).toBe('waiting');
		},
	},
	{
		name: 'the same vote again changes nothing; a change of mind to reject counts',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { token, required: 3 });
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
	{
		name: 'notes go to the history, a limited number of each kind and person',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const first = (await ask(fixture, 'k', { token })).approval;
			const note = async (more: Partial<NoteRequest> = {}) => {
				const request: NoteRequest = {
					...at(fixture, 'k'),
					gate: 'gate',
					approvalId: first.id,
					kind: 'decision_sent',
					by: 'olga',
					limit: 2,
					...more,
				};
				return (await fixture.ledger.noteApproval(request)).noted;
			};
			expect(await note({ reason: '192.0.2.1' })).toBe(true);
			expect((await history(fixture, 'k')).at(-1)).toMatchObject({
				kind: 'decision_sent',
				gate: 'gate',
				by: 'olga',
				reason: '192.0.2.1',
				attempt: 1,
			});
			expect(await note()).toBe(true);
			await unchanged(fixture, 'k', async () => {
				expect(await note()).toBe(false);
				expect(await note({ approvalId: 'other' })).toBe(false);
				expect(await note({ gate: 'other' })).toBe(false);
				expect(await note({ key: 'nothing' })).toBe(false);
			});
			expect(await note({ by: 'paul' })).toBe(true);
			expect(await note({ kind: 'approval_shown' })).toBe(true);
			expect(await note({ limit: 3 })).toBe(true);
			const second = (await ask(fixture, 'k', { token, fingerprint: 'changed' })).approval;
			expect(await note()).toBe(false);
			expect(await note({ approvalId: second.id })).toBe(true);
			expect((await look(fixture, 'k')).event.state).toBe('waiting');
		},
	},
	{
		name: 'of many concurrent notes no more than the limit are taken',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { token });
			const other = await fixture.openAnother();
			const results = await Promise.all(
				Array.from({ length: 12 }, (_, i) =>
					[fixture.ledger, other][i % 2].noteApproval({
						...at(fixture, 'k'),
						gate: 'gate',
						approvalId: approval.id,
						kind: 'decision_sent',
						by: 'olga',
						limit: 5,
					}),
				),
			);
			expect(results.filter(({ noted }) => noted)).toHaveLength(5);
		},
	},
];
