import type { IExecuteFunctions } from 'n8n-workflow';

import type { Claimant } from '../../ledger/records';
import { executionIdentity } from './n8n/executionIdentity';

/** Who claims: the same when n8n runs this very node again, another in the next round of a loop. */
export function claimantOf(node: IExecuteFunctions): (itemIndex: number) => Claimant {
	const { instance, executionId, nonce } = executionIdentity(node).holder;
	const nodeId = node.getNode().id;
	const runIndex = Number(node.getWorkflowDataProxy(0).$runIndex);
	return (itemIndex) => ({ instance, executionId, nonce, nodeId, runIndex, itemIndex });
}

/** Any kind of node knows where its n8n is. */
export type WithBaseUrl = Pick<IExecuteFunctions, 'getInstanceBaseUrl'>;

/** Where an execution can be looked at. */
export function executionUrl(
	node: WithBaseUrl,
	workflowId: string | undefined,
	executionId: string | undefined,
): string | undefined {
	if (workflowId === undefined || executionId === undefined) return undefined;
	const base = node.getInstanceBaseUrl().replace(/\/*$/, '/');
	return `${base}workflow/${encodeURIComponent(workflowId)}/executions/${encodeURIComponent(executionId)}`;
}

/** When run as an AI tool, only the first output is returned to the agent. */
export function isTool(node: IExecuteFunctions): boolean {
	return (node.isToolExecution?.() ?? false) || node.getNode().type.endsWith('Tool');
}

export function iso(time: number | undefined): string | undefined {
	if (time === undefined) return undefined;
	if (time !== lastIso.time) lastIso = { time, text: new Date(time).toISOString() };
	return lastIso.text;
}

/** The items of a batch mostly have the same times. */
let lastIso = { time: 0, text: new Date(0).toISOString() };
