import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { EventAddress, Holder } from '../../../ledger/records';
import type { ShownClaim } from '../item/idempotency';
import { executionIdentity } from '../n8n/executionIdentity';
import { inheritedHolders, shareWithSubExecutions } from '../n8n/inheritedHolders';
import type { HeldClaim, WonClaim } from './HeldClaim';
import { type SavedClaims, SavedClaimsReader } from './SavedClaims';

/** Keeps claims with the execution, where they survive items that lose them, waits, and retries by hand. */
export function saveClaimsToExecution(node: IExecuteFunctions, claims: WonClaim[]): void {
	if (claims.length === 0) return;
	readerOf(node).append(claims);
	shareWithSubExecutions(node, executionIdentity(node).holder);
}

/** The claims that an execution may write to: those that it won, those of the execution that it retries by hand, and those of its parents. */
export class ExecutionClaims {
	private readonly saved: SavedClaimsReader;
	private readonly own: Holder;

	constructor(private readonly node: IExecuteFunctions) {
		this.saved = readerOf(node);
		this.own = executionIdentity(node).holder;
	}

	/** The last claim on an event that was won in this execution, or in the one that it retries. */
	last(address: EventAddress): WonClaim | undefined {
		return this.saved.all(address).at(-1);
	}

	/** The claim that an item shows, if it is one of them. Whether it still holds is for the ledger to say. */
	find(shown: ShownClaim): HeldClaim | undefined {
		const { namespace, key, attempt, executionId } = shown;
		const won = this.saved.all(shown);
		const same = won.filter(
			(claim) => claim.attempt === attempt && claim.holder.executionId === executionId,
		);
		if (same.length > 0) return same.at(-1);
		const isOwn = executionId === this.own.executionId;
		// A sub-workflow may have claimed an event of this execution once more, in its name.
		if (isOwn && won.length === 0) return undefined;
		const holder = isOwn ? this.own : this.parent(executionId);
		return holder && { namespace, key, attempt, holder, isInherited: !isOwn };
	}

	private parent(executionId: string): Holder | undefined {
		return inheritedHolders(this.node).find((holder) => holder.executionId === executionId);
	}
}

/** What was read of a list holds as long as the list is there: lines are only ever added. */
const readers = new WeakMap<SavedClaims, SavedClaimsReader>();

function readerOf(node: IExecuteFunctions): SavedClaimsReader {
	const saved = savedClaims(node.getContext('flow'));
	const known = readers.get(saved);
	if (known) return known;
	const reader = new SavedClaimsReader(saved);
	readers.set(saved, reader);
	return reader;
}

function savedClaims(context: IDataObject): SavedClaims {
	const saved = context.idempotencyClaims as Partial<SavedClaims> | undefined;
	if (Array.isArray(saved?.names) && Array.isArray(saved.claims)) return saved as SavedClaims;
	const empty: SavedClaims = { names: [], claims: [] };
	context.idempotencyClaims = empty as unknown as IDataObject;
	return empty;
}
