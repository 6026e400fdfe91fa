import type { NoteRequest } from '../../../ledger/Ledger';
import type { Case } from './Case';
import { ask, at, history, kinds, look, unchanged, win } from './helpers';

/** What is only noted about a gate. */
export const notes: Case[] = [
	{
		name: 'notes go to the history, a limited number of each kind and person',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const first = (await ask(fixture, 'k', { ...held })).approval;
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
			const second = (await ask(fixture, 'k', { ...held, fingerprint: 'changed' })).approval;
			expect(await note()).toBe(false);
			expect(await note({ approvalId: second.id })).toBe(true);
			expect((await look(fixture, 'k')).event.state).toBe('waiting');
		},
	},
	{
		name: 'of many concurrent notes no more than the limit are taken',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held });
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
	{
		name: 'nobody pushes earlier notes out of the count, however much happens',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k');
			const note = async () => {
				const { noted } = await fixture.ledger.noteApproval({
					...at(fixture, 'k'),
					gate: 'gate',
					approvalId: approval.id,
					kind: 'decision_sent',
					by: 'olga',
					limit: 3,
				});
				return noted;
			};
			for (let i = 0; i < 3; i++) expect(await note()).toBe(true);
			for (let i = 0; i < 200; i += 50) {
				await fixture.ledger.finishSteps(
					Array.from({ length: 50 }, (_, j) => ({
						...at(fixture, 'k'),
						...held,
						step: `s${i + j}`,
					})),
				);
			}
			expect(await kinds(fixture, 'k')).not.toContain('decision_sent');
			expect(await note()).toBe(false);
			expect((await look(fixture, 'k')).approvals[0]).not.toHaveProperty('notes');
		},
	},
	{
		name: 'notes are about a gate and its request: another gate, and content that is asked anew, count afresh',
		async run(fixture) {
			await win(fixture, 'k');
			const note = async (gate: string, approvalId: string) => {
				const request = { kind: 'approval_notified', by: 'mailer', limit: 1 } as const;
				return (
					await fixture.ledger.noteApproval({ ...at(fixture, 'k'), gate, approvalId, ...request })
				).noted;
			};
			const first = (await ask(fixture, 'k')).approval.id;
			const other = (await ask(fixture, 'k', { gate: 'other' })).approval.id;
			expect([await note('gate', first), await note('gate', first)]).toEqual([true, false]);
			expect([await note('other', other), await note('other', other)]).toEqual([true, false]);
			const second = (await ask(fixture, 'k', { fingerprint: 'changed' })).approval.id;
			expect([await note('gate', second), await note('gate', second)]).toEqual([true, false]);
		},
	},
];
