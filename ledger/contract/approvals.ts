import type { ApprovalRecord, EventAddress, Holder, JsonValue, NoteKind } from '../records';

export interface ApprovalRequest extends EventAddress {
	gate: string;
	/** With the claim's holder and attempt the event waits (its lease does not run) until the decision. */
	holder?: Holder;
	attempt?: number;
	fingerprint: string;
	content?: JsonValue;
	/** How many different people have to approve. Default 1. */
	required?: number;
	/** Default: never. */
	expiresInMs?: number;
}

export interface ApprovalResult {
	/** True for the one caller who has to notify people. */
	isNew: boolean;
	approval: ApprovalRecord;
}

export interface DecisionRequest extends EventAddress {
	gate: string;
	approvalId: string;
	decision: 'approved' | 'rejected';
	by: string;
	comment?: string;
}

export interface DecisionResult {
	/**
	 * - `decided`: this call decided (or is the repetition of the one that did).
	 * - `voted`: counted, more people have to approve.
	 * - `already_decided`, `expired`: too late, `approval` says what holds.
	 * - `superseded`: the content changed since; `approval` is the newer request.
	 * - `unknown`: there is no such request.
	 */
	outcome: 'decided' | 'voted' | 'already_decided' | 'expired' | 'superseded' | 'unknown';
	approval?: ApprovalRecord;
}

export interface NoteRequest extends EventAddress {
	gate: string;
	approvalId: string;
	kind: NoteKind;
	by: string;
	reason?: string;
	/** How many such notes by the same person or execution there may be since the request was made. At most 20. */
	limit: number;
}

export interface NoteResult {
	/** False if there are enough already, or if this request does not hold any more. */
	noted: boolean;
}
