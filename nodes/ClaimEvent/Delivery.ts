import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ClaimRequest, ClaimResult } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { checkName, checkNamespace } from '../../ledger/validate';
import { claimIn, type Claim, type Held, idempotencyOf } from '../shared/claimOnItem';
import { placeOf } from '../shared/execution';
import { itemParameter } from '../shared/itemParameter';
import { namespaceOf } from '../shared/namespace';
import { rememberedClaims } from '../shared/rememberedClaims';
import type { Asked, Outcome } from '../shared/settleBatch';
import { storableJson } from '../shared/storableJson';
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
export interface Delivery extends Asked<ClaimRequest> {
	item: INodeExecutionData;
	waitMs: number;
	outcome?: Outcome<ClaimResult>;
	/** The claim on its business key, if it has one. */
	business?: { request: ClaimRequest; held?: Held; doubleSubmit?: boolean };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Business keys are events of their own, beside those of the deliveries. */
const BUSINESS = ' (business key)';

/** Reads the parameters of an item. What the ledger handed out to be run `again` is that event. */
export type DeliveryReader = (
	item: INodeExecutionData,
	claimant: ClaimRequest['claimant'],
	again?: EventAddress,
) => Delivery;

export function deliveryReader(node: IExecuteFunctions): DeliveryReader {
	const optionsOf = itemParameter(node, 'options', {});
	const keyOf = itemParameter(node, 'key', '');
	const earlierClaim = earlierClaims(node);
	const workflowId = node.getWorkflow().id;

	return (item, claimant, again) => {
		const { itemIndex } = claimant;
		const options = optionsOf(item, itemIndex) as ClaimOptions;
		const { fingerprint } = idempotencyOf(item);
		const key = again ? again.key : keyOf(item, itemIndex);
		const request: ClaimRequest = {
			namespace: again ? again.namespace : namespaceOf(node, options, itemIndex),
			key: typeof key === 'number' ? String(key) : (key as string),
			claimant,
			workflowId,
			fingerprint:
				(options.checkContent ?? true) && typeof fingerprint === 'string' ? fingerprint : undefined,
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
		request.token = earlier?.token;
		const waitMs = (options.waitSeconds ?? 0) * 1000;
		// Its outcome has a place from the start: given one later, V8 would have to make room in each of a thousand.
		const delivery: Delivery = { item, itemIndex, request, waitMs, outcome: undefined };
		if (!('businessKey' in options)) return delivery;
		const business = businessRequest(node, request, options.businessKey, earlier);
		return { ...delivery, business: { request: business } };
	};
}

/**
 * The claim that this very item won before: it is on the item, or an execution that is now retried by hand won it at this place. One
 * that was won at another place, such as an earlier round of a loop, is somebody else's.
 */
function earlierClaims(
	node: IExecuteFunctions,
): (item: INodeExecutionData, request: ClaimRequest) => Claim | undefined {
	const rememberedClaim = rememberedClaims(node);
	return (item, { namespace, key, claimant }) => {
		const carried = claimIn(idempotencyOf(item));
		if (carried?.namespace === namespace && carried.key === key) return carried;
		const remembered = rememberedClaim({ namespace, key });
		return remembered?.place === placeOf(claimant) ? remembered : undefined;
	};
}

/**
 * Its fingerprint is the delivery's key, so that of several deliveries with one business key only the first ever gets it: what that
 * one has finished is recorded as its steps, and another delivery would do it again.
 */
function businessRequest(
	node: IExecuteFunctions,
	request: ClaimRequest,
	businessKey: unknown,
	earlier: Claim | undefined,
): ClaimRequest {
	const key = text(businessKey);
	if (key === undefined) {
		throw new NodeOperationError(node.getNode(), "The option 'Business Key' is empty", {
			itemIndex: request.claimant.itemIndex,
			description: 'Check its expression, or remove the option',
		});
	}
	return {
		...request,
		// Refused now, and not after the delivery itself has been claimed.
		namespace: checkNamespace(request.namespace + BUSINESS),
		key: checkName(key, 'business key'),
		token: earlier?.business?.token,
		fingerprint: request.key,
		findSameContent: false,
		ordering: undefined,
		input: undefined,
	};
}

function scaled(value: number | undefined, unit: number): number | undefined {
	return value === undefined ? undefined : Math.round(value * unit);
}
