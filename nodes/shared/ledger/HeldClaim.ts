import type { HeldRequest } from '../../../ledger/Ledger';
import type { Claimant } from '../../../ledger/records';

/** A claim that this execution may write to, with what the ledger wants to see of it. */
export interface HeldClaim extends HeldRequest {
	/** A parent execution won it, and this one acts for it. */
	isInherited: boolean;
}

/** Which item of which run of which node. Unlike the execution's ID it stays the same when an execution is retried by hand. */
export type Place = Pick<Claimant, 'nodeId' | 'runIndex' | 'itemIndex'>;

/** A claim that was won, and where. */
export interface WonClaim extends HeldClaim {
	place: Place;
}

export function isSamePlace(one: Place, other: Place): boolean {
	return (
		one.nodeId === other.nodeId &&
		one.runIndex === other.runIndex &&
		one.itemIndex === other.itemIndex
	);
}
