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
	ok,
	refused,
	review,
	unchanged,
	wait,
	win,
} from './helpers';

export const approvals: Case[] = [
	{
		name: 'asking: a pending gate with its content, and the event waits without a lease',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { isNew, approval } = await ask(fixture, 'k', {
				token,
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
			const { token } = await win(fixture, 'k', { leaseMs: 1 });
			const { approval } = await ask(fixture, 'k', { token });
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
			const { token } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { token, content: 'shown' });
			const again = await ask(fixture, 'k', { token, content: 'not shown', required: 5 });
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
			const { approval } = await ask(fixture, 'k', { token: first.token });
			await decide(fixture, 'k', approval.id, 'approved');
			await fail(fixture, 'k', first.token);
			const second = await win(fixture, 'k', { claimant: BOB });
			const found = await ask(fixture, 'k', { token: second.token });
			expect(found).toMatchObject({
				isNew: false,
				approval: { id: approval.id, state: 'approved' },
			});
			expect((await look(fixture, 'k')).event.state).toBe('processing');
			expect((await beginStep(fixture, 'k', second.token, 'pay')).outcome).toBe('run');
		},
	},
	{
		name: 'changed content is asked again, and says what was asked before',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { token, fingerprint: 'one' });
			const second = await ask(fixture, 'k', { token, fingerprint: 'two', content: 2 });
			expect(second).toMatchObject({
				isNew: true,
				approval: { state: 'pending', previousFingerprint: 'one', previousState: 'pending' },
			});
			expect(second.approval.id).not.toBe(first.approval.id);
			await decide(fixture, 'k', second.approval.id, 'approved');
			const third = await ask(fixture, 'k', { token, fingerprint: 'three' });
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
		name: 'a decision about outdated content is not counted: superseded, with the newer request',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { token, fingerprint: 'one' });
			const second = await ask(fixture, 'k', { token, fingerprint: 'two' });
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
				const { token, event } = await win(fixture, decision, { leaseMs: 3 * HOUR });
				const { approval } = await ask(fixture, decision, { token, expiresInMs: HOUR });
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
				await complete(fixture, decision, token);
			}
		},
	},
	{
		name: 'the first decision wins; everyone after sees who decided and when',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { token });
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
			const { token } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { token });
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
			const { token } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { token, required: 3 });
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
			const { token } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { token, required: 3 });
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
		name: 'nobody decided in time: expired in every read, and too late to decide',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { token, expiresInMs: HOUR });
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
			const { token } = await win(fixture, 'k');
			const first = await ask(fixture, 'k', { token, expiresInMs: HOUR });
			await fixture.expireApproval(at(fixture, 'k'), 'gate');
			const second = await ask(fixture, 'k', { token, expiresInMs: 2 * HOUR });
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
			const { token } = await win(fixture, 'k', { leaseMs: HOUR });
			await ask(fixture, 'k', { token, expiresInMs: HOUR });
			await fixture.expireApproval(at(fixture, 'k'), 'gate');
			const renewed = await ok(fixture.ledger.renewLeases([{ ...at(fixture, 'k'), token }]));
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
			const { token } = await win(fixture, 'k');
			const legal = (await ask(fixture, 'k', { token, gate: 'legal' })).approval;
			const boss = (await ask(fixture, 'k', { token, gate: 'boss' })).approval;
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
		name: 'without a token the event only has to exist, and does not wait',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { isNew, approval } = await ask(fixture, 'k');
			expect(isNew).toBe(true);
			expect((await look(fixture, 'k')).event).toMatchObject({ state: 'processing' });
			const parked = await ask(fixture, 'k', { token });
			expect(parked).toEqual({ isNew: false, approval });
			expect((await look(fixture, 'k')).event.state).toBe('waiting');

			const bring = { complete, fail, review };
			for (const [key, act] of Object.entries(bring)) {
				const won = await win(fixture, key);
				await act(fixture, key, won.token);
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
		name: 'deciding what was never asked, or is forgotten: unknown',
		async run(fixture) {
			const nothing = { outcome: 'unknown', approval: undefined };
			expect(await decide(fixture, 'nothing', 'id', 'approved')).toEqual(nothing);
			const { token } = await win(fixture, 'k');
			expect(await decide(fixture, 'k', 'id', 'approved')).toEqual(nothing);
			const approval = await wait(fixture, 'k', token);
			const other = await decide(fixture, 'k', approval.id, 'approved', { gate: 'other' });
			expect(other).toEqual(nothing);
			await decide(fixture, 'k', approval.id, 'approved');
			await complete(fixture, 'k', token);
			await fixture.expireRecord(at(fixture, 'k'));
			expect(await decide(fixture, 'k', approval.id, 'approved')).toEqual(nothing);
		},
	},
	{
		name: 'several requests for one gate in one batch: asked once',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const request = { ...at(fixture, 'k'), gate: 'gate', token, fingerprint: 'content' };
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
