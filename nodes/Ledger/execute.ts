import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import { nodeError } from '../shared/nodeErrors';
import { useLedger } from '../shared/useLedger';
import * as event from './event';
import * as imports from './import';
import * as review from './review';
import * as statistics from './statistics';
import * as step from './step';
import * as upkeep from './upkeep';

/** Does its work for all items of the input, with as few calls to the ledger as can be. */
export type Operation = (node: IExecuteFunctions, ledger: Ledger) => Promise<INodeExecutionData[]>;

const OPERATIONS: Record<string, Record<string, Operation>> = {
	event: event.operations,
	review: review.operations,
	step: step.operations,
	import: imports.operations,
	upkeep: upkeep.operations,
	statistics: statistics.operations,
};

export async function execute(node: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = node.getNodeParameter('resource', 0) as string;
	const operation = node.getNodeParameter('operation', 0) as string;
	try {
		return await useLedger(node, (ledger) => OPERATIONS[resource][operation](node, ledger));
	} catch (error) {
		const explained = nodeError(node, error);
		if (!node.continueOnFail()) throw explained;
		return node
			.getInputData()
			.map(({ json }, item) => ({ json, error: explained, pairedItem: { item } }));
	}
}
