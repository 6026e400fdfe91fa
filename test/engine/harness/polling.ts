import { PollContext } from 'n8n-core';
import type { INodeExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import { build, type RunOptions, surroundings } from './engine';
import { newExecutionId, type WorkflowJson } from './workflow';

/** Lets a trigger of a workflow poll once, as n8n does by the clock. Gives what each execution that it starts begins with. */
export async function poll(
	json: WorkflowJson,
	trigger: string,
	options: RunOptions & { mode?: WorkflowExecuteMode } = {},
): Promise<INodeExecutionData[][]> {
	const flow = build(json, options);
	const node = flow.getNode(trigger);
	if (!node) throw new Error(`There is no node '${trigger}' to poll`);
	const started: INodeExecutionData[][] = [];
	const context = new PollContext(
		flow,
		node,
		surroundings(newExecutionId(), options),
		options.mode ?? 'trigger',
		'activate',
		([items]) => void started.push(items),
	);
	const type = flow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const returned = await type.poll!.call(context);
	return returned ? [...started, returned[0]] : started;
}
