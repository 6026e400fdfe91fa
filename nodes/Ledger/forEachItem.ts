import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { EventAddress } from '../../ledger/records';
import type { ItemReply, ItemRequest } from '../shared/ledger/sendBatch';
import { namespaceOf } from '../shared/namespace';
import { nodeError } from '../shared/nodeErrors';
import { text } from '../shared/text';

/**
 * Reads what is asked for each item, sends all of it together, and shows what came of each. An item that goes wrong stops the node, or
 * is passed on with its error if n8n is set to continue.
 */
export async function forEachItem<Request, Value>(
	node: IExecuteFunctions,
	read: (itemIndex: number) => Request,
	send: (asked: Array<ItemRequest<Request>>) => Promise<Array<ItemReply<Value>>>,
	show: (value: Value, request: Request, itemIndex: number) => IDataObject | IDataObject[],
): Promise<INodeExecutionData[]> {
	const items = node.getInputData();
	const output: INodeExecutionData[][] = [];
	const refuse = (itemIndex: number, error: unknown) => {
		const explained = nodeError(node, error, itemIndex);
		if (!node.continueOnFail()) throw explained;
		const { json } = items[itemIndex];
		output[itemIndex] = [{ json, error: explained, pairedItem: { item: itemIndex } }];
	};
	const asked: Array<ItemRequest<Request>> = [];
	for (const itemIndex of items.keys()) {
		try {
			asked.push({ itemIndex, request: read(itemIndex) });
		} catch (error) {
			refuse(itemIndex, error);
		}
	}
	const replies = asked.length > 0 ? await send(asked) : [];
	for (const [i, { itemIndex, request }] of asked.entries()) {
		const reply = replies[i];
		if ('error' in reply) {
			refuse(itemIndex, reply.error);
			continue;
		}
		const shown = [show(reply.value, request, itemIndex)].flat();
		output[itemIndex] = shown.map((json) => ({ json, pairedItem: { item: itemIndex } }));
	}
	return output.flat();
}

/** Which event an item is about. */
export function addressOf(node: IExecuteFunctions, itemIndex: number): EventAddress {
	const namespace = node.getNodeParameter('namespace', itemIndex) as unknown;
	return {
		namespace: namespaceOf(node, { namespace }, itemIndex),
		key: text(node.getNodeParameter('key', itemIndex)) ?? '',
	};
}

/** Who decides, and why. */
export function operatorOf(
	node: IExecuteFunctions,
	itemIndex: number,
): { by: string; reason: string | undefined } {
	return {
		by: text(node.getNodeParameter('by', itemIndex)) ?? '',
		reason: text(node.getNodeParameter('reason', itemIndex, '')),
	};
}
