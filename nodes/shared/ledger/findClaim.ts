import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { claimIn, idempotencyOf, type ShownClaim } from '../item/idempotency';
import { namespaceOf } from '../namespace';
import { text } from '../text';
import { ExecutionClaims } from './executionClaims';
import type { HeldClaim } from './HeldClaim';

const CLAIM_EVENT_TYPE = /\.claimEvent(Tool)?$/;

/** Where the user says which event is meant. */
export interface KeyOptions {
	key?: unknown;
	namespace?: unknown;
}

/**
 * The claim that an item works under: the one that the user names by its key; else the one that the item itself shows; else the one on
 * the item of the nearest Claim Event that it comes from, which n8n knows by item linking. It has to be one that this execution may
 * write to; one that it may not is passed over.
 */
export function findClaim(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	options: KeyOptions,
): HeldClaim {
	const claims = new ExecutionClaims(node);
	if ('key' in options) return claimByKey(node, claims, itemIndex, options);
	const shown = claimIn(idempotencyOf(item));
	const claim = (shown && claims.find(shown)) ?? linkedClaim(node, claims, itemIndex);
	if (claim) return claim;
	throw shown ? foreignClaim(node, shown, itemIndex) : noClaim(node, itemIndex);
}

function linkedClaim(
	node: IExecuteFunctions,
	claims: ExecutionClaims,
	itemIndex: number,
): HeldClaim | undefined {
	// n8n lists those first that are furthest away.
	const nearestFirst = node.getParentNodes(node.getNode().name).reverse();
	const claimNodes = nearestFirst.filter(({ type }) => CLAIM_EVENT_TYPE.test(type));
	if (claimNodes.length === 0) return undefined;
	const { $ } = node.getWorkflowDataProxy(itemIndex);
	for (const { name } of claimNodes) {
		try {
			const linked = $(name).item as INodeExecutionData | undefined;
			const shown = linked && claimIn(idempotencyOf(linked));
			const claim = shown && claims.find(shown);
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

function noClaim(node: IExecuteFunctions, itemIndex: number) {
	return new NodeOperationError(node.getNode(), 'No claim was found for this item', {
		itemIndex,
		description:
			"Connect this node behind the 'New' output of a Claim Event node. If a node in between makes items that are not linked to the ones before, add the option 'Key'",
	});
}

function foreignClaim(
	node: IExecuteFunctions,
	{ key, executionId }: ShownClaim,
	itemIndex: number,
) {
	return new NodeOperationError(
		node.getNode(),
		`The claim on '${key}' that this item shows belongs to execution ${executionId} and not to this one`,
		{
			itemIndex,
			description:
				'Claim the event in this execution, or finish it in the one that claimed it. A sub-workflow may work on what its caller has claimed, but not the other way round. In the editor, run the workflow from its trigger and not only this node',
		},
	);
}

/** Only claims of this execution are found by their key alone. */
function claimByKey(
	node: IExecuteFunctions,
	claims: ExecutionClaims,
	itemIndex: number,
	options: KeyOptions,
): HeldClaim {
	const namespace = namespaceOf(node, options, itemIndex);
	const key = text(options.key);
	if (key === undefined) {
		throw new NodeOperationError(node.getNode(), "The option 'Key' is empty", {
			itemIndex,
			description:
				'Check its expression, or remove the option to have the claim found automatically',
		});
	}
	const claim = claims.last({ namespace, key });
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
