import { createHash, randomUUID } from 'node:crypto';

import type { Claimant, Holder } from '../../ledger/records';

/** As n8n makes it. */
const instance = createHash('sha256').update('bench').digest('hex');
const run = randomUUID().slice(0, 8);

/** An execution as the nodes name it: the instance, its number, and a nonce of 22 characters. */
export function executionOf(executionId: string): Holder {
	return { instance, executionId, nonce: `nonce-${run}${executionId.padStart(8, '0')}` };
}

export function claimantOf(execution: Holder, itemIndex = 0): Claimant {
	return { ...execution, nodeId: 'b7d1f0c2-claim', runIndex: 0, itemIndex };
}
