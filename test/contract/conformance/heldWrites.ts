import { type ClaimError, StaleClaimError } from '../../../ledger/errors';
import type { HeldRequest, ItemResult, Ledger } from '../../../ledger/Ledger';
import type { Fixture } from './Case';
import { ALICE, at, type Held, HOUR, refused, unchanged } from './helpers';

type HeldWrite = (ledger: Ledger, held: HeldRequest) => Promise<Array<ItemResult<unknown>>>;

export type HeldWriteName =
	| 'begin'
	| 'finish'
	| 'complete'
	| 'fail'
	| 'renew'
	| 'pause'
	| 'release'
	| 'takeUndos'
	| 'requestApproval';

/** Every write that holding a claim authorises. */
export const HELD_WRITES: Record<HeldWriteName, HeldWrite> = {
	begin: (ledger, held) => ledger.beginSteps([{ ...held, step: 'other', claimant: ALICE }]),
	finish: (ledger, held) => ledger.finishSteps([{ ...held, step: 'step', output: 'late' }]),
	complete: (ledger, held) => ledger.completeEvents([{ ...held, result: 'late' }]),
	fail: (ledger, held) => ledger.failEvents([{ ...held, reason: 'late' }]),
	renew: (ledger, held) => ledger.renewLeases([{ ...held, leaseMs: 99 * HOUR }]),
	pause: (ledger, held) => ledger.pauseEvents([{ ...held, forMs: HOUR }]),
	release: (ledger, held) => ledger.releaseEvents([held]),
	takeUndos: (ledger, held) => ledger.takeUndos([held]),
	requestApproval: (ledger, held) =>
		ledger.requestApprovals([{ ...held, gate: 'late', fingerprint: 'late' }]),
};

export const HELD_WRITE_NAMES = Object.keys(HELD_WRITES) as HeldWriteName[];

/** None of the writes that holding a claim authorises goes through, and none changes anything. */
export async function expectFencedOff(
	fixture: Fixture,
	key: string,
	held: Held,
	error: new (...args: never[]) => ClaimError = StaleClaimError,
	writes = HELD_WRITE_NAMES,
): Promise<void> {
	for (const name of writes) {
		await unchanged(fixture, key, async () => {
			await refused(HELD_WRITES[name](fixture.ledger, { ...at(fixture, key), ...held }), error);
		});
	}
}
