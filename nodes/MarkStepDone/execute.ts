import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import { type Claim, type Held, withIdempotency } from '../shared/claimOnItem';
import { describeStep } from '../shared/describeStep';
import { isTool, iso } from '../shared/execution';
import { findClaim } from '../shared/findClaim';
import { nodeError } from '../shared/nodeErrors';
import { type Outcome, settleWrites } from '../shared/settleBatch';
import { useLedger } from '../shared/useLedger';
import { failExecutions } from './failExecutions';
import { type Operation, OPERATIONS, type Options, type Written } from './operations';

/** What is to be written for an item. */
interface Write {
	item: INodeExecutionData;
	itemIndex: number;
	request: Held;
	business?: Held;
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
	const outcomes = await send(node, operation, writes);
	for (const [i, { item, itemIndex, request }] of writes.entries()) {
		const outcome = outcomes[i];
		if ('error' in outcome) refuse(itemIndex, outcome.error);
		else output[itemIndex] = marked(node, item, itemIndex, request, outcome.value);
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
	const { namespace, key, token, business }: Claim = findClaim(node, item, itemIndex, options);
	const more = operation.read(node, itemIndex, options);
	return {
		item,
		itemIndex,
		request: { namespace, key, token, ...more },
		business: business && { ...business, ...more },
	};
}

async function send(
	node: IExecuteFunctions,
	operation: Operation,
	writes: Write[],
): Promise<Array<Outcome<Written>>> {
	if (writes.length === 0) return [];
	try {
		return await useLedger(node, (ledger) => write(node, ledger, operation, writes));
	} catch (error) {
		if (!node.continueOnFail()) throw nodeError(node, error);
		return writes.map(({ itemIndex }) => ({ error: nodeError(node, error, itemIndex) }));
	}
}

/**
 * The events of business keys come first: should this be cut off in between, the next delivery finds the business key ended and ends
 * its own event in the same way. The other way round it would find it abandoned.
 */
async function write(
	node: IExecuteFunctions,
	ledger: Ledger,
	operation: Operation,
	writes: Write[],
): Promise<Array<Outcome<Written>>> {
	const second = writes.flatMap(({ itemIndex, business }) =>
		business ? [{ itemIndex, request: business }] : [],
	);
	const business = await settleWrites(node, second, (requests) =>
		operation.sendBusiness(ledger, requests),
	);
	const first = await settleWrites(node, writes, (requests) => operation.send(ledger, requests));
	return writes.map(({ itemIndex }, i) => {
		const other = business[second.findIndex((asked) => asked.itemIndex === itemIndex)];
		return other && 'error' in other && 'value' in first[i] ? other : first[i];
	});
}

/** The item with what is known of its event now; for an agent only that. */
function marked(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	{ namespace, key }: Held,
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
