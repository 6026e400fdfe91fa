import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import { LedgerError } from '../../ledger/errors';

/** An error as n8n shows it: what happened, at which item, and what to do about it. */
export function nodeError(
	node: Pick<IExecuteFunctions, 'getNode'>,
	error: unknown,
	itemIndex?: number,
): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	if (error instanceof LedgerError || error instanceof RequestError) {
		return new NodeOperationError(node.getNode(), error.message, {
			description: error.remedy,
			itemIndex,
		});
	}
	return new NodeOperationError(node.getNode(), error as Error, { itemIndex });
}
