import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { EventAddress } from '../../ledger/records';
import { type Claim, claimIn } from './claimOnItem';
import type { Place } from './execution';

/** More claims than this are found on the items only: the context is saved with every execution. */
const LIMIT = 1000;

export type RememberedClaim = Claim & { place: Place };

/** As it was saved, the newest last. What is in a claim is checked when it is read. */
type SavedClaims = ReadonlyArray<EventAddress & IDataObject>;

/** Keeps claims with the execution, where they survive items that lose them, waits, and retries by hand. */
export function rememberClaims(node: IExecuteFunctions, claims: RememberedClaim[]): void {
	const all = [...savedClaims(node), ...claims] as SavedClaims;
	node.getContext('flow').idempotencyClaims = all.length > LIMIT ? newest(all) : all;
}

/** For an event the claim on it that was won in this execution, or in the one that it is the retry of. */
export function rememberedClaims(
	node: IExecuteFunctions,
): (address: EventAddress) => RememberedClaim | undefined {
	const saved = savedClaims(node);
	if (saved.length === 0) return () => undefined;
	return (address) => {
		const found = byEvent(saved).get(nameOf(address));
		const claim = found && claimIn({ ...found, claimed: true });
		return claim && { ...claim, place: String(found.place) };
	};
}

function savedClaims(node: IExecuteFunctions): SavedClaims {
	const { idempotencyClaims: saved } = node.getContext('flow');
	return Array.isArray(saved) ? (saved as SavedClaims) : [];
}

function newest(claims: SavedClaims): SavedClaims {
	return [...byEvent(claims).values()].slice(-LIMIT);
}

/** Lists are never changed, only replaced: what was made of one holds as long as it is there. */
const indexes = new WeakMap<SavedClaims, Map<string, SavedClaims[number]>>();

/** The last claim on each event. Few executions ever ask for one, so this is not made before. */
function byEvent(claims: SavedClaims): Map<string, SavedClaims[number]> {
	let found = indexes.get(claims);
	if (found) return found;
	found = new Map();
	for (const claim of claims) {
		const name = nameOf(claim);
		// A map leaves what it has in its place, but the newest has to be last.
		found.delete(name);
		found.set(name, claim);
	}
	indexes.set(claims, found);
	return found;
}

function nameOf({ namespace, key }: EventAddress): string {
	return `${namespace.length} ${namespace} ${key}`;
}
