import type { ClaimRequest, ClaimResult } from '../../ledger/Ledger';
import { until } from '../servers/ServerProcess';
import type { Crew } from './Crew';
import { claimantOf, holderOf } from './executions';
import { PLACES } from './places';
import { race } from './race';
import type { Worker } from './Worker';

const HOUR = 60 * 60 * 1000;
const LONG_MS = 10 * 60 * 1000;
const SHORT_MS = 300;

for (const [store, open] of Object.entries(PLACES)) {
	race(`${store}: a host whose clock is an hour ahead changes nothing`, open, async ({ crew }) => {
		const [right] = await crew.hire(1, { task: 'serve' });
		const [ahead] = await crew.hire(1, { task: 'serve' }, { clockShiftMs: HOUR });
		expect(ahead.clockError).toBeGreaterThan(0.9 * HOUR);
		expect(right.clockError).toBeLessThan(0.1 * HOUR);

		for (const pair of [
			[ahead, right],
			[right, ahead],
		] as const) {
			await expectLeasesToHold(crew, ...pair);
			await expectLeasesToEnd(crew, ...pair);
			await expectRecordsToLast(crew, ...pair);
			await expectRecordsToExpire(crew, ...pair);
		}
	});
}

async function expectLeasesToHold(crew: Crew, holder: Worker, other: Worker): Promise<void> {
	const key = `lease of worker ${holder.number}`;
	const held = await claim(crew, holder, key, { leaseMs: LONG_MS });
	expect(held.outcome).toBe('new');
	expect(held.event!.leaseUntil! - held.event!.claimedAt).toBe(LONG_MS);
	const met = await claim(crew, other, key, { leaseMs: LONG_MS });
	expect(met.outcome).toBe('in_progress');
	// Nor is it stuck for anybody.
	for (const worker of [holder, other]) {
		expect(await worker.ask('take', { kinds: ['stuck'], by: 'test' })).toEqual([]);
	}
	// Both see times of one clock, which is that of the store.
	expect(Math.abs(met.event!.lastSeenAt - held.event!.claimedAt)).toBeLessThan(HOUR / 2);
}

async function expectLeasesToEnd(crew: Crew, holder: Worker, other: Worker): Promise<void> {
	const key = `short lease of worker ${holder.number}`;
	const held = await claim(crew, holder, key, { leaseMs: SHORT_MS });
	expect(held.outcome).toBe('new');
	await until('the lease to end', async () => {
		const { outcome } = await claim(crew, other, key, { leaseMs: LONG_MS });
		expect(outcome).toBe('recovered');
	});
}

async function expectRecordsToLast(crew: Crew, holder: Worker, other: Worker): Promise<void> {
	const key = `record of worker ${holder.number}`;
	await claimAndComplete(crew, holder, key, LONG_MS);
	for (const worker of [holder, other]) {
		await worker.ask('purge');
		expect((await claim(crew, worker, key)).outcome).toBe('duplicate');
	}
}

async function expectRecordsToExpire(crew: Crew, holder: Worker, other: Worker): Promise<void> {
	const key = `short record of worker ${holder.number}`;
	await claimAndComplete(crew, holder, key, SHORT_MS);
	await until('the record to be forgotten', async () => {
		expect((await claim(crew, other, key)).outcome).toBe('new');
	});
}

async function claim(
	{ namespace }: Crew,
	worker: Worker,
	key: string,
	options: Partial<ClaimRequest> = {},
): Promise<ClaimResult> {
	const claimant = claimantOf(worker.name);
	const request: ClaimRequest = { namespace, key, claimant, onStopped: 'takeover', ...options };
	const [result] = await worker.ask('claimEvents', [request]);
	return result;
}

async function claimAndComplete(
	crew: Crew,
	worker: Worker,
	key: string,
	retentionMs: number,
): Promise<void> {
	const result = await claim(crew, worker, key, { retentionMs });
	if (!result.claimed) throw new Error(`Not claimed: ${result.outcome}`);
	const { namespace } = crew;
	const held = { namespace, key, holder: holderOf(worker.name), attempt: result.event.attempt };
	await worker.ask('completeEvents', [{ ...held, result: key }]);
}
