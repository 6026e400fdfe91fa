import { setTimeout as sleep } from 'node:timers/promises';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimRequest, Ledger } from '../../ledger/Ledger';
import { settleBatch } from '../shared/settleBatch';
import type { Delivery } from './Delivery';

const POLL_MS = 250;

/**
 * Where an item wants it and another run has its event, waits until that run is through. If it is done, its result is the item's; if
 * it gave up, the item claims once more. Looking does not count as another delivery.
 */
export async function waitForFirstRuns(
	node: IExecuteFunctions,
	ledger: Ledger,
	deliveries: Delivery[],
): Promise<void> {
	const start = performance.now();
	let waiting = deliveries.filter((delivery) => delivery.waitMs > 0 && waits(delivery));
	while (waiting.length > 0 && !node.getExecutionCancelSignal()?.aborted) {
		await sleep(POLL_MS);
		const late = performance.now() - start;
		const found = await ledger.get(waiting.map(({ request }) => request));
		const free = waiting.filter((delivery, i) => {
			if (found[i]?.event.state === 'done') {
				const { event, steps } = found[i];
				delivery.outcome = { value: { claimed: false, outcome: 'duplicate', event, steps } };
				return false;
			}
			// In the end too: the lease of a run that stopped may be over by now, which only the ledger's clock can tell.
			return found[i]?.event.state !== 'processing' || late >= delivery.waitMs;
		});
		const outcomes = await settleBatch(node, free, (requests: ClaimRequest[]) =>
			ledger.claimEvents(requests),
		);
		free.forEach((delivery, i) => (delivery.outcome = outcomes[i]));
		waiting = waiting.filter((delivery) => waits(delivery) && late < delivery.waitMs);
	}
}

/** An event of this same execution is not waited for: the execution cannot go on as long as it waits. */
function waits({ outcome, request }: Delivery): boolean {
	return (
		outcome !== undefined &&
		'value' in outcome &&
		outcome.value.outcome === 'in_progress' &&
		outcome.value.event?.executionId !== request.claimant.executionId
	);
}
