import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ClaimError } from '../../ledger/errors';
import { iso } from '../shared/execution';
import { CLAIM_OVER, idempotencyOf, showClaim, withIdempotency } from '../shared/item/idempotency';
import { withoutUserInfo } from '../shared/item/sensitiveFields';
import { nodeError } from '../shared/nodeErrors';
import type { Ending } from './endings';
import type { RequestPlan } from './RequestPlan';

/** The outputs of the node, in their order. */
export enum Output {
	Done,
	NeedsReview,
}

export interface Routed {
	output: Output;
	item: INodeExecutionData;
	/** Shown in hints and summaries. */
	outcome: string;
}

/** What an earlier request may have left on the item. */
const NOTES_OF_ANOTHER = {
	reason: undefined,
	answer: undefined,
	file: undefined,
	note: undefined,
	bodyNotStored: undefined,
};

/** Where an item goes after its step has ended, and what it says. The claim goes with it, should it have come without. */
export function route(node: IExecuteFunctions, plan: RequestPlan, ending: Ending): Routed {
	switch (ending.kind) {
		case 'done':
			return done(plan, ending);
		case 'review': {
			const { outcome, reason, isHeld, answer } = ending;
			return {
				output: Output.NeedsReview,
				outcome,
				item: withIdempotency(plan.item, plan.itemIndex, {
					...(isHeld ? showClaim(plan.claim) : CLAIM_OVER),
					outcome,
					reason,
					step: { name: plan.step, outcome },
					request: describeRequest(plan),
					answer,
				}),
			};
		}
		case 'error':
			return notDone(node, plan.item, plan.itemIndex, ending.error, {
				...(ending.isHeld ? showClaim(plan.claim) : CLAIM_OVER),
				request: describeRequest(plan),
				answer: ending.answer,
			});
	}
}

function done(plan: RequestPlan, ending: Extract<Ending, { kind: 'done' }>): Routed {
	const { answer, step, replayed, file } = ending;
	const { statusCode, headers, body, adopted, ...notes } = answer;
	const outcome = replayed ? 'replayed' : adopted ? 'adopted' : 'sent';
	const { idempotency } = withIdempotency(plan.item, plan.itemIndex, {
		...showClaim(plan.claim),
		replayed,
		...NOTES_OF_ANOTHER,
		...notes,
		step: {
			name: step.name,
			outcome,
			state: step.state,
			externalId: step.externalId,
			finishedAt: iso(step.finishedAt),
		},
		request: describeRequest(plan),
	}).json;
	return {
		output: Output.Done,
		outcome,
		item: {
			json: { statusCode, headers, body, idempotency } as IDataObject,
			...(file && { binary: { [plan.response.field]: file } }),
			pairedItem: { item: plan.itemIndex },
		},
	};
}

/**
 * An item whose request was not made: never among the done. Where n8n is set to continue it needs review, and carries the reason,
 * and an error where n8n has an output of its own for these.
 */
export function notDone(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	error: unknown,
	more: object = error instanceof ClaimError ? CLAIM_OVER : {},
): Routed {
	const explained = nodeError(node, error, itemIndex);
	if (!node.continueOnFail()) throw explained;
	const reason = [explained.message, explained.description].filter((part) => part).join('. ');
	const reviewed = withIdempotency(item, itemIndex, { ...more, outcome: 'error', reason });
	const hasErrorOutput = node.getNode().onError === 'continueErrorOutput';
	return {
		output: Output.NeedsReview,
		item: hasErrorOutput ? { ...reviewed, error: explained } : reviewed,
		outcome: 'error',
	};
}

/** What somebody needs who looks for it at the destination. */
function describeRequest({ request, outgoing }: RequestPlan): IDataObject {
	const { method, url } = request;
	return {
		method,
		url: withoutUserInfo(url),
		...(outgoing && {
			key: outgoing.value,
			encoding: outgoing.encoding,
			provider: outgoing.provider?.id,
		}),
	};
}

/** For an agent, which hears only the first output: what became of it. */
export function forTool({ item, outcome }: Routed): INodeExecutionData {
	const { statusCode, body } = item.json;
	const { reason, replayed, step, answer } = idempotencyOf(item);
	const told = { outcome, statusCode, body, reason, replayed, step, answer };
	return { json: JSON.parse(JSON.stringify(told)) as IDataObject, pairedItem: item.pairedItem };
}
