import type { Case } from './Case';
import { at, BOB, claim, complete, HOUR, look, ok, win } from './helpers';

/** Runs something as on a host whose clock is wrong. Only what asks for the time is faked: timers go on. */
async function withClockOff<T>(byMs: number, run: () => Promise<T>): Promise<T> {
	const doNotFake = [
		'hrtime',
		'nextTick',
		'performance',
		'queueMicrotask',
		'setImmediate',
		'clearImmediate',
		'setInterval',
		'clearInterval',
		'setTimeout',
		'clearTimeout',
	] as const;
	jest.useFakeTimers({ now: Date.now() + byMs, doNotFake: [...doNotFake] });
	try {
		return await run();
	} finally {
		jest.useRealTimers();
	}
}

/**
 * For stores with a clock of their own: hosts with clocks hours apart behave the same. (The embedded store has the clock of its
 * host, which all of its processes share.)
 */
export const clock: Case[] = [
	{
		name: 'a host whose clock is ahead takes nothing over and makes no long leases',
		async run(fixture) {
			const { event } = await win(fixture, 'k', { leaseMs: HOUR });
			await withClockOff(5 * HOUR, async () => {
				const lost = await claim(fixture, 'k', { claimant: BOB, onStopped: 'takeover' });
				expect(lost.outcome).toBe('in_progress');
				const other = await win(fixture, 'other', { leaseMs: HOUR });
				expect(other.event.claimedAt - event.claimedAt).toBeLessThan(HOUR / 2);
				expect(other.event.leaseUntil! - other.event.claimedAt).toBe(HOUR);
				const { namespace } = fixture;
				expect(await fixture.ledger.take({ kinds: ['stuck'], namespace, by: 'taker' })).toEqual([]);
			});
		},
	},
	{
		name: 'a host whose clock is behind makes no short leases and remembers as long',
		async run(fixture) {
			const first = await win(fixture, 'k', { leaseMs: HOUR });
			await withClockOff(-5 * HOUR, async () => {
				await win(fixture, 'other', { leaseMs: HOUR });
				const held = { ...at(fixture, 'k'), ...first.held };
				await ok(fixture.ledger.renewLeases([held]));
			});
			const lost = await claim(fixture, 'other', { claimant: BOB, onStopped: 'takeover' });
			expect(lost.outcome).toBe('in_progress');
			const { event } = await look(fixture, 'k');
			expect(event.leaseUntil! - first.event.claimedAt).toBeGreaterThanOrEqual(HOUR);
		},
	},
	{
		name: 'retention, gates and tallies follow the clock of the store',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { retentionMs: HOUR });
			const question = { ...at(fixture, 'k'), gate: 'gate', fingerprint: 'f', expiresInMs: HOUR };
			await ok(fixture.ledger.requestApprovals([question]));
			await complete(fixture, 'k', held);
			await withClockOff(48 * HOUR, async () => {
				expect((await claim(fixture, 'k')).outcome).toBe('duplicate');
				expect((await look(fixture, 'k')).approvals).toMatchObject([{ state: 'pending' }]);
			});
			const { tallies } = await fixture.ledger.stats({ namespace: fixture.namespace, days: 2 });
			const day = (time: number) => new Date(time).toISOString().slice(0, 10);
			const { createdAt, lastSeenAt } = (await look(fixture, 'k')).event;
			for (const tally of tallies) expect([day(createdAt), day(lastSeenAt)]).toContain(tally.day);
		},
	},
];
