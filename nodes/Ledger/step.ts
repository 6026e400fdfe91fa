import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { TakeUndosRequest } from '../../ledger/Ledger';
import { describeNamedStep } from '../shared/describeEvent';
import { idempotencyOf } from '../shared/item/idempotency';
import { findClaim } from '../shared/ledger/findClaim';
import { sendBatch, sendWrites } from '../shared/ledger/sendBatch';
import { text } from '../shared/text';
import { addressOf, forEachItem } from './forEachItem';
import type { Operation } from './Operation';

const MINUTE = 60_000;

const getMany: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => addressOf(node, i),
		(asked) => sendBatch(node, asked, (addresses) => ledger.get(addresses)),
		(details, { namespace, key }) =>
			(details?.steps ?? []).map((step) => ({ namespace, key, ...describeNamedStep(step) })),
	);

const getUndos: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => ({ ...authorOf(node, i), visibilityMs: visibilityOf(node, i) }),
		(asked) => sendWrites(node, asked, (requests) => ledger.takeUndos(requests)),
		({ steps }, request, i) =>
			steps.map((step) => ({
				step: describeNamedStep(step),
				// Keep the claim on the item so the same run can continue.
				idempotency: {
					...idempotencyOf(node.getInputData()[i]),
					namespace: request.namespace,
					key: request.key,
				},
			})),
	);

const markUndone: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => ({
			...authorOf(node, i),
			step: text(node.getNodeParameter('step', i)) ?? '',
			reason: text(node.getNodeParameter('reason', i)),
		}),
		(asked) => sendWrites(node, asked, (requests) => ledger.markUndone(requests)),
		({ repeated, step, event }, _, i): IDataObject => {
			const { json } = node.getInputData()[i];
			return {
				...json,
				undone: { step: step.name, state: step.state, event: event.state, repeated },
			};
		},
	);

/** An operator by name; without one it is the run that has the claim, which is found as everywhere. */
function authorOf(node: IExecuteFunctions, itemIndex: number): TakeUndosRequest {
	const by = text(node.getNodeParameter('by', itemIndex));
	if (by !== undefined) return { ...addressOf(node, itemIndex), by };
	const item = node.getInputData()[itemIndex];
	const { namespace, key, holder, attempt } = findClaim(node, item, itemIndex, {});
	return { namespace, key, holder, attempt };
}

function visibilityOf(node: IExecuteFunctions, itemIndex: number): number {
	return Math.round((node.getNodeParameter('visibilityMinutes', itemIndex) as number) * MINUTE);
}

export const operations: Record<string, Operation> = { getMany, getUndos, markUndone };
