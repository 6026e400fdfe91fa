import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { withLedger } from '../shared/ledger/withLedger';
import { nodeError } from '../shared/nodeErrors';
import * as event from './event';
import * as imports from './import';
import type { Operation } from './Operation';
import * as review from './review';
import * as statistics from './statistics';
import * as step from './step';
import * as upkeep from './upkeep';

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
		return await withLedger(node, (ledger) => OPERATIONS[resource][operation](node, ledger));
	} catch (error) {
		const explained = nodeError(node, error);
		if (!node.continueOnFail()) throw explained;
		return node
			.getInputData()
			.map(({ json }, item) => ({ json, error: explained, pairedItem: { item } }));
	}
}
