import type { Case } from './Case';
import {
	at,
	BOB,
	claim,
	claimant,
	complete,
	fail,
	history,
	HOUR,
	kinds,
	look,
	lose,
	ok,
	untilPast,
	win,
} from './helpers';

/** Time passes by itself. Only here: the other cases use backdoors, which know how the store keeps its times. */
export const time: Case[] = [
	{
		name: 'a lease that ran out: taken over, or to review',
		async run(fixture) {
			const { event } = await win(fixture, 'a', { leaseMs: 1, input: 'in' });
			await win(fixture, 'b', { leaseMs: 1 });
			await win(fixture, 'c', { leaseMs: HOUR });
			await untilPast(fixture, event.leaseUntil! + 1);
			const second = await win(fixture, 'a', { claimant: BOB, onStopped: 'takeover' });
			expect(second).toMatchObject({
				outcome: 'recovered',
				event: { attempt: 2, createdAt: event.createdAt },
			});
			expect((await look(fixture, 'a')).event.input).toBe('in');
			expect((await lose(fixture, 'b', { claimant: BOB })).outcome).toBe('review');
			expect((await lose(fixture, 'c', { claimant: BOB })).outcome).toBe('in_progress');
			expect(await kinds(fixture, 'a')).toEqual(['new', 'recovered']);
		},
	},
	{
		name: 'a lease that ran out: handed out, and still writable by its slow holder',
		async run(fixture) {
			const { namespace } = fixture;
			const { event, held } = await win(fixture, 'k', { leaseMs: 1, input: 'in' });
			await win(fixture, 'live');
			await untilPast(fixture, event.leaseUntil!);
			const taken = await fixture.ledger.take({ kinds: ['stuck'], namespace, by: 'taker' });
			expect(taken).toMatchObject([{ event: { key: 'k', state: 'processing', input: 'in' } }]);
			const request = { ...at(fixture, 'k'), ...held, leaseMs: HOUR };
			await ok(fixture.ledger.renewLeases([request]));
			expect((await lose(fixture, 'k', { claimant: BOB })).outcome).toBe('in_progress');
		},
	},
	{
		name: 'a retention that is over: forgotten everywhere, and new again',
		async run(fixture) {
			const { namespace } = fixture;
			for (const key of ['a', 'b']) {
				const { held } = await win(fixture, key, { retentionMs: 1, fingerprint: 'fp' });
				const { event } = await complete(fixture, key, held, 'result');
				await untilPast(fixture, event.expiresAt!);
			}
			expect(await fixture.ledger.get([at(fixture, 'a')])).toEqual([undefined]);
			expect(await history(fixture, 'a')).toEqual([]);
			for (const filter of [
				{},
				{ state: 'done' as const },
				{ keyPrefix: 'a' },
				{ fingerprint: 'fp' },
			]) {
				expect((await fixture.ledger.list({ namespace, ...filter })).events).toEqual([]);
			}
			expect((await win(fixture, 'a')).outcome).toBe('new');
			expect(await kinds(fixture, 'a')).toEqual(['new']);
			for (let i = 0; i < 100 && (await fixture.ledger.purge()).more; i++);
			const { events, tallies } = await fixture.ledger.stats({ namespace });
			expect(events).toMatchObject({ done: 0, processing: 1 });
			const purged = tallies.filter(({ kind }) => kind === 'purged');
			expect(purged.reduce((sum, { count }) => sum + count, 0)).toBe(2);
		},
	},
	{
		name: 'a gate whose time is over: expired, handed out, and too late to decide',
		async run(fixture) {
			const { namespace } = fixture;
			const { held } = await win(fixture, 'k');
			const gate = { ...at(fixture, 'k'), gate: 'gate' };
			const question = { ...gate, ...held, fingerprint: 'content', expiresInMs: 1 };
			const { approval } = await ok(fixture.ledger.requestApprovals([question]));
			await untilPast(fixture, approval.expiresAt!);
			expect((await look(fixture, 'k')).approvals).toMatchObject([{ state: 'expired' }]);
			const taken = await fixture.ledger.take({ kinds: ['expired_gate'], namespace, by: 'taker' });
			expect(taken).toMatchObject([
				{ event: { state: 'waiting' }, approvals: [{ state: 'expired' }] },
			]);
			const decision = { ...gate, approvalId: approval.id, by: 'olga' };
			expect(
				await fixture.ledger.decideApproval({ ...decision, decision: 'approved' }),
			).toMatchObject({ outcome: 'expired' });
		},
	},
	{
		name: 'failed work is due after its delay, and again after the visibility time-out',
		async run(fixture) {
			const { namespace } = fixture;
			const { held } = await win(fixture, 'k');
			const request = { ...at(fixture, 'k'), ...held, reason: 'why', retryAfterMs: 1 };
			const { event } = await ok(fixture.ledger.failEvents([request]));
			await untilPast(fixture, event.dueAt!);
			for (let i = 0; i < 3; i++) {
				const take = { kinds: ['failed' as const], namespace, by: 'taker', visibilityMs: 1 };
				expect(await fixture.ledger.take(take)).toMatchObject([{ event: { key: 'k' } }]);
				await untilPast(fixture, (await look(fixture, 'k')).event.dueAt!);
			}
		},
	},
	{
		name: 'the newest version of an object is remembered as long as its event asked for',
		async run(fixture) {
			const version = (number: number, retentionMs: number) => ({
				ordering: { object: 'o', version: number },
				retentionMs,
			});
			const { event } = await win(fixture, 'v5', version(5, 1));
			await untilPast(fixture, event.claimedAt + 1);
			expect((await claim(fixture, 'v1', version(1, HOUR))).outcome).toBe('new');
			expect((await claim(fixture, 'v0', version(0, HOUR))).outcome).toBe('stale');
		},
	},
	{
		name: 'a version that came too late keeps the newest one in memory as long as it asked for',
		async run(fixture) {
			const version = (number: number, retentionMs: number) => ({
				ordering: { object: 'o', version: number },
				retentionMs,
			});
			// In one call, in which no time passes.
			const [newest, late] = await fixture.ledger.claimEvents([
				{ ...at(fixture, 'v5'), claimant: BOB, ...version(5, 1) },
				{ ...at(fixture, 'v1'), claimant: BOB, ...version(1, HOUR) },
			]);
			expect([newest.outcome, late.outcome]).toEqual(['new', 'stale']);
			await untilPast(fixture, newest.event!.claimedAt + 1);
			expect((await claim(fixture, 'v1', version(1, HOUR))).outcome).toBe('stale');
		},
	},
	{
		name: 'what is not done is not forgotten, however old',
		async run(fixture) {
			const { event } = await win(fixture, 'processing', { retentionMs: 1 });
			const { held } = await win(fixture, 'failed', { retentionMs: 1 });
			await fail(fixture, 'failed', held);
			await untilPast(fixture, event.claimedAt + 1);
			for (let i = 0; i < 100 && (await fixture.ledger.purge()).more; i++);
			expect((await look(fixture, 'processing')).event.state).toBe('processing');
			const second = await win(fixture, 'failed', { claimant: claimant('later') });
			expect(second.outcome).toBe('retry');
		},
	},
];
