import type { EventAddress, EventState, EventSummary, JsonValue } from '../records';
import type { AuthorisedRequest, HeldRequest } from './claims';

export interface WriteResult {
	/** The event was in the wanted state already: nothing was changed. */
	repeated: boolean;
	event: EventSummary;
	/** What is stored as the result, when `completeEvents` found it done already. */
	result?: JsonValue;
}

/** For operators: only if the event is in this state. Somebody may have been faster. */
interface Expected {
	inState?: EventState;
}

export type CompleteRequest = AuthorisedRequest &
	Expected & {
		result?: JsonValue;
		externalId?: string;
		reason?: string;
		/** Steps that failed were given up, and that is part of the result. By itself a failed step keeps the event open. */
		allowFailedSteps?: boolean;
	};

export type FailRequest = AuthorisedRequest &
	Expected & {
		/** Default `failed`. When the attempts are used up, it is `review` in any case. */
		as?: 'failed' | 'review';
		reason: string;
		/** When `take` hands it out. A claim does not wait for it. */
		retryAfterMs?: number;
	};

export interface RenewRequest extends HeldRequest {
	/** Default: the lease of the claim. */
	leaseMs?: number;
}

/** The execution waits: its lease does not run until its next write, or until it is overdue. */
export interface PauseRequest extends HeldRequest {
	/** At most so long; the lease counts from then. Default: as long as it takes. */
	forMs?: number;
}

export type ReleaseRequest = AuthorisedRequest & Expected & { reason?: string };

/**
 * For error workflows, which know no more of an execution. Refused if executions of two clones have this number: nobody could say which
 * one is meant.
 */
export interface FailByExecutionRequest {
	instance: string;
	executionId: string;
	as?: 'failed' | 'review';
	reason: string;
}

export interface DeleteRequest extends EventAddress {
	/** Who wants it, and why: kept without the key. */
	by: string;
	reason?: string;
}
