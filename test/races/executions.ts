import type { Claimant, Holder } from '../../ledger/records';

/** All executions of a race are of one installation. */
export function holderOf(executionId: string): Holder {
	return { instance: 'races', executionId, nonce: `nonce of ${executionId}` };
}

/** Each run of the execution's node is another claimant. */
export function claimantOf(executionId: string, runIndex = 0): Claimant {
	return { ...holderOf(executionId), nodeId: 'races', runIndex, itemIndex: 0 };
}
