import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * Keeps n8n from filling the first output by itself, which says New or Done. It does so in two cases: with 'Continue' set, when a
 * node throws, it sends all items of the input there; with 'Always Output Data', when nothing is there, an empty one. So that
 * settings cannot open the guard, they are changed on this run's own copy of the node: while `action` runs, whatever is thrown
 * stops the execution, and what it returns is left as it is.
 */
export async function failClosed(
	node: IExecuteFunctions,
	action: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	// n8n reads the settings here. It is of this run alone; the node in it is that of the whole workflow.
	const running = node.getExecuteData();
	const settings = running.node;
	running.node = { ...settings, onError: 'stopWorkflow', continueOnFail: false };
	const outputs = await action();
	running.node = { ...settings, alwaysOutputData: false };
	return outputs;
}
