import { EventClosedError } from '../../../ledger/errors';
import type { Case } from './Case';
import {
	ask,
	at,
	begin,
	decide,
	history,
	HOUR,
	kinds,
	look,
	ok,
	refused,
	sum,
	win,
} from './helpers';

/** More about approvals: several gates, votes that are repeated, and what is only noted. */
export const gates: Case[] = [
	{
		name: 'with two gates the event is due when the first of them expires',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const due = async () => (await look(fixture, 'k')).event.dueAt;
			const first = (await ask(fixture, 'k', { ...held, gate: 'first', expiresInMs: HOUR }))
				.approval;
			const later = (await ask(fixture, 'k', { ...held, gate: 'later', expiresInMs: 2 * HOUR }))
				.approval;
			await ask(fixture, 'k', { ...held, gate: 'never' });
			expect(await due()).toBe(first.expiresAt);
			await decide(fixture, 'k', first.id, 'approved', { gate: 'first' });
			expect(await due()).toBe(later.expiresAt);
			await decide(fixture, 'k', later.id, 'approved', { gate: 'later' });
			expect(await due()).toBeUndefined();
			expect((await look(fixture, 'k')).event.state).toBe('waiting');
		},
	},
	{
		name: 'nobody decided in time: expired in every read, and too late to decide',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held, expiresInMs: HOUR });
			await fixture.expireApproval(at(fixture, 'k'), 'gate');
			const read = await look(fixture, 'k');
			expect(read.event.state).toBe('waiting');
			// Nobody decided, so there is no decision to show.
			const { expiresAt } = read.approvals[0];
			expect(read.approvals).toEqual([{ ...approval, state: 'expired', expiresAt }]);
			expect(await kinds(fixture, 'k')).toEqual(['new', 'approval_requested']);
			for (const decision of ['approved', 'rejected'] as const) {
				const late = await decide(fixture, 'k', approval.id, decision);
				expect(late).toMatchObject({
					outcome: 'expired',
					approval: { state: 'expired', votes: [] },
				});
			}
			const found = await look(fixture, 'k');
			expect(found.event.state).toBe('waiting');
			expect(found.approvals).toEqual(read.approvals);
			expect(await kinds(fixture, 'k')).toEqual(['new', 'approval_requested', 'approval_expired']);
		},
	},
	{
		name: 'an expired request is asked anew',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { ...held, expiresInMs: HOUR });
			await fixture.expireApproval(at(fixture, 'k'), 'gate');
			const second = await ask(fixture, 'k', { ...held, expiresInMs: 2 * HOUR });
			expect(second).toMatchObject({
				isNew: true,
				approval: { state: 'pending', previousFingerprint: 'content', previousState: 'expired' },
			});
			const late = await decide(fixture, 'k', first.approval.id, 'approved');
			expect(late).toEqual({ outcome: 'superseded', approval: second.approval });
			expect((await look(fixture, 'k')).event.dueAt).toBe(second.approval.expiresAt);
			expect(await kinds(fixture, 'k')).toEqual([
				'new',
				'approval_requested',
				'approval_expired',
				'approval_requested',
			]);
		},
	},
	{
		name: 'when its gates are decided or expired, the holder ends the wait with its next write',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { leaseMs: HOUR });
			await ask(fixture, 'k', { ...held, expiresInMs: HOUR });
			await fixture.expireApproval(at(fixture, 'k'), 'gate');
			const renewed = await ok(fixture.ledger.renewLeases([{ ...at(fixture, 'k'), ...held }]));
			expect(renewed.event).toMatchObject({ state: 'processing', attempt: 1 });
			expect(renewed.event.leaseUntil).toBeGreaterThan(renewed.event.claimedAt);
			expect(renewed.event.dueAt).toBe(renewed.event.leaseUntil);
			expect(await kinds(fixture, 'k')).toEqual([
				'new',
				'approval_requested',
				'approval_expired',
				'continued',
			]);
			expect((await look(fixture, 'k')).approvals).toMatchObject([{ state: 'expired' }]);
		},
	},
	{
		name: 'with two gates the event waits for both',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const legal = (await ask(fixture, 'k', { ...held, gate: 'legal' })).approval;
			const boss = (await ask(fixture, 'k', { ...held, gate: 'boss' })).approval;
			await decide(fixture, 'k', legal.id, 'approved', { gate: 'legal' });
			expect((await look(fixture, 'k')).event.state).toBe('waiting');
			await decide(fixture, 'k', boss.id, 'approved', { gate: 'boss' });
			const { event, approvals: found } = await look(fixture, 'k');
			expect(event.state).toBe('processing');
			expect(found.map(({ gate, state }) => `${gate} ${state}`).sort()).toEqual([
				'boss approved',
				'legal approved',
			]);
		},
	},
	{
		name: 'the expiry of a gate is recorded by the first write that meets it, also while another is pending',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await ask(fixture, 'k', { ...held, gate: 'short', expiresInMs: HOUR });
			await ask(fixture, 'k', { ...held, gate: 'long' });
			await fixture.expireApproval(at(fixture, 'k'), 'short');
			const asked = ['new', 'approval_requested', 'approval_requested'];
			// A refusal changes nothing, and so it records nothing.
			const request = { ...at(fixture, 'k'), ...held };
			await refused(fixture.ledger.renewLeases([request]), EventClosedError);
			expect(await kinds(fixture, 'k')).toEqual(asked);
			const { approvals } = await look(fixture, 'k');
			const late = await decide(fixture, 'k', approvals[0].id, 'approved', { gate: 'short' });
			expect(late.outcome).toBe('expired');
			expect(await kinds(fixture, 'k')).toEqual([...asked, 'approval_expired']);
			await decide(fixture, 'k', approvals[0].id, 'approved', { gate: 'short' });
			expect(await kinds(fixture, 'k')).toEqual([...asked, 'approval_expired']);
			expect((await look(fixture, 'k')).event.state).toBe('waiting');
			await decide(fixture, 'k', approvals[1].id, 'approved', { gate: 'long' });
			expect(await kinds(fixture, 'k')).toEqual([...asked, 'approval_expired', 'approved']);
		},
	},
	{
		name: 'the holder ends the wait when all gates have expired, and records each of them once',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			for (const gate of ['a', 'b']) {
				await ask(fixture, 'k', { ...held, gate, expiresInMs: HOUR });
			}
			for (const gate of ['a', 'b']) await fixture.expireApproval(at(fixture, 'k'), gate);
			await begin(fixture, 'k', held);
			const entries = (await history(fixture, 'k')).slice(3);
			expect(entries.map(({ kind, gate }) => [kind, gate])).toEqual([
				['approval_expired', 'a'],
				['approval_expired', 'b'],
				['continued', undefined],
				['step_started', undefined],
			]);
			const { tallies } = await fixture.ledger.stats({ namespace: fixture.namespace });
			expect(sum(tallies)).toMatchObject({ approval_expired: 2, continued: 1 });
		},
	},
];
