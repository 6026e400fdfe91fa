import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { Ledger, ReleaseRequest, WriteResult } from '../../ledger/Ledger';
import type { EventDetails } from '../../ledger/records';
import { type Asked, type Outcome, settleBatch, settleWrites } from '../shared/settleBatch';

/**
 * Gives events back, so that the next Ledger Trigger that watches their namespace gets them. Those whose input is not stored are
 * refused: they would only come back as a review.
 */
export async function runAgain(
	node: IExecuteFunctions,
	ledger: Ledger,
	asked: Array<Asked<ReleaseRequest>>,
): Promise<Array<Outcome<WriteResult>>> {
	const found = await settleBatch(node, asked, (addresses) => ledger.get(addresses));
	const refused = found.map((outcome, i) =>
		'error' in outcome ? outcome : obstacle(node, outcome.value, asked[i].itemIndex),
	);
	const free = asked.filter((_, i) => refused[i] === undefined);
	const written =
		free.length === 0
			? []
			: await settleWrites(node, free, (requests) => ledger.releaseEvents(requests));
	return asked.map((one, i) => refused[i] ?? written[free.indexOf(one)]);
}

function obstacle(
	node: IExecuteFunctions,
	details: EventDetails | undefined,
	itemIndex: number,
): { error: NodeOperationError } | undefined {
	// What is not there is refused by the ledger itself, in its words.
	if (!details || details.event.input !== undefined) return undefined;
	return {
		error: new NodeOperationError(
			node.getNode(),
			`The event '${details.event.key}' cannot be run again: its input is not stored`,
			{
				itemIndex,
				description:
					"Let its sender deliver it again after 'Release'. To keep inputs, turn on 'Store Input' in Claim Event, and 'Keep Input' for events that are done",
			},
		),
	};
}
