import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { HeldRequest } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { describeStep } from '../shared/describeStep';
import { isTool, iso } from '../shared/execution';
import { withIdempotency } from '../shared/item/idempotency';
import { findClaim } from '../shared/ledger/findClaim';
import { type ItemReply, type ItemRequest, sendWrites } from '../shared/ledger/sendBatch';
import { withLedger } from '../shared/ledger/withLedger';
import { nodeError } from '../shared/nodeErrors';
import { failExecutions } from './failExecutions';
import { type Operation, OPERATIONS, type Options, type Written } from './operations';

/** What is to be written for an item. */
interface Write extends ItemRequest<HeldRequest> {
	item: INodeExecutionData;
}

/** Writes what happened to the events of the items, all in one call. Repeating it is harmless. */
export async function execute(node: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = node.getInputData();
	const name = node.getNodeParameter('operation', 0) as string;
	if (name === 'failExecution') return await failExecutions(node, items);
	const operation = OPERATIONS[name];

	const output: INodeExecutionData[] = [];
	const refuse = (i: number, error: unknown) => {
		const explained = nodeError(node, error, i);
		if (!node.continueOnFail()) throw explained;
		output[i] = { json: items[i].json, error: explained, pairedItem: { item: i } };
	};
	const writes: Write[] = [];
	for (const [i, item] of items.entries()) {
		try {
			writes.push(read(node, operation, item, i));
		} catch (error) {
			refuse(i, error);
		}
	}
	const replies = await send(node, operation, writes);
	for (const [i, { item, itemIndex, request }] of writes.entries()) {
		const reply = replies[i];
		if ('error' in reply) refuse(itemIndex, reply.error);
		else output[itemIndex] = marked(node, item, itemIndex, request, reply.value);
	}
	return output;
}

function read(
	node: IExecuteFunctions,
	operation: Operation,
	item: INodeExecutionData,
	itemIndex: number,
): Write {
	const options = node.getNodeParameter('options', itemIndex, {}) as Options;
	const { namespace, key, holder, attempt } = findClaim(node, item, itemIndex, options);
	const more = operation.read(node, itemIndex, options);
	return { item, itemIndex, request: { namespace, key, holder, attempt, ...more } };
}

async function send(
	node: IExecuteFunctions,
	operation: Operation,
	writes: Write[],
): Promise<Array<ItemReply<Written>>> {
	if (writes.length === 0) return [];
	try {
		return await withLedger(node, (ledger) =>
			sendWrites(node, writes, (requests) => operation.send(ledger, requests)),
		);
	} catch (error) {
		if (!node.continueOnFail()) throw nodeError(node, error);
		return writes.map(({ itemIndex }) => ({ error: nodeError(node, error, itemIndex) }));
	}
}

/** The item with what is known of its event now; for an agent only that. */
function marked(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	{ namespace, key }: EventAddress,
	{ repeated, event, step }: Written,
): INodeExecutionData {
	const fields: IDataObject = {
		namespace,
		key,
		state: event.state,
		repeated,
		leaseUntil: iso(event.leaseUntil),
		// As Claim Step shows a step that is done, so that what follows reads both branches alike.
		...(step && { step: { name: step.name, outcome: 'done', ...describeStep(step) } }),
	};
	if (isTool(node)) return { json: fields, pairedItem: { item: itemIndex } };
	return withIdempotency(item, itemIndex, fields);
}
