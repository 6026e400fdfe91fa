import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { BeginStepRequest, BeginStepResult } from '../../ledger/Ledger';
import { describeStep } from '../shared/describeStep';
import { claimantOf } from '../shared/execution';
import { CLAIM_OVER, showClaim, withIdempotency } from '../shared/item/idempotency';
import { beginSteps, stepClaimant } from '../shared/ledger/beginSteps';
import { findClaim, type KeyOptions } from '../shared/ledger/findClaim';
import { type ItemRequest, sendWrites } from '../shared/ledger/sendBatch';
import { withLedger } from '../shared/ledger/withLedger';
import { text } from '../shared/text';
import { notClaimed, Output, type Routed } from './routing';

interface StepAttempt extends ItemRequest<BeginStepRequest> {
	item: INodeExecutionData;
}

const OUTPUTS: Record<BeginStepResult['outcome'], Output> = {
	run: Output.New,
	done: Output.Duplicate,
	in_progress: Output.Duplicate,
	in_doubt: Output.NeedsReview,
	conflict: Output.NeedsReview,
};

/** Says for every item whether a step of its event is to be run now. */
export async function claimSteps(
	node: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<Routed[]> {
	const claimant = claimantOf(node);
	const routed: Routed[] = [];
	const attempts: StepAttempt[] = [];
	for (const [itemIndex, item] of items.entries()) {
		try {
			const options = node.getNodeParameter('options', itemIndex, {}) as KeyOptions;
			const claim = findClaim(node, item, itemIndex, options);
			const { namespace, key, holder, attempt } = claim;
			const request: BeginStepRequest = {
				namespace,
				key,
				holder,
				attempt,
				claimant: stepClaimant(claim, claimant(itemIndex)),
				step: text(node.getNodeParameter('step', itemIndex)) ?? '',
				whenInDoubt: node.getNodeParameter('whenInDoubt', itemIndex) as 'review' | 'repeat',
			};
			attempts.push({ item, itemIndex, request });
		} catch (error) {
			routed[itemIndex] = notClaimed(node, item, itemIndex, error, { orThrow: true });
		}
	}
	if (attempts.length === 0) return routed;
	const replies = await withLedger(node, (ledger) =>
		sendWrites(node, attempts, (requests) => beginSteps(node, ledger, requests)),
	);
	for (const [i, attempt] of attempts.entries()) {
		const { item, itemIndex } = attempt;
		const reply = replies[i];
		routed[itemIndex] =
			'value' in reply
				? route(attempt, reply.value)
				: notClaimed(node, item, itemIndex, reply.error, { orThrow: true });
	}
	return routed;
}

function route(
	{ item, itemIndex, request }: StepAttempt,
	{ outcome, step, event }: BeginStepResult,
): Routed {
	// In doubt the event went to review and the claim is over. Else it goes with the item, should it have come without.
	const fields: IDataObject =
		outcome === 'in_doubt'
			? { ...CLAIM_OVER, reason: event.reason }
			: { ...showClaim(request), reason: undefined };
	return {
		output: OUTPUTS[outcome],
		outcome,
		key: request.key,
		item: withIdempotency(item, itemIndex, {
			...fields,
			step: { name: step.name, outcome, ...describeStep(step) },
		}),
	};
}
