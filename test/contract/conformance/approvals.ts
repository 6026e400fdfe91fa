import { EventNotFoundError } from '../../../ledger/errors';
import type { Case } from './Case';
import {
	ask,
	at,
	beginStep,
	BOB,
	complete,
	decide,
	fail,
	history,
	HOUR,
	kinds,
	look,
	lose,
	refused,
	review,
	win,
} from './helpers';

export const approvals: Case[] = [
	{
		name: 'asking: a pending gate with its content, and the event waits without a lease',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { isNew, approval } = await ask(fixture, 'k', {
				...held,
				content: { pay: 100 },
				required: 2,
				expiresInMs: HOUR,
			});
			expect(isNew).toBe(true);
			expect(approval).toEqual({
				id: approval.id,
				gate: 'gate',
				state: 'pending',
				fingerprint: 'content',
				content: { pay: 100 },
				required: 2,
				votes: [],
				requestedAt: approval.requestedAt,
				expiresAt: approval.requestedAt + HOUR,
			});
			expect(approval.id.length).toBeGreaterThanOrEqual(20);
			const { event, approvals: found } = await look(fixture, 'k');
			expect(found).toEqual([approval]);
			expect(event).toMatchObject({ state: 'waiting', attempt: 1, dueAt: approval.expiresAt });
			expect(event).not.toHaveProperty('leaseUntil');
			expect((await history(fixture, 'k')).at(-1)).toMatchObject({
				kind: 'approval_requested',
				gate: 'gate',
				attempt: 1,
			});
		},
	},
	{
		name: 'a waiting event without expiry is never due, and its lease does not run',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { leaseMs: 1 });
			const { approval } = await ask(fixture, 'k', { ...held });
			expect(approval).not.toHaveProperty('expiresAt');
			const { event } = await look(fixture, 'k');
			expect(event.state).toBe('waiting');
			expect(event).not.toHaveProperty('dueAt');
			const lost = await lose(fixture, 'k', { claimant: BOB, onStopped: 'takeover' });
			expect(lost.outcome).toBe('waiting');
		},
	},
	{
		name: 'asked once per content: while pending, and after the decision',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { ...held, content: 'shown' });
			const again = await ask(fixture, 'k', { ...held, content: 'not shown', required: 5 });
			expect(again).toEqual({ isNew: false, approval: first.approval });
			for (const decision of ['approved', 'rejected'] as const) {
				const gate = `gate ${decision}`;
				const { approval } = await ask(fixture, 'k', { gate });
				const decided = await decide(fixture, 'k', approval.id, decision, { gate });
				const found = await ask(fixture, 'k', { gate });
				expect(found).toEqual({ isNew: false, approval: decided.approval });
				expect(found.approval.state).toBe(decision);
			}
			const asked = (await kinds(fixture, 'k')).filter((kind) => kind === 'approval_requested');
			expect(asked).toHaveLength(3);
		},
	},
	{
		name: 'a decision that was made is used by a rerun, which does not wait',
		async run(fixture) {
			const first = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...first.held });
			await decide(fixture, 'k', approval.id, 'approved');
			await fail(fixture, 'k', first.held);
			const second = await win(fixture, 'k', { claimant: BOB });
			const found = await ask(fixture, 'k', { ...second.held });
			expect(found).toMatchObject({
				isNew: false,
				approval: { id: approval.id, state: 'approved' },
			});
			expect((await look(fixture, 'k')).event.state).toBe('processing');
			expect((await beginStep(fixture, 'k', second.held, 'pay')).outcome).toBe('run');
		},
	},
	{
		name: 'changed content is asked again, and says what was asked before',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { ...held, fingerprint: 'one' });
			const second = await ask(fixture, 'k', { ...held, fingerprint: 'two', content: 2 });
			expect(second).toMatchObject({
				isNew: true,
				approval: { state: 'pending', previousFingerprint: 'one', previousState: 'pending' },
			});
			expect(second.approval.id).not.toBe(first.approval.id);
			await decide(fixture, 'k', second.approval.id, 'approved');
			const third = await ask(fixture, 'k', { ...held, fingerprint: 'three' });
			expect(third).toMatchObject({
				isNew: true,
				approval: {
					state: 'pending',
					votes: [],
					previousFingerprint: 'two',
					previousState: 'approved',
				},
			});
			expect(third.approval).not.toHaveProperty('content');
			expect(third.approval).not.toHaveProperty('decidedBy');
			const { event, approvals: found } = await look(fixture, 'k');
			expect(event.state).toBe('waiting');
			expect(found).toEqual([third.approval]);
		},
	},
	{
		name: 'without a held the event only has to exist, and does not wait',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { isNew, approval } = await ask(fixture, 'k');
			expect(isNew).toBe(true);
			expect((await look(fixture, 'k')).event).toMatchObject({ state: 'processing' });
			const parked = await ask(fixture, 'k', { ...held });
			expect(parked).toEqual({ isNew: false, approval });
			expect((await look(fixture, 'k')).event.state).toBe('waiting');

			const bring = { complete, fail, review };
			for (const [key, act] of Object.entries(bring)) {
				const won = await win(fixture, key);
				await act(fixture, key, won.held);
				const { state } = (await look(fixture, key)).event;
				const asked = await ask(fixture, key);
				const decided = await decide(fixture, key, asked.approval.id, 'approved');
				expect(decided.outcome).toBe('decided');
				expect((await look(fixture, key)).event.state).toBe(state);
			}
			const nothing = { ...at(fixture, 'nothing'), gate: 'gate', fingerprint: 'content' };
			await refused(fixture.ledger.requestApprovals([nothing]), EventNotFoundError);
		},
	},
	{
		name: 'several requests for one gate in one batch: asked once',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const request = { ...at(fixture, 'k'), gate: 'gate', ...held, fingerprint: 'content' };
			const results = await fixture.ledger.requestApprovals([
				request,
				request,
				{ ...request, fingerprint: 'changed' },
				request,
			]);
			const isNew = results.map((result) => result.ok && result.value.isNew);
			expect(isNew).toEqual([true, false, true, true]);
			expect((await look(fixture, 'k')).approvals).toMatchObject([
				{ fingerprint: 'content', previousFingerprint: 'changed' },
			]);
		},
	},
];
