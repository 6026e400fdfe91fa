import { type IDataObject, type IExecuteFunctions, isObjectEmpty } from 'n8n-workflow';

import type { EventAddress } from '../../ledger/records';
import { type Claim, claimIn } from './claimOnItem';
import type { Place } from './execution';

/** More claims than this are found on the items only: the context is saved with every execution. */
const LIMIT = 1000;

export type RememberedClaim = Claim & { place: Place };

/** Keeps claims with the execution, where they survive items that lose them, waits, and retries by hand. */
export function rememberClaims(node: IExecuteFunctions, claims: RememberedClaim[]): void {
	const remembered = contextOf(node);
	for (const claim of claims) {
		const name = nameOf(claim);
		// Last in the object: the oldest are dropped first.
		if (name in remembered) delete remembered[name];
		remembered[name] = claim;
	}
	for (const old of Object.keys(remembered).slice(0, -LIMIT)) delete remembered[old];
}

/** For an event the claim on it that was won in this execution, or in the one that it is the retry of. */
export function rememberedClaims(
	node: IExecuteFunctions,
): (address: EventAddress) => RememberedClaim | undefined {
	const remembered = contextOf(node);
	if (isObjectEmpty(remembered)) return () => undefined;
	return (address) => {
		const found = remembered[nameOf(address)] as IDataObject | undefined;
		const claim = found && claimIn({ ...found, claimed: true });
		return claim && { ...claim, place: String(found.place) };
	};
}

/** As it was saved: what is in it is checked when it is read. */
function contextOf(node: IExecuteFunctions): Record<string, unknown> {
	const context = node.getContext('flow');
	return (context.idempotencyClaims ??= {}) as Record<string, unknown>;
}

function nameOf({ namespace, key }: EventAddress): string {
	return `${namespace.length} ${namespace} ${key}`;
}
