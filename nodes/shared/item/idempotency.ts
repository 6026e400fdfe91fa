import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { HeldRequest } from '../../../ledger/Ledger';
import type { EventAddress } from '../../../ledger/records';

/**
 * The claim that an item says it works under. Anybody may read it, and senders may write the same into their data: it says which claim
 * to look for among those that this execution knows it has, and proves nothing.
 */
export interface ShownClaim extends EventAddress {
	attempt: number;
	/** The execution that won it. */
	executionId: string;
}

/** The `idempotency` object of an item; empty if it has none. */
export function idempotencyOf(item: INodeExecutionData): IDataObject {
	const found = item.json?.idempotency;
	return typeof found === 'object' && found !== null && !Array.isArray(found)
		? (found as IDataObject)
		: {};
}

/** The item with `fields` in its `idempotency`, and nothing else changed. A field that is undefined is removed. */
export function withIdempotency(
	item: INodeExecutionData,
	itemIndex: number,
	fields: IDataObject,
): INodeExecutionData {
	const idempotency = { ...idempotencyOf(item) };
	for (const name in fields) {
		const value = fields[name];
		if (value !== undefined) idempotency[name] = value;
		else if (name in idempotency) delete idempotency[name];
	}
	return {
		json: { ...item.json, idempotency },
		...(item.binary && { binary: item.binary }),
		pairedItem: { item: itemIndex },
	};
}

/** The claim that an `idempotency` object shows, if it shows one. */
export function claimIn(idempotency: IDataObject): ShownClaim | undefined {
	const { claimed, namespace, key, attempt, executionId } = idempotency;
	const isClaim =
		claimed === true &&
		typeof namespace === 'string' &&
		typeof key === 'string' &&
		typeof attempt === 'number' &&
		typeof executionId === 'string';
	return isClaim ? { namespace, key, attempt, executionId } : undefined;
}

/** The fields with which an item shows a claim. */
export function showClaim({ namespace, key, attempt, holder }: HeldRequest): IDataObject {
	return { claimed: true, namespace, key, attempt, executionId: holder.executionId };
}

/** The same for a claim that is over: by now it is nobody's, or somebody else's. */
export const CLAIM_OVER: IDataObject = { claimed: false };
