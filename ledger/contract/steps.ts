import type { Claimant, EventAddress, EventSummary, JsonValue, StepRecord } from '../records';
import type { AuthorisedRequest, HeldRequest } from './claims';

/** Which step of an event: its name, and a row if the event has several items. */
export interface StepName {
	step: string;
	row?: string;
}

export interface BeginStepRequest extends HeldRequest, StepName {
	claimant: Claimant;
	/**
	 * What to do when the step was started before and never finished: nobody knows whether it happened.
	 * `repeat` only if repeating is safe at the destination. Default `review`.
	 */
	whenInDoubt?: 'review' | 'repeat';
	/** With `repeat`: only this long after the first try, e.g. while the provider still knows its key. */
	repeatWithinMs?: number;
	/** Hash of what the step is going to do: the same step with another one is a `conflict`. */
	fingerprint?: string;
}

export interface BeginStepResult {
	/**
	 * - `run`: do it now.
	 * - `done`: it is done, `step.output` has its output.
	 * - `in_progress`: another item of this same attempt has begun it.
	 * - `in_doubt`: begun before and not finished; the event went to review and the claim is over.
	 * - `conflict`: it was begun to do something else; nothing was changed.
	 */
	outcome: 'run' | 'done' | 'in_progress' | 'in_doubt' | 'conflict';
	step: StepRecord;
	event: EventSummary;
}

export interface FinishStepRequest extends HeldRequest, StepName {
	/** `failed`: it is known not to have happened and may be begun again. Default `done`. */
	state?: 'done' | 'failed';
	output?: JsonValue;
	externalId?: string;
	undo?: JsonValue;
	error?: string;
}

export interface FinishStepResult {
	/** It was done already; `step` is what is stored, not what was sent. */
	repeated: boolean;
	step: StepRecord;
	event: EventSummary;
}

/**
 * What a person found out about a step in doubt: it happened (then it is done, with the destination's id of it), or it did not (then it
 * may be begun again). Refused while a run has the event.
 */
export interface ResolveStepRequest extends EventAddress, StepName {
	by: string;
	resolution: 'happened' | 'did_not_happen';
	externalId?: string;
	output?: JsonValue;
	reason?: string;
}

export type TakeUndosRequest = AuthorisedRequest & {
	/** How long they are not handed out again. Default 15 minutes. */
	visibilityMs?: number;
};

export interface TakeUndosResult {
	/** Newest first. Empty if there are none left, or if somebody else has them. */
	steps: StepRecord[];
	event: EventSummary;
}

export type UndoneRequest = AuthorisedRequest & StepName & { reason?: string };
