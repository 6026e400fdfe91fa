import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { withLedger } from '../shared/ledger/withLedger';
import { nodeError } from '../shared/nodeErrors';
import { text } from '../shared/text';

/** For error workflows: they know which execution failed, and none of its keys. */
export async function failExecutions(
	node: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (const [i, item] of items.entries()) {
		try {
			output.push({
				json: { ...item.json, failedEvents: await failExecution(node, i) },
				pairedItem: { item: i },
			});
		} catch (error) {
			const explained = nodeError(node, error, i);
			if (!node.continueOnFail()) throw explained;
			output.push({ json: item.json, error: explained, pairedItem: { item: i } });
		}
	}
	return output;
}

async function failExecution(node: IExecuteFunctions, itemIndex: number) {
	const executionId = text(node.getNodeParameter('executionId', itemIndex, ''));
	if (executionId === undefined) {
		throw new NodeOperationError(node.getNode(), "The 'Execution ID' is empty", {
			itemIndex,
			description:
				'n8n reports no ID for executions that it does not save, and none when a trigger fails. Set the workflow to save failed executions',
		});
	}
	const as = node.getNodeParameter('failAs', itemIndex) as 'failed' | 'review';
	const reason = text(node.getNodeParameter('reason', itemIndex, '')) ?? 'Failed';
	const instance = node.getInstanceId();
	const events = await withLedger(node, (ledger) =>
		ledger.failByExecution({ instance, executionId, as, reason }),
	);
	return events.map(({ namespace, key, state, attempt }) => ({ namespace, key, state, attempt }));
}
