import { setTimeout as sleep } from 'node:timers/promises';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimRequest, Ledger } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { sendBatch } from '../shared/ledger/sendBatch';
import type { ClaimAttempt } from './ClaimAttempt';

const POLL_MS = 250;

/**
 * Where an item wants it and another run has its event, waits until that run is through. If it is done, its result is the item's; if
 * it gave up, the item claims once more. Looking does not count as another delivery.
 */
export async function waitForFirstRuns(
	node: IExecuteFunctions,
	ledger: Ledger,
	attempts: ClaimAttempt[],
): Promise<void> {
	const start = performance.now();
	let waiting = attempts.filter((attempt) => attempt.waitMs > 0 && waits(attempt));
	while (waiting.length > 0 && !node.getExecutionCancelSignal()?.aborted) {
		await sleep(POLL_MS);
		const late = performance.now() - start;
		const found = await ledger.get(waiting.map(awaitedEvent));
		const free = waiting.filter((attempt, i) => {
			if (found[i]?.event.state === 'done') {
				const { event } = found[i];
				const { isDoubleSubmit } = lostClaim(attempt) ?? {};
				attempt.reply = { value: { claimed: false, outcome: 'duplicate', event, isDoubleSubmit } };
				return false;
			}
			// In the end too: the lease of a run that stopped may be over by now, which only the ledger's clock can tell.
			return found[i]?.event.state !== 'processing' || late >= attempt.waitMs;
		});
		const replies = await sendBatch(node, free, (requests: ClaimRequest[]) =>
			ledger.claimEvents(requests),
		);
		free.forEach((attempt, i) => (attempt.reply = replies[i]));
		waiting = waiting.filter((attempt) => waits(attempt) && late < attempt.waitMs);
	}
}

/** An event of this same execution is not waited for: the execution cannot go on as long as it waits. */
function waits(attempt: ClaimAttempt): boolean {
	const lost = lostClaim(attempt);
	return (
		lost?.outcome === 'in_progress' &&
		lost.event?.executionId !== attempt.request.claimant.executionId
	);
}

/** Not always the one that was asked for: its business key may belong to another one. */
function awaitedEvent(attempt: ClaimAttempt): EventAddress {
	const { namespace, key } = lostClaim(attempt)?.event ?? attempt.request;
	return { namespace, key };
}

function lostClaim({ reply }: ClaimAttempt) {
	return reply && 'value' in reply && !reply.value.claimed ? reply.value : undefined;
}
