import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ListRequest, WriteResult } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { describeDetails, describeEntry, describeEvent } from '../shared/describeEvent';
import { jsonParameter } from '../shared/jsonParameter';
import {
	type ItemReply,
	type ItemRequest,
	sendBatch,
	sendWrites,
} from '../shared/ledger/sendBatch';
import { text } from '../shared/text';
import { addressOf, forEachItem, operatorOf } from './forEachItem';
import { listEvents } from './list';
import type { Operation } from './Operation';
import { runAgain } from './runAgain';

const MINUTE = 60_000;

const get: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => addressOf(node, i),
		(asked) => sendBatch(node, asked, (addresses) => ledger.get(addresses)),
		(details, { namespace, key }) =>
			details
				? { found: true, ...describeDetails(node, details) }
				: { found: false, namespace, key },
	);

const getHistory: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => addressOf(node, i),
		(asked) => sendBatch(node, asked, (addresses) => ledger.histories(addresses)),
		(entries, { namespace, key }) =>
			entries.map((entry) => ({ namespace, key, ...describeEntry(entry) })),
	);

const getMany: Operation = (node, ledger) =>
	listEvents(node, ledger, text(node.getNodeParameter('state', 0)) as ListRequest['state']);

/** What operators may do to an event, whoever has it. Shows the event as it is then. */
async function write<Request extends EventAddress>(
	node: IExecuteFunctions,
	read: (itemIndex: number) => Request,
	send: (asked: Array<ItemRequest<Request>>) => Promise<Array<ItemReply<WriteResult>>>,
): Promise<INodeExecutionData[]> {
	return await forEachItem(node, read, send, ({ repeated, event }) => ({
		...describeEvent(node, event),
		repeated,
	}));
}

const complete: Operation = (node, ledger) =>
	write(
		node,
		(i) => ({
			...addressOf(node, i),
			...operatorOf(node, i),
			externalId: text(node.getNodeParameter('externalId', i)),
			result: jsonParameter(node, node.getNodeParameter('result', i), 'Result', i),
		}),
		(asked) => sendWrites(node, asked, (requests) => ledger.completeEvents(requests)),
	);

const failAs =
	(as: 'failed' | 'review'): Operation =>
	(node, ledger) =>
		write(
			node,
			(i) => ({
				...addressOf(node, i),
				...operatorOf(node, i),
				as,
				reason: reasonOf(node, i),
				...(as === 'failed' && {
					retryAfterMs: Math.round(
						(node.getNodeParameter('retryAfterMinutes', i) as number) * MINUTE,
					),
				}),
			}),
			(asked) => sendWrites(node, asked, (requests) => ledger.failEvents(requests)),
		);

const release: Operation = (node, ledger) =>
	write(
		node,
		(i) => ({ ...addressOf(node, i), ...operatorOf(node, i) }),
		(asked) => sendWrites(node, asked, (requests) => ledger.releaseEvents(requests)),
	);

const again: Operation = (node, ledger) =>
	write(
		node,
		(i) => ({ ...addressOf(node, i), ...operatorOf(node, i) }),
		(asked) => runAgain(node, ledger, asked),
	);

const remove: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => ({ ...addressOf(node, i), ...operatorOf(node, i) }),
		(asked) => sendBatch(node, asked, (requests) => ledger.deleteEvents(requests)),
		(outcome, { namespace, key }) => ({ namespace, key, deleted: outcome === 'deleted' }),
	);

export function reasonOf(node: IExecuteFunctions, itemIndex: number): string {
	const reason = text(node.getNodeParameter('reason', itemIndex));
	if (reason !== undefined) return reason;
	throw new NodeOperationError(node.getNode(), "The 'Reason' is empty", {
		itemIndex,
		description: 'Say why, for whoever looks at the history of the event later',
	});
}

export const operations: Record<string, Operation> = {
	get,
	getMany,
	getHistory,
	complete,
	fail: failAs('failed'),
	sendToReview: failAs('review'),
	release,
	runAgain: again,
	delete: remove,
};
