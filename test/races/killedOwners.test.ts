import { setTimeout as sleep } from 'node:timers/promises';

import type { Crew } from './Crew';
import {
	effects,
	expectDoneProperly,
	expectKept,
	expectNoRepetition,
	expectOfEach,
	expectOneOwnerAtATime,
	type Finding,
	investigate,
	stepInDoubt,
} from './findings';
import { STEPS } from './orders';
import { PLACES } from './places';
import { race } from './race';
import type { Random } from './random';
import { Workload } from './Workload';
import type { Worker } from './Worker';

const WORKERS = 5;
const STRIKES = 9;
/** So short that it is soon noticed when its holder is gone; every ledger write of the holder renews it. */
const LEASE_MS = 400;
const MAX_ATTEMPTS = 3;

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: owners are killed and frozen, others take over; no step runs twice, what is in doubt goes to review`,
		open,
		async ({ ledger, crew, random }) => {
			const workload = new Workload(crew, {
				claim: { leaseMs: LEASE_MS, onStopped: 'takeover', maxAttempts: MAX_ATTEMPTS },
				whenInDoubt: 'review',
			});
			await workload.during(() => killAndFreeze(workload, crew, random));

			const findings = await investigate(ledger, crew, workload.keys);
			expectOfEach(findings, expectConsistent);
			expectOfEach(findings, expectNoStepTwice);
			expectOfEach(findings, expectReasonForReview);
			// Otherwise nothing was tested.
			expect(findings.some(wasRecovered)).toBe(true);
			expect(findings.some(({ details }) => stepInDoubt(details))).toBe(true);
		},
	);

	race(
		`${store}: owners are killed and frozen, steps may be repeated; every event gets done`,
		open,
		async ({ ledger, crew, random }) => {
			const workload = new Workload(crew, {
				claim: { leaseMs: LEASE_MS, onStopped: 'takeover', maxAttempts: 1000 },
				whenInDoubt: 'repeat',
			});
			await workload.during(() => killAndFreeze(workload, crew, random));

			const findings = await investigate(ledger, crew, workload.keys);
			expectOfEach(findings, expectConsistent);
			expectOfEach(findings, ({ details }) => expect(details.event.state).toBe('done'));
			expect(findings.some(wasRecovered)).toBe(true);
		},
	);
}

/** Strikes workers at random moments, and in the end all of them at once. Who is killed is replaced. */
async function killAndFreeze(workload: Workload, crew: Crew, random: Random): Promise<void> {
	await workload.hire(WORKERS);
	const frozen = new Set<Worker>();
	const pending: Array<Promise<void>> = [];
	for (let strike = 1; strike <= STRIKES; strike++) {
		await sleep(random.between(50, 300));
		const active = () => crew.members.filter((worker) => worker.isReady && !frozen.has(worker));
		// Somebody has to be left to take over.
		await crew.until('two workers to be at work', () => {
			if (active().length < 2) throw new Error(`there are ${active().length}`);
		});
		const victim = random.pick(active());
		if (strike % 3 === 0) {
			frozen.add(victim);
			pending.push(freezeBeyondLease(victim).then(() => void frozen.delete(victim)));
		} else {
			await victim.kill();
			pending.push(workload.hire(1));
		}
	}
	await Promise.all(pending);
	await Promise.all(crew.members.map((worker) => worker.kill()));
	await workload.hire(WORKERS);
}

async function freezeBeyondLease(worker: Worker): Promise<void> {
	worker.freeze();
	await sleep(2 * LEASE_MS);
	worker.thaw();
}

function expectConsistent(finding: Finding): void {
	expectOneOwnerAtATime(finding);
	expectKept(finding);
	expectNoRepetition(finding);
	const { state } = finding.details.event;
	expect(['done', 'review']).toContain(state);
	if (state === 'done') expectDoneProperly(finding);
}

function expectNoStepTwice({ entries }: Finding): void {
	for (const step of STEPS) expect(effects(entries, step).length).toBeLessThanOrEqual(1);
}

function expectReasonForReview({ details }: Finding): void {
	const { state, reason, attempt } = details.event;
	if (state !== 'review') return;
	if (reason === `All ${MAX_ATTEMPTS} attempts are used up`) expect(attempt).toBe(MAX_ATTEMPTS);
	else expect(stepInDoubt(details)?.state).toBe('started');
}

function wasRecovered({ history }: Finding): boolean {
	return history.some(({ kind }) => kind === 'recovered');
}
