import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ClaimRequest, ClaimResult } from '../../ledger/Ledger';
import type { EventRecord, LosingOutcome, StepRecord } from '../../ledger/records';
import { describeStep } from '../shared/describeStep';
import { executionUrl, iso } from '../shared/execution';
import { Output } from './routing';

/** Where each outcome goes, and what a webhook that brought it should be answered: 2xx means "do not send it again". */
const LOST: Record<LosingOutcome, { output: Output; httpStatus: number }> = {
	duplicate: { output: Output.Duplicate, httpStatus: 200 },
	in_progress: { output: Output.Duplicate, httpStatus: 202 },
	waiting: { output: Output.Duplicate, httpStatus: 202 },
	stale: { output: Output.Duplicate, httpStatus: 200 },
	conflict: { output: Output.NeedsReview, httpStatus: 422 },
	review: { output: Output.NeedsReview, httpStatus: 202 },
};

/** What the ledger's answer means for an item. */
export function describeClaim(
	node: IExecuteFunctions,
	{ namespace, key, alias, claimant }: ClaimRequest,
	result: ClaimResult,
): { output: Output; fields: IDataObject } {
	const { outcome } = result;
	if (result.claimed) {
		return {
			output: Output.New,
			fields: {
				claimed: true,
				attempt: result.event.attempt,
				executionId: claimant.executionId,
				leaseUntil: iso(result.event.leaseUntil),
				steps: result.steps.length > 0 ? stepsByName(result.steps) : undefined,
				sameContentAs: result.sameContentAs,
				namespace,
				key,
				outcome,
			},
		};
	}
	const { event, isDoubleSubmit = false } = result;
	const { output, httpStatus } = LOST[result.outcome];
	return {
		output,
		fields: {
			claimed: false,
			attempt: event?.attempt,
			first: event && firstRun(node, event),
			// Of a conflict it is the result of something else.
			result: outcome === 'duplicate' ? event?.result : undefined,
			reason: outcome === 'conflict' ? conflictReason(key) : event?.reason,
			httpStatus,
			duplicateKind: alias && (isDoubleSubmit ? 'double_submit' : 'redelivery'),
			namespace,
			key,
			outcome,
		},
	};
}

/** Who had the event before, and what became of it. */
function firstRun(node: IExecuteFunctions, event: EventRecord): IDataObject {
	return {
		executionId: event.executionId,
		executionUrl: executionUrl(node, event.workflowId, event.executionId),
		state: event.state,
		createdAt: iso(event.createdAt),
		claimedAt: iso(event.claimedAt),
		leaseUntil: iso(event.leaseUntil),
		doneAt: iso(event.doneAt),
		lastSeenAt: iso(event.lastSeenAt),
		duplicates: event.duplicates,
	};
}

function stepsByName(steps: StepRecord[]): IDataObject {
	return Object.fromEntries(steps.map((step) => [step.name, describeStep(step)]));
}

function conflictReason(key: string): string {
	return `The key '${key}' was used before for other content. Either the sender reuses keys, or the key leaves out what makes events different`;
}
