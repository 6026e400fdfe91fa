import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { EventAddress } from '../../../ledger/records';
import { idempotencyOf } from './idempotency';

const LEDGER_TRIGGER_TYPE = /\.ledgerTrigger$/;

/**
 * For the items of a node: the event that the ledger handed out to be run again, if it is one. It stays what it is, whatever the
 * workflow makes of its data by now and in whichever workflow it is run. An item alone proves nothing, because senders could write the
 * same into theirs: a Ledger Trigger before this node has to have started the execution.
 */
export function reclaimedEventOf(
	node: IExecuteFunctions,
): (item: INodeExecutionData) => EventAddress | undefined {
	if (!startedByLedger(node)) return () => undefined;
	return (item) => {
		const { runAgain, namespace, key } = idempotencyOf(item);
		return runAgain === true && typeof namespace === 'string' && typeof key === 'string'
			? { namespace, key }
			: undefined;
	};
}

function startedByLedger(node: IExecuteFunctions): boolean {
	const triggers = node
		.getParentNodes(node.getNode().name)
		.filter(({ type }) => LEDGER_TRIGGER_TYPE.test(type));
	if (triggers.length === 0) return false;
	const { $ } = node.getWorkflowDataProxy(0) as {
		$: (name: string) => { isExecuted: boolean };
	};
	return triggers.some(({ name }) => $(name).isExecuted);
}
