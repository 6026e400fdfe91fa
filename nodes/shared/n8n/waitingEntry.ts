import type { IExecuteData, IWebhookFunctions } from 'n8n-workflow';

import { runExecutionDataOf } from './internals';

/** Where n8n keeps what it will continue a waiting execution with. */
export function waitingEntry(context: IWebhookFunctions): IExecuteData {
	const entry = runExecutionDataOf(context).executionData?.nodeExecutionStack?.[0];
	if (!entry?.node || !entry.data) throw new TypeError('This version of n8n is not supported');
	return entry;
}

/**
 * Lets the waiting node run when the execution is continued. n8n has switched it off so that it is skipped; switched on again it is
 * run, and has all of its outputs. Should n8n stop honouring that, all items leave through the first output.
 */
export function runWaitingNode(entry: IExecuteData): void {
	entry.node.disabled = false;
}
