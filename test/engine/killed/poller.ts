import type { ICredentialDataDecryptedObject, INodeType } from 'n8n-workflow';

import { poll } from '../harness';
import type { WorkflowJson } from '../harness/workflow';

/** What a poller process is told: which trigger to poll, and how often. */
export interface PollerOrder {
	flow: WorkflowJson;
	credentials: Record<string, ICredentialDataDecryptedObject>;
	polls: number;
}

/** A process that polls like a main process of n8n, says what it was handed out, and then stays there to be killed. */
const order = JSON.parse(process.argv[2]) as PollerOrder;

async function run({ flow, credentials, polls }: PollerOrder): Promise<void> {
	// By the full name of its file: without the ending, Node would take the codex of the same name.
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const { LedgerTrigger } = require('../../../nodes/LedgerTrigger/LedgerTrigger.node.ts') as {
		LedgerTrigger: new () => INodeType;
	};
	const keys: unknown[] = [];
	for (let i = 0; i < polls; i++) {
		const executions = await poll(flow, 'Ledger Trigger', { nodes: [LedgerTrigger], credentials });
		keys.push(...executions.flat().map(({ json }) => (json.idempotency as { key: string }).key));
	}
	process.send!(keys);
	setInterval(() => {}, 1000);
}

void run(order);
