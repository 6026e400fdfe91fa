import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { isTool } from '../shared/execution';
import { failClosed } from '../shared/n8n/failClosed';
import { nodeError } from '../shared/nodeErrors';
import { respondToWebhook } from './respondToWebhook';
import { claimEvents } from './claimEvents';
import { claimSteps } from './claimSteps';
import { notClaimed, type Routed } from './routing';
import { hints, noteOnExecution, toolSummary } from './summary';

/**
 * Claims every item and sends it to New, Duplicate or Needs Review. Whatever goes wrong, an item that was not claimed never
 * leaves through New: where n8n is set to continue after errors, it goes to Needs Review with the reason.
 */
export async function execute(node: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = node.getInputData();
	if (isTool(node)) return [[toolSummary(await route(node, items))], [], []];

	return await failClosed(node, async () => {
		const routed = await route(node, items);
		// Older versions of n8n do not have it.
		node.addExecutionHints?.(...hints(node, routed));
		const answers = node.getNodeParameter('options.answerWebhook', 0, false) === true;
		if (answers) await respondToWebhook(node, routed);

		const outputs: INodeExecutionData[][] = [[], [], []];
		for (const { output, item } of routed) outputs[output].push(item);
		return outputs;
	});
}

async function route(node: IExecuteFunctions, items: INodeExecutionData[]): Promise<Routed[]> {
	try {
		refuseAlwaysOutputData(node);
		if (node.getNodeParameter('operation', 0) === 'claimStep') return await claimSteps(node, items);
		const routed = await claimEvents(node, items);
		noteOnExecution(node, routed);
		return routed;
	} catch (error) {
		if (!node.continueOnFail()) throw nodeError(node, error);
		return items.map((item, i) => notClaimed(node, item, i, error));
	}
}

/** `failClosed` takes away its effect. It is refused all the same, because a user who turned it on expects an item on New. */
function refuseAlwaysOutputData(node: IExecuteFunctions): void {
	if (node.getNode().alwaysOutputData !== true) return;
	throw new NodeOperationError(node.getNode(), "The setting 'Always Output Data' is on", {
		description:
			"It would send an empty item to 'New' whenever nothing is new. Turn it off in the settings of this node",
	});
}
