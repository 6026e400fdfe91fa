import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Holder } from '../../../ledger/records';
import { isHolder } from './executionIdentity';
import { runExecutionDataOf } from './internals';

/**
 * How a sub-workflow knows for which execution it acts. n8n tells it the ID of its parent, which proves nothing: a clone may have an
 * execution with the same number. But it also starts it with a copy of the parent's execution context, at any depth. That context is
 * kept with each execution, and no item, expression or sender can write to it. So an execution that wins a claim writes there who it is.
 *
 * n8n shows the context to error workflows too. That does no harm: nodes read it from the engine, and never from an item.
 */
export function shareWithSubExecutions(node: IExecuteFunctions, holder: Holder): void {
	const context = executionContext(node);
	if (!context) return;
	const holders = inheritedHolders(node);
	if (holders.some(({ nonce }) => nonce === holder.nonce)) return;
	context.idempotencyHolders = [...holders, holder] as unknown as IDataObject[];
}

/** The executions that this one may act for: those that called it, and itself. */
export function inheritedHolders(node: IExecuteFunctions): Holder[] {
	const holders = executionContext(node)?.idempotencyHolders;
	return Array.isArray(holders) ? (holders as unknown[]).filter(isHolder) : [];
}

function executionContext(node: IExecuteFunctions): IDataObject | undefined {
	return runExecutionDataOf(node).executionData?.runtimeData;
}
