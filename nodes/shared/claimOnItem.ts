import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { EventAddress } from '../../ledger/records';

/** An event, and the proof that this run has it. */
export interface Held extends EventAddress {
	token: string;
}

/** What items carry in `idempotency` from node to node. Other fields there belong to Derive Key and are left alone. */
export interface Claim extends Held {
	/** A second event that was claimed for the same work, and ends with it. */
	business?: Held;
}

/** The `idempotency` object of an item; empty if it has none. */
export function idempotencyOf(item: INodeExecutionData): IDataObject {
	const found = item.json?.idempotency;
	return typeof found === 'object' && found !== null && !Array.isArray(found)
		? (found as IDataObject)
		: {};
}

/** The item with `fields` in its `idempotency`, and nothing else changed. A field that is undefined goes. */
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

/** The claim that an `idempotency` object proves, if it proves one. */
export function claimIn(idempotency: IDataObject): Claim | undefined {
	const claim = held(idempotency);
	if (!claim || idempotency.claimed !== true) return undefined;
	const business = idempotency.business as IDataObject | undefined;
	return { ...claim, business: business && held(business) };
}

function held({ namespace, key, token }: IDataObject): Held | undefined {
	return typeof namespace === 'string' && typeof key === 'string' && typeof token === 'string'
		? { namespace, key, token }
		: undefined;
}
