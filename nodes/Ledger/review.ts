import type { IExecuteFunctions } from 'n8n-workflow';

import type { Ledger, ResolveStepRequest, WriteResult } from '../../ledger/Ledger';
import type { EventAddress, JsonValue } from '../../ledger/records';
import { describeEvent, describeNamedStep } from '../shared/describeEvent';
import { jsonParameter } from '../shared/jsonParameter';
import { type ItemReply, type ItemRequest, sendWrites } from '../shared/ledger/sendBatch';
import { text } from '../shared/text';
import { reasonOf } from './event';
import { addressOf, forEachItem, operatorOf } from './forEachItem';
import { listEvents } from './list';
import type { Operation } from './Operation';
import { runAgain } from './runAgain';

type Decision = 'done' | 'runAgain' | 'giveUp';

interface Resolution extends EventAddress {
	decision: Decision;
	by: string;
	reason: string;
	/** The first decision holds: who comes later is told what became of it. */
	inState: 'review';
	externalId?: string;
	result?: JsonValue;
}

const getMany: Operation = (node, ledger) => listEvents(node, ledger, 'review');

const resolve: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => readResolution(node, i),
		(asked) => decide(node, ledger, asked),
		({ repeated, event }, { decision }) => ({ ...describeEvent(node, event), decision, repeated }),
	);

function readResolution(node: IExecuteFunctions, itemIndex: number): Resolution {
	const decision = node.getNodeParameter('decision', itemIndex) as Decision;
	const reason = reasonOf(node, itemIndex);
	const common: Resolution = {
		...addressOf(node, itemIndex),
		by: operatorOf(node, itemIndex).by,
		decision,
		reason,
		inState: 'review',
	};
	if (decision === 'giveUp') return { ...common, result: { givenUp: true, reason } };
	if (decision === 'runAgain') return common;
	return {
		...common,
		externalId: text(node.getNodeParameter('externalId', itemIndex)),
		result: jsonParameter(node, node.getNodeParameter('result', itemIndex), 'Result', itemIndex),
	};
}

/** What is given up is over too: its repeats are told so. */
async function decide(
	node: IExecuteFunctions,
	ledger: Ledger,
	asked: Array<ItemRequest<Resolution>>,
): Promise<Array<ItemReply<WriteResult>>> {
	const replies: Array<ItemReply<WriteResult>> = [];
	const isAgain = ({ request }: ItemRequest<Resolution>) => request.decision === 'runAgain';
	const place = (some: Array<ItemRequest<Resolution>>, own: Array<ItemReply<WriteResult>>) =>
		some.forEach((one, i) => (replies[asked.indexOf(one)] = own[i]));
	const again = asked.filter(isAgain);
	if (again.length > 0) place(again, await runAgain(node, ledger, again));
	const over = asked.filter((one) => !isAgain(one));
	if (over.length > 0) {
		place(over, await sendWrites(node, over, (requests) => ledger.completeEvents(requests)));
	}
	return replies;
}

/** For steps in doubt: without it they would be in doubt again whenever the event is run. The event itself stays as it is. */
const resolveStep: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => readStepResolution(node, i),
		(asked) => sendWrites(node, asked, (requests) => ledger.resolveSteps(requests)),
		({ repeated, step, event }, { resolution }) => ({
			...describeEvent(node, event),
			step: describeNamedStep(step),
			resolution,
			repeated,
		}),
	);

function readStepResolution(node: IExecuteFunctions, itemIndex: number): ResolveStepRequest {
	const resolution = node.getNodeParameter(
		'resolution',
		itemIndex,
	) as ResolveStepRequest['resolution'];
	const common = {
		...addressOf(node, itemIndex),
		...operatorOf(node, itemIndex),
		step: text(node.getNodeParameter('step', itemIndex)) ?? '',
		resolution,
	};
	if (resolution === 'did_not_happen') return common;
	return {
		...common,
		externalId: text(node.getNodeParameter('externalId', itemIndex)),
		output: jsonParameter(node, node.getNodeParameter('output', itemIndex), 'Output', itemIndex),
	};
}

export const operations: Record<string, Operation> = { getMany, resolve, resolveStep };
