import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { BeginStepRequest, BeginStepResult, Ledger } from '../../ledger/Ledger';
import { type Claim, type Held, withIdempotency } from '../shared/claimOnItem';
import { describeStep } from '../shared/describeStep';
import { claimantOf } from '../shared/execution';
import { findClaim, type KeyOptions } from '../shared/findClaim';
import { type Asked, type Outcome, settleWrites } from '../shared/settleBatch';
import { text } from '../shared/text';
import { useLedger } from '../shared/useLedger';
import { notClaimed, Output, type Routed } from './routing';

interface Wanted extends Asked<BeginStepRequest> {
	item: INodeExecutionData;
	claim: Claim;
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
	const wanted: Wanted[] = [];
	for (const [itemIndex, item] of items.entries()) {
		try {
			const options = node.getNodeParameter('options', itemIndex, {}) as KeyOptions;
			const claim = findClaim(node, item, itemIndex, options);
			const request: BeginStepRequest = {
				namespace: claim.namespace,
				key: claim.key,
				token: claim.token,
				claimant: claimant(itemIndex),
				step: text(node.getNodeParameter('step', itemIndex)) ?? '',
				whenInDoubt: node.getNodeParameter('whenInDoubt', itemIndex) as 'review' | 'repeat',
			};
			wanted.push({ item, itemIndex, request, claim });
		} catch (error) {
			routed[itemIndex] = notClaimed(node, item, itemIndex, error, { orThrow: true });
		}
	}
	if (wanted.length > 0) {
		const outcomes = await useLedger(node, (ledger) => begin(node, ledger, wanted));
		for (const [i, { item, itemIndex, request, claim }] of wanted.entries()) {
			const outcome = outcomes[i];
			routed[itemIndex] =
				'value' in outcome
					? route(item, itemIndex, request, claim, outcome.value)
					: notClaimed(node, item, itemIndex, outcome.error, { orThrow: true });
		}
	}
	return routed;
}

/** Where there is a business key its claim has to hold too, and lives as long as the first. */
async function begin(
	node: IExecuteFunctions,
	ledger: Ledger,
	wanted: Wanted[],
): Promise<Array<Outcome<BeginStepResult>>> {
	const outcomes = new Map<number, Outcome<BeginStepResult>>();
	const business = wanted.flatMap(({ itemIndex, claim }) =>
		claim.business ? [{ itemIndex, request: claim.business }] : [],
	);
	const renewed = await settleWrites(node, business, (requests: Held[]) =>
		ledger.renewLeases(requests),
	);
	renewed.forEach((outcome, i) => {
		if ('error' in outcome) outcomes.set(business[i].itemIndex, outcome);
	});
	const held = wanted.filter(({ itemIndex }) => !outcomes.has(itemIndex));
	const begun = await settleWrites(node, held, (requests) => ledger.beginSteps(requests));
	held.forEach(({ itemIndex }, i) => outcomes.set(itemIndex, begun[i]));
	return wanted.map(({ itemIndex }) => outcomes.get(itemIndex)!);
}

function route(
	item: INodeExecutionData,
	itemIndex: number,
	request: BeginStepRequest,
	claim: Claim,
	{ outcome, step, event }: BeginStepResult,
): Routed {
	// In doubt the event went to review and the claim is over. Else it goes with the item, should it have come without.
	const fields: IDataObject =
		outcome === 'in_doubt'
			? { claimed: false, token: undefined, business: undefined, reason: event.reason }
			: { claimed: true, ...claim, reason: undefined };
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
