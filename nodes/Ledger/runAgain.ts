import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { Ledger, ReleaseRequest, WriteResult } from '../../ledger/Ledger';
import type { EventDetails } from '../../ledger/records';
import {
	type ItemReply,
	type ItemRequest,
	sendBatch,
	sendWrites,
} from '../shared/ledger/sendBatch';

/**
 * Gives events back, so that the next Ledger Trigger that watches their namespace gets them. Those whose input is not stored are
 * refused: they would only come back as a review.
 */
export async function runAgain(
	node: IExecuteFunctions,
	ledger: Ledger,
	asked: Array<ItemRequest<ReleaseRequest>>,
): Promise<Array<ItemReply<WriteResult>>> {
	const found = await sendBatch(node, asked, (addresses) => ledger.get(addresses));
	const refused = found.map((reply, i) =>
		'error' in reply ? reply : reasonNotRunnable(node, reply.value, asked[i].itemIndex),
	);
	const free = asked.filter((_, i) => refused[i] === undefined);
	const written =
		free.length === 0
			? []
			: await sendWrites(node, free, (requests) => ledger.releaseEvents(requests));
	return asked.map((one, i) => refused[i] ?? written[free.indexOf(one)]);
}

function reasonNotRunnable(
	node: IExecuteFunctions,
	details: EventDetails | undefined,
	itemIndex: number,
): { error: NodeOperationError } | undefined {
	// The ledger itself refuses an event that does not exist.
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
