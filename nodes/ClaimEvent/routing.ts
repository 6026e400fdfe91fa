import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CLAIM_OVER, idempotencyOf, withIdempotency } from '../shared/item/idempotency';
import { nodeError } from '../shared/nodeErrors';

/** The outputs of the node, in their order. */
export enum Output {
	New,
	Duplicate,
	NeedsReview,
}

export interface Routed {
	output: Output;
	item: INodeExecutionData;
	/** Shown in hints and summaries. */
	outcome: string;
	key?: string;
}

/** What an earlier claim left on an item and what no longer holds. */
const FORGOTTEN: IDataObject = {
	attempt: undefined,
	executionId: undefined,
	leaseUntil: undefined,
	steps: undefined,
	step: undefined,
	state: undefined,
	repeated: undefined,
	first: undefined,
	result: undefined,
	reason: undefined,
	httpStatus: undefined,
	sameContentAs: undefined,
	duplicateKind: undefined,
	// Of Ledger Trigger: from here on the item is like any other.
	runAgain: undefined,
	event: undefined,
};

/** The item without it. Nearly all come without, and to find that out takes a fraction of what it takes to remove each. */
export function forget(item: INodeExecutionData, itemIndex: number): INodeExecutionData {
	for (const name in idempotencyOf(item)) {
		if (name in FORGOTTEN) return withIdempotency(item, itemIndex, FORGOTTEN);
	}
	return item;
}

/**
 * An item that could not be claimed: it needs review, and carries the reason, and an error where n8n has an output of its own for
 * these. Thrown instead if asked for, unless n8n is set to continue.
 */
export function notClaimed(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	error: unknown,
	{ orThrow = false } = {},
): Routed {
	const explained = nodeError(node, error, itemIndex);
	if (orThrow && !node.continueOnFail()) throw explained;
	const reason = [explained.message, explained.description].filter((part) => part).join('. ');
	const reviewed = withIdempotency(forget(item, itemIndex), itemIndex, {
		...CLAIM_OVER,
		reason,
		httpStatus: 500,
		outcome: 'error',
	});
	const hasErrorOutput = node.getNode().onError === 'continueErrorOutput';
	return {
		output: Output.NeedsReview,
		item: hasErrorOutput ? { ...reviewed, error: explained } : reviewed,
		outcome: 'error',
	};
}
