import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { InvalidRequestError } from '../../../ledger/errors';
import type { ItemResult } from '../../../ledger/Ledger';
import { nodeError } from '../nodeErrors';

/** What is asked for an item. */
export interface ItemRequest<Request> {
	itemIndex: number;
	request: Request;
}

/** What came of it, with errors as n8n shows them. */
export type ItemReply<T> = { value: T } | { error: NodeOperationError };

/**
 * Sends what is asked for many items in one call. The ledger refuses a batch with a malformed item whole, before anything is
 * written. If n8n is set to continue after errors, the others are then sent without it; if not, nothing is.
 */
export async function sendBatch<Request, Value>(
	node: IExecuteFunctions,
	asked: Array<ItemRequest<Request>>,
	send: (requests: Request[]) => Promise<Value[]>,
): Promise<Array<ItemReply<Value>>> {
	const replies: Array<ItemReply<Value>> = [];
	const open = asked.map((_, index) => index);
	while (open.length > 0) {
		try {
			const values = await send(open.map((index) => asked[index].request));
			open.forEach((index, i) => (replies[index] = { value: values[i] }));
			break;
		} catch (error) {
			if (!(error instanceof InvalidRequestError) || error.index === undefined) {
				throw nodeError(node, error);
			}
			const [wrong] = open.splice(error.index, 1);
			const explained = nodeError(node, error, asked[wrong].itemIndex);
			if (!node.continueOnFail()) throw explained;
			replies[wrong] = { error: explained };
		}
	}
	return replies;
}

/** The same for operations that the state of an event may not allow. */
export async function sendWrites<Request, Value>(
	node: IExecuteFunctions,
	asked: Array<ItemRequest<Request>>,
	send: (requests: Request[]) => Promise<Array<ItemResult<Value>>>,
): Promise<Array<ItemReply<Value>>> {
	const replies = await sendBatch(node, asked, send);
	return replies.map((reply, i) => {
		if ('error' in reply) return reply;
		return reply.value.ok
			? { value: reply.value.value }
			: { error: nodeError(node, reply.value.error, asked[i].itemIndex) };
	});
}
