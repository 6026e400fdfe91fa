import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { type Claim, claimIn, idempotencyOf } from './claimOnItem';
import { namespaceOf } from './namespace';
import { rememberedClaims } from './rememberedClaims';
import { text } from './text';

const CLAIM_EVENT_TYPE = /\.claimEvent(Tool)?$/;

/** Where the user says which event is meant. */
export interface KeyOptions {
	key?: unknown;
	namespace?: unknown;
}

/**
 * The claim that an item works under: the one that the user names by its key; else the one on the item itself; else the one on the
 * item of the nearest Claim Event that it comes from, which n8n knows by item linking.
 */
export function findClaim(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	options: KeyOptions,
): Claim {
	if ('key' in options) return claimByKey(node, itemIndex, options);
	const claim = claimIn(idempotencyOf(item)) ?? linkedClaim(node, itemIndex);
	if (claim) return claim;
	throw new NodeOperationError(node.getNode(), 'No claim was found for this item', {
		itemIndex,
		description:
			"Connect this node behind the 'New' output of a Claim Event node. If a node in between makes items that are not linked to the ones before, add the option 'Key'",
	});
}

function linkedClaim(node: IExecuteFunctions, itemIndex: number): Claim | undefined {
	// n8n lists those first that are furthest away.
	const nearestFirst = node.getParentNodes(node.getNode().name).reverse();
	const claimNodes = nearestFirst.filter(({ type }) => CLAIM_EVENT_TYPE.test(type));
	if (claimNodes.length === 0) return undefined;
	const { $ } = node.getWorkflowDataProxy(itemIndex);
	for (const { name } of claimNodes) {
		try {
			const linked = $(name).item as INodeExecutionData | undefined;
			const claim = linked && claimIn(idempotencyOf(linked));
			if (claim) return claim;
		} catch (error) {
			if (isAmbiguous(error)) throw severalClaims(node, name, itemIndex);
			// Not executed, or not linked: the next one may be.
		}
	}
	return undefined;
}

function isAmbiguous(error: unknown): boolean {
	const { context } = error as { context?: { type?: unknown } };
	return context?.type === 'paired_item_multiple_matches';
}

function severalClaims(node: IExecuteFunctions, name: string, itemIndex: number) {
	return new NodeOperationError(
		node.getNode(),
		`This item was made of several items of '${name}', and each has a claim of its own`,
		{
			itemIndex,
			description: "Use this node before the items are combined, or add the option 'Key'",
		},
	);
}

/** Only claims of this execution are found by their key alone. */
function claimByKey(node: IExecuteFunctions, itemIndex: number, options: KeyOptions): Claim {
	const namespace = namespaceOf(node, options, itemIndex);
	const key = text(options.key);
	if (key === undefined) {
		throw new NodeOperationError(node.getNode(), "The option 'Key' is empty", {
			itemIndex,
			description: 'Check its expression, or remove the option to have the claim found by itself',
		});
	}
	const claim = rememberedClaims(node)({ namespace, key });
	if (claim) return claim;
	throw new NodeOperationError(
		node.getNode(),
		`This execution holds no claim on '${key}' in namespace '${namespace}'`,
		{
			itemIndex,
			description: 'Claim the event in this execution first, with the same key and namespace',
		},
	);
}
