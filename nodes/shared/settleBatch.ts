import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { InvalidRequestError } from '../../ledger/errors';
import type { Settled } from '../../ledger/Ledger';
import { nodeError } from './nodeErrors';

/** What is asked for an item. */
export interface Asked<Request> {
	itemIndex: number;
	request: Request;
}

export type Outcome<T> = { value: T } | { error: NodeOperationError };

/**
 * Sends what is asked for many items in one call. The ledger refuses a batch with a malformed item whole, before anything is
 * written. If n8n is set to continue after errors, the others are then sent without it; if not, nothing is.
 */
export async function settleBatch<Request, Value>(
	node: IExecuteFunctions,
	asked: Array<Asked<Request>>,
	send: (requests: Request[]) => Promise<Value[]>,
): Promise<Array<Outcome<Value>>> {
	const outcomes: Array<Outcome<Value>> = [];
	const open = asked.map((_, index) => index);
	while (open.length > 0) {
		try {
			const values = await send(open.map((index) => asked[index].request));
			open.forEach((index, i) => (outcomes[index] = { value: values[i] }));
			break;
		} catch (error) {
			if (!(error instanceof InvalidRequestError) || error.index === undefined) {
				throw nodeError(node, error);
			}
			const [wrong] = open.splice(error.index, 1);
			const explained = nodeError(node, error, asked[wrong].itemIndex);
			if (!node.continueOnFail()) throw explained;
			outcomes[wrong] = { error: explained };
		}
	}
	return outcomes;
}

/** The same for operations that the state of an event may not allow. */
export async function settleWrites<Request, Value>(
	node: IExecuteFunctions,
	asked: Array<Asked<Request>>,
	send: (requests: Request[]) => Promise<Array<Settled<Value>>>,
): Promise<Array<Outcome<Value>>> {
	const outcomes = await settleBatch(node, asked, send);
	return outcomes.map((outcome, i) => {
		if ('error' in outcome) return outcome;
		return outcome.value.ok
			? { value: outcome.value.value }
			: { error: nodeError(node, outcome.value.error, asked[i].itemIndex) };
	});
}
