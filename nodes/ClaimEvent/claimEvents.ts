import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ClaimRequest } from '../../ledger/Ledger';
import { withIdempotency } from '../shared/claimOnItem';
import { claimantOf, placeOf } from '../shared/execution';
import { handedOut } from '../shared/handedOut';
import { type RememberedClaim, rememberClaims } from '../shared/rememberedClaims';
import { settleBatch } from '../shared/settleBatch';
import { useLedger } from '../shared/useLedger';
import { claimBusinessKeys } from './businessKey';
import { type Delivery, deliveryReader } from './Delivery';
import { describe } from './describe';
import { forget, notClaimed, type Routed } from './routing';
import { waitForFirstRuns } from './waitForFirstRuns';

/** Claims the events that the items bring, all in one call. */
export async function claimEvents(
	node: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<Routed[]> {
	const claimant = claimantOf(node);
	const again = handedOut(node);
	const read = deliveryReader(node);
	const routed: Routed[] = [];
	const deliveries: Delivery[] = [];
	for (let i = 0; i < items.length; i++) {
		const item = items[i];
		if (item.error) {
			// Nobody would finish it, and to stop for it would hold up the others.
			routed[i] = notClaimed(node, item, i, failedBefore(node, item.error.message, i));
			continue;
		}
		try {
			deliveries.push(read(item, claimant(i), again(item)));
		} catch (error) {
			routed[i] = notClaimed(node, item, i, error, { orThrow: true });
		}
	}
	if (deliveries.length > 0) await claim(node, deliveries);
	for (const delivery of deliveries) routed[delivery.itemIndex] = route(node, delivery);
	return routed;
}

async function claim(node: IExecuteFunctions, deliveries: Delivery[]): Promise<void> {
	await useLedger(node, async (ledger) => {
		const send = (requests: ClaimRequest[]) => ledger.claimEvents(requests);
		const outcomes = await settleBatch(node, deliveries, send);
		deliveries.forEach((delivery, i) => (delivery.outcome = outcomes[i]));
		// At once: should anything go wrong from here on, a retry by hand finds its claims again.
		remember(node, deliveries);
		const more = deliveries.filter(({ waitMs, business }) => waitMs > 0 || business);
		await waitForFirstRuns(node, ledger, more);
		await claimBusinessKeys(node, ledger, more);
		remember(node, more);
	});
}

function remember(node: IExecuteFunctions, deliveries: Delivery[]): void {
	const claims: RememberedClaim[] = [];
	for (const { outcome, request, business } of deliveries) {
		if (!outcome || 'error' in outcome || !outcome.value.claimed) continue;
		const { namespace, key, claimant } = request;
		const { token } = outcome.value;
		claims.push({ namespace, key, token, business: business?.held, place: placeOf(claimant) });
	}
	if (claims.length > 0) rememberClaims(node, claims);
}

function route(node: IExecuteFunctions, delivery: Delivery): Routed {
	const { item, itemIndex, request, outcome } = delivery;
	if ('error' in outcome!) {
		return notClaimed(node, item, itemIndex, outcome.error, { orThrow: true });
	}
	const { output, fields } = describe(node, delivery, outcome!.value);
	return {
		output,
		outcome: outcome!.value.outcome,
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
