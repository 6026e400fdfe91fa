import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimLost, Ledger } from '../../ledger/Ledger';
import type { EventState, LosingOutcome } from '../../ledger/records';
import { settleBatch } from '../shared/settleBatch';
import type { Delivery } from './Delivery';

/** What another delivery with the same business key is, as long as the first one's event is in this state. */
const DOUBLE_SUBMIT: Record<EventState, LosingOutcome> = {
	processing: 'in_progress',
	waiting: 'waiting',
	done: 'duplicate',
	failed: 'review',
	review: 'review',
};

/**
 * Claims the business keys of the deliveries that were won: what is delivered again is told apart from what a person submitted
 * twice. The second event is worked on together with the first and ends with it. Where another delivery has it, this one is turned
 * away too: its own event ends with the same result, or is given back as long as there is none.
 */
export async function claimBusinessKeys(
	node: IExecuteFunctions,
	ledger: Ledger,
	deliveries: Delivery[],
): Promise<void> {
	const won = deliveries.flatMap((delivery) => {
		const { outcome, request, business } = delivery;
		if (!business || !outcome || 'error' in outcome || !outcome.value.claimed) return [];
		const { namespace, key } = request;
		const held = { namespace, key, token: outcome.value.token };
		return [{ itemIndex: delivery.itemIndex, request: business.request, delivery, business, held }];
	});
	if (won.length === 0) return;

	const outcomes = await settleBatch(node, won, (requests) => ledger.claimEvents(requests));
	const ended = [];
	const givenBack = [];
	for (const [i, { delivery, business, held }] of won.entries()) {
		const outcome = outcomes[i];
		if ('value' in outcome && outcome.value.claimed) {
			const { namespace, key } = business.request;
			business.held = { namespace, key, token: outcome.value.token };
			continue;
		}
		const lost = 'error' in outcome ? undefined : turnedAway(outcome.value as ClaimLost);
		delivery.outcome = lost ? { value: lost } : outcome;
		business.doubleSubmit = lost !== undefined;
		if (lost?.outcome === 'duplicate') ended.push({ ...held, result: lost.event?.result });
		else
			givenBack.push({ ...held, reason: `Its business key is ${lost?.outcome ?? 'not claimed'}` });
	}
	if (ended.length > 0) await ledger.completeEvents(ended);
	if (givenBack.length > 0) await ledger.releaseEvents(givenBack);
}

/** Another delivery's claim shows as a conflict. See `Delivery` for why. */
function turnedAway(lost: ClaimLost): ClaimLost {
	if (lost.outcome !== 'conflict' || !lost.event) return lost;
	const { event } = lost;
	const outcome = DOUBLE_SUBMIT[event.state];
	const reason = `The delivery '${event.fingerprint}' has the same business key and is not finished. Run that one again`;
	return { ...lost, outcome, event: outcome === 'review' ? { ...event, reason } : event };
}
