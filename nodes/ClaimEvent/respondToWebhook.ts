import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { idempotencyOf } from '../shared/item/idempotency';
import { Output, type Routed } from './routing';

/**
 * Answers the webhook that started this execution if nothing that it brought is new: with the stored result, or with what is known.
 * If anything is new the answer is left to the rest of the workflow.
 */
export async function respondToWebhook(node: IExecuteFunctions, routed: Routed[]): Promise<void> {
	if (routed.some(({ output }) => output === Output.New)) return;
	const found = routed.map(({ item }) => idempotencyOf(item));
	const bodies = found.map(({ outcome, key, reason, result }) =>
		result === undefined ? { status: outcome, key, reason } : result,
	);
	const body = bodies.length === 1 ? bodies[0] : bodies;
	await node.sendResponse({
		// The sender delivers all of it again or none: the worst one counts.
		statusCode: Math.max(...found.map(({ httpStatus }) => Number(httpStatus))),
		headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' },
		// n8n makes JSON of objects only.
		body: (typeof body === 'object' ? body : JSON.stringify(body)) as IDataObject,
	});
}
