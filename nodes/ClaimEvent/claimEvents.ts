import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ClaimRequest } from '../../ledger/Ledger';
import { claimantOf } from '../shared/execution';
import { withIdempotency } from '../shared/item/idempotency';
import { reclaimedEventOf } from '../shared/item/reclaimedEvent';
import { saveClaimsToExecution } from '../shared/ledger/executionClaims';
import type { WonClaim } from '../shared/ledger/HeldClaim';
import { sendBatch } from '../shared/ledger/sendBatch';
import { withLedger } from '../shared/ledger/withLedger';
import { type ClaimAttempt, claimAttemptReader } from './ClaimAttempt';
import { describeClaim } from './describeClaim';
import { forget, notClaimed, type Routed } from './routing';
import { waitForFirstRuns } from './waitForFirstRuns';

/** Claims the events that the items bring, all in one call. */
export async function claimEvents(
	node: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<Routed[]> {
	const claimant = claimantOf(node);
	const reclaimed = reclaimedEventOf(node);
	const read = claimAttemptReader(node);
	const routed: Routed[] = [];
	const attempts: ClaimAttempt[] = [];
	for (let i = 0; i < items.length; i++) {
		const item = items[i];
		if (item.error) {
			// Nobody would finish it, and to stop for it would hold up the others.
			routed[i] = notClaimed(node, item, i, failedBefore(node, item.error.message, i));
			continue;
		}
		try {
			attempts.push(read(item, claimant(i), reclaimed(item)));
		} catch (error) {
			routed[i] = notClaimed(node, item, i, error, { orThrow: true });
		}
	}
	if (attempts.length > 0) await claim(node, attempts);
	for (const attempt of attempts) routed[attempt.itemIndex] = route(node, attempt);
	return routed;
}

async function claim(node: IExecuteFunctions, attempts: ClaimAttempt[]): Promise<void> {
	await withLedger(node, async (ledger) => {
		const send = (requests: ClaimRequest[]) => ledger.claimEvents(requests);
		const replies = await sendBatch(node, attempts, send);
		attempts.forEach((attempt, i) => (attempt.reply = replies[i]));
		// At once: should anything go wrong from here on, a retry by hand finds its claims again.
		saveClaimsToExecution(node, attempts.flatMap(wonClaim));
		const patient = attempts.filter(({ waitMs }) => waitMs > 0);
		const late = patient.filter((attempt) => wonClaim(attempt).length === 0);
		await waitForFirstRuns(node, ledger, late);
		saveClaimsToExecution(node, late.flatMap(wonClaim));
	});
}

function wonClaim({ reply, request, isInherited }: ClaimAttempt): WonClaim[] {
	if (!reply || 'error' in reply || !reply.value.claimed) return [];
	const { namespace, key } = request;
	const { instance, executionId, nonce, ...place } = request.claimant;
	const holder = { instance, executionId, nonce };
	return [{ namespace, key, attempt: reply.value.event.attempt, holder, isInherited, place }];
}

function route(node: IExecuteFunctions, attempt: ClaimAttempt): Routed {
	const { item, itemIndex, request, reply } = attempt;
	if ('error' in reply!) return notClaimed(node, item, itemIndex, reply.error, { orThrow: true });
	const { output, fields } = describeClaim(node, request, reply!.value);
	return {
		output,
		outcome: reply!.value.outcome,
		key: request.key,
		item: withIdempotency(forget(item, itemIndex), itemIndex, fields),
	};
}

function failedBefore(node: IExecuteFunctions, message: string, itemIndex: number) {
	return new NodeOperationError(
		node.getNode(),
		`This item failed before it came here: ${message}`,
		{
			itemIndex,
			description: 'It was not claimed. Repair what failed and deliver the event again',
		},
	);
}
