import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ClaimRequest, ClaimResult } from '../../ledger/Ledger';
import type { Claimant, EventAddress } from '../../ledger/records';
import { claimIn, idempotencyOf } from '../shared/item/idempotency';
import { storableJson } from '../shared/item/storableJson';
import { itemParameter } from '../shared/itemParameter';
import { ExecutionClaims } from '../shared/ledger/executionClaims';
import { type HeldClaim, isSamePlace } from '../shared/ledger/HeldClaim';
import type { ItemReply, ItemRequest } from '../shared/ledger/sendBatch';
import { namespaceOf } from '../shared/namespace';
import { text } from '../shared/text';
import { orderingOf } from './ordering';

export interface ClaimOptions {
	businessKey?: unknown;
	checkContent?: boolean;
	keepInput?: boolean;
	leaseMinutes?: number;
	maxAttempts?: number;
	namespace?: unknown;
	onStopped?: 'review' | 'takeover';
	order?: { values?: { object?: unknown; version?: unknown } };
	retentionDays?: number;
	storeInput?: boolean;
	waitSeconds?: number;
}

/** An item that brings an event: what is asked for it, and what came of it. */
export interface ClaimAttempt extends ItemRequest<ClaimRequest> {
	item: INodeExecutionData;
	/** It is claimed in the name of a parent execution, whose claim the item brought. */
	isInherited: boolean;
	waitMs: number;
	reply?: ItemReply<ClaimResult>;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Reads the parameters of an item. `again`: the event that the ledger handed out to be run again, if the item is one. */
export type ClaimAttemptReader = (
	item: INodeExecutionData,
	here: Claimant,
	again?: EventAddress,
) => ClaimAttempt;

export function claimAttemptReader(node: IExecuteFunctions): ClaimAttemptReader {
	const optionsOf = itemParameter(node, 'options', {});
	const keyOf = itemParameter(node, 'key', '');
	const earlierClaim = earlierClaims(node);
	const workflowId = node.getWorkflow().id;

	return (item, here, again) => {
		const { itemIndex } = here;
		const options = optionsOf(item, itemIndex) as ClaimOptions;
		const { fingerprint } = idempotencyOf(item);
		const key = again ? again.key : keyOf(item, itemIndex);
		const request: ClaimRequest = {
			namespace: again ? again.namespace : namespaceOf(node, options, itemIndex),
			key: typeof key === 'number' ? String(key) : (key as string),
			claimant: here,
			workflowId,
			fingerprint:
				(options.checkContent ?? true) && typeof fingerprint === 'string' ? fingerprint : undefined,
			alias: 'businessKey' in options ? aliasOf(node, options.businessKey, itemIndex) : undefined,
			findSameContent: true,
			leaseMs: scaled(options.leaseMinutes, MINUTE),
			retentionMs: scaled(options.retentionDays, DAY),
			maxAttempts: options.maxAttempts,
			onStopped: options.onStopped,
			input: (options.storeInput ?? true) ? storableJson(item.json) : undefined,
			keepInput: options.keepInput,
			ordering: orderingOf(node, options.order?.values, itemIndex),
		};
		const earlier = earlierClaim(item, request);
		if (earlier) {
			request.actsFor = earlier.holder;
			// The claim stays the parent's, which goes on with it after this sub-workflow.
			if (earlier.isInherited) request.claimant = { ...here, ...earlier.holder };
		}
		return {
			item,
			itemIndex,
			request,
			isInherited: earlier?.isInherited ?? false,
			waitMs: (options.waitSeconds ?? 0) * 1000,
			// There from the start: given one later, V8 would have to make room in each of a thousand.
			reply: undefined,
		};
	};
}

/**
 * The claim that this very item won before: the item shows it, or an execution that is now retried by hand won it at this place. One
 * that was won at another place, such as an earlier round of a loop, is somebody else's.
 */
function earlierClaims(
	node: IExecuteFunctions,
): (item: INodeExecutionData, request: ClaimRequest) => HeldClaim | undefined {
	const claims = new ExecutionClaims(node);
	return (item, { namespace, key, claimant }) => {
		const shown = claimIn(idempotencyOf(item));
		if (shown?.namespace === namespace && shown.key === key) {
			const claim = claims.find(shown);
			if (claim) return claim;
		}
		const last = claims.last({ namespace, key });
		return last && isSamePlace(last.place, claimant) ? last : undefined;
	};
}

function aliasOf(node: IExecuteFunctions, businessKey: unknown, itemIndex: number): string {
	const alias = text(businessKey);
	if (alias !== undefined) return alias;
	throw new NodeOperationError(node.getNode(), "The option 'Business Key' is empty", {
		itemIndex,
		description: 'Check its expression, or remove the option',
	});
}

function scaled(value: number | undefined, unit: number): number | undefined {
	return value === undefined ? undefined : Math.round(value * unit);
}
