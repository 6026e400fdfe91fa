import { randomUUID } from 'node:crypto';

import type { IConnections, INode, IWorkflowBase } from 'n8n-workflow';

/** A node as in workflow JSON; `type` without a package is one of ours or a stand-in. */
export type NodeSpec = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** From, to, and which output goes into which input if it is not the first into the first. */
export type Link = [from: string, to: string, output?: number, input?: number];

export type WorkflowJson = Pick<IWorkflowBase, 'id' | 'name' | 'nodes' | 'connections'> &
	Partial<IWorkflowBase>;

/** Workflow JSON from a short list of nodes. Without links each node follows the one before it. */
export function workflow(specs: NodeSpec[], links: Link[] = chain(specs)): WorkflowJson {
	const connections: IConnections = {};
	for (const [from, to, output = 0, input = 0] of links) {
		const outputs = ((connections[from] ??= {}).main ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: 'main', index: input });
	}
	return {
		id: 'wf1',
		name: 'Test',
		nodes: specs.map((spec, i) => ({
			// Stable, so that a second run of the same JSON is the same workflow.
			id: spec.id ?? `node-${i + 1}`,
			typeVersion: 1,
			position: [i * 200, 0],
			parameters: {},
			...spec,
		})),
		connections,
		settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' },
	};
}

function chain(specs: NodeSpec[]): Link[] {
	return specs.slice(1).map((spec, i) => [specs[i].name, spec.name]);
}

/** For runs that do not care which execution they are. */
export function newExecutionId(): string {
	return randomUUID();
}
