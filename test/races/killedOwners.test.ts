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
import { killAndFreeze } from './killAndFreeze';
import { STEPS } from './orders';
import { PLACES } from './places';
import { race } from './race';
import { Workload } from './Workload';

/** So short that it is soon noticed when its holder is gone; every ledger write of the holder renews it. */
const LEASE_MS = 400;
const MAX_ATTEMPTS = 3;

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: owners are killed and frozen, others take over; no step runs twice, what is in doubt goes to review`,
		open,
		async ({ ledger, crew, random }) => {
			const workload = new Workload(crew, {
				task: 'work',
				claim: { leaseMs: LEASE_MS, onStopped: 'takeover', maxAttempts: MAX_ATTEMPTS },
				whenInDoubt: 'review',
			});
			await workload.during(() => killAndFreeze(workload, crew, random, LEASE_MS));

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
				task: 'work',
				claim: { leaseMs: LEASE_MS, onStopped: 'takeover', maxAttempts: 1000 },
				whenInDoubt: 'repeat',
			});
			await workload.during(() => killAndFreeze(workload, crew, random, LEASE_MS));

			const findings = await investigate(ledger, crew, workload.keys);
			expectOfEach(findings, expectConsistent);
			expectOfEach(findings, ({ details }) => expect(details.event.state).toBe('done'));
			expect(findings.some(wasRecovered)).toBe(true);
		},
	);
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
