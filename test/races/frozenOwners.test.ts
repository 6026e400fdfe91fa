import type { ClaimRequest, ClaimResult, HeldRequest } from '../../ledger/Ledger';
import { until } from '../servers/ServerProcess';
import type { Crew } from './Crew';
import { claimantOf, holderOf } from './executions';
import { labelOf } from './labels';
import { PLACES } from './places';
import { race } from './race';
import type { Worker } from './Worker';

const LEASE_MS = 400;
const STEP = 'invoice';

/** What becomes of the events of a worker while it is frozen. */
const FATES = ['taken over', 'done by heir', 'failed by heir', 'in review', 'left alone'] as const;
type Fate = (typeof FATES)[number];

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: who wakes up after its lease can change nothing that others have taken over`,
		open,
		async ({ ledger, crew }) => {
			const [sleeper, heir] = await crew.hire(2, { task: 'serve' });
			const events = await claimAndBegin(crew, sleeper);
			sleeper.freeze();
			// They wait in its inbox for it to wake up.
			const answers = writeLate(sleeper, events);
			await inheritAll(crew, heir);

			const look = async () => ({
				records: await ledger.get(events),
				histories: await Promise.all(events.map((event) => ledger.history(event))),
			});
			const before = await look();
			sleeper.thaw();
			const late = await answers;
			const after = await look();

			FATES.forEach((fate, i) => {
				if (fate === 'left alone') return;
				expect([fate, after.records[i]]).toEqual([fate, before.records[i]]);
				expect([fate, after.histories[i]]).toEqual([fate, before.histories[i]]);
			});
			const states = before.records.map((record) => record!.event.state);
			expect(states).toEqual(['processing', 'done', 'failed', 'review', 'processing']);

			const [stale, closed, ok] = ['StaleClaimError', 'EventClosedError', 'ok'];
			const repeated = 'repeated';
			expect(late).toEqual({
				renewLeases: [stale, stale, stale, closed, ok],
				beginSteps: [stale, stale, stale, closed, ok],
				finishSteps: [stale, stale, stale, closed, ok],
				completeEvents: [stale, stale, stale, closed, ok],
				// In review by nobody else's claim: to give it up once more is a repetition.
				failEvents: [stale, stale, stale, repeated, closed],
				releaseEvents: [stale, stale, stale, repeated, closed],
				requestApprovals: [stale, stale, stale, closed, closed],
			});
			// Without a rival it was only slow, and could carry on.
			expect(after.records.at(-1)!.event).toMatchObject({ state: 'done', result: 'late' });
		},
	);
}

function claimRequest({ namespace }: Crew, worker: Worker, fate: Fate): ClaimRequest {
	const onStopped = fate === 'in review' ? 'review' : 'takeover';
	return { namespace, key: fate, claimant: claimantOf(worker.name), leaseMs: LEASE_MS, onStopped };
}

async function claimAndBegin(crew: Crew, worker: Worker): Promise<HeldRequest[]> {
	const requests = FATES.map((fate) => claimRequest(crew, worker, fate));
	const claims = await worker.ask('claimEvents', requests);
	const held = claims.map((claim) => heldBy(worker, claim));
	const begun = await worker.ask(
		'beginSteps',
		held.map((event) => ({ ...event, step: STEP, claimant: claimantOf(worker.name) })),
	);
	expect(begun.map(labelOf)).toEqual(FATES.map(() => 'ok'));
	return held;
}

/** Tries every kind of write that a holder can make, on all events, one kind after the other. */
async function writeLate(worker: Worker, events: HeldRequest[]): Promise<Record<string, string[]>> {
	const on = <T>(more: T) => events.map((event) => ({ ...event, ...more }));
	const step = 'email';
	const labels = async (answer: Promise<unknown[]>) => (await answer).map(labelOf);
	return {
		renewLeases: await labels(worker.ask('renewLeases', events)),
		beginSteps: await labels(
			worker.ask('beginSteps', on({ step, claimant: claimantOf(worker.name) })),
		),
		finishSteps: await labels(worker.ask('finishSteps', on({ step: STEP, output: 'late' }))),
		completeEvents: await labels(finishAndComplete()),
		failEvents: await labels(worker.ask('failEvents', on({ reason: 'late' }))),
		releaseEvents: await labels(worker.ask('releaseEvents', on({ reason: 'late' }))),
		requestApprovals: await labels(
			worker.ask('requestApprovals', on({ gate: 'late', fingerprint: 'late' })),
		),
	};

	/** An event is not completed as long as one of its steps is not finished. */
	async function finishAndComplete() {
		await worker.ask('finishSteps', on({ step, output: 'late' }));
		return await worker.ask('completeEvents', on({ result: 'late' }));
	}
}

/** Does to each event what its name says, as soon as the lease of its holder is over. */
async function inheritAll(crew: Crew, heir: Worker): Promise<void> {
	const inherit = async (fate: Fate): Promise<HeldRequest> => {
		let result!: ClaimResult;
		await until(`the lease of '${fate}' to be over`, async () => {
			[result] = await heir.ask('claimEvents', [claimRequest(crew, heir, fate)]);
			expect(result.outcome).toBe('recovered');
		});
		return heldBy(heir, result);
	};

	await heir.ask('renewLeases', [{ ...(await inherit('taken over')), leaseMs: 600_000 }]);

	const done = await inherit('done by heir');
	await heir.ask('finishSteps', [{ ...done, step: STEP, output: 'of the heir' }]);
	await heir.ask('completeEvents', [{ ...done, result: 'of the heir' }]);

	const failed = await inherit('failed by heir');
	await heir.ask('failEvents', [{ ...failed, reason: 'of the heir' }]);

	const [review] = await heir.ask('claimEvents', [claimRequest(crew, heir, 'in review')]);
	expect(review.outcome).toBe('review');
}

function heldBy({ name }: Worker, result: ClaimResult): HeldRequest {
	if (!result.claimed) throw new Error(`Not claimed: ${result.outcome}`);
	const { namespace, key, attempt } = result.event;
	return { namespace, key, holder: holderOf(name), attempt };
}
