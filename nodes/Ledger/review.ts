import type { IExecuteFunctions } from 'n8n-workflow';

import type { Ledger, WriteResult } from '../../ledger/Ledger';
import type { EventAddress, JsonValue } from '../../ledger/records';
import { describeEvent } from '../shared/describeEvent';
import { jsonParameter } from '../shared/jsonParameter';
import { type Asked, type Outcome, settleWrites } from '../shared/settleBatch';
import { text } from '../shared/text';
import { reasonOf } from './event';
import type { Operation } from './execute';
import { addressOf, forEachItem, operatorOf } from './forEachItem';
import { listEvents } from './list';
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
	asked: Array<Asked<Resolution>>,
): Promise<Array<Outcome<WriteResult>>> {
	const outcomes: Array<Outcome<WriteResult>> = [];
	const isAgain = ({ request }: Asked<Resolution>) => request.decision === 'runAgain';
	const place = (own: Array<Asked<Resolution>>, settled: Array<Outcome<WriteResult>>) =>
		own.forEach((one, i) => (outcomes[asked.indexOf(one)] = settled[i]));
	const again = asked.filter(isAgain);
	if (again.length > 0) place(again, await runAgain(node, ledger, again));
	const over = asked.filter((one) => !isAgain(one));
	if (over.length > 0) {
		place(over, await settleWrites(node, over, (requests) => ledger.completeEvents(requests)));
	}
	return outcomes;
}

export const operations: Record<string, Operation> = { getMany, resolve };
