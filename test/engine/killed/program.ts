import type { INodeType } from 'n8n-workflow';

import { RecordLedger } from '../../../ledger/RecordLedger';
import { runWorkflow } from '../harness';
import type { Order } from './order';

/**
 * A process that runs workflows up to a point and stays there, to be killed. The points before and after a write to the ledger it
 * finds itself; those at the destination are the destination's.
 */
const { flows, credentials, boundary } = JSON.parse(process.argv[2]) as Order;

/** By the full name of its file: without the ending, Node would take the codex of the same name. */
function nodeClass(name: string): new () => INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	return (require(`../../../nodes/${name}/${name}.node.ts`) as Record<string, new () => INodeType>)[
		name
	];
}

const nodes = ['ClaimEvent', 'GuardedHttpRequest'].map(nodeClass);

const forever = new Promise<never>(() => setInterval(() => {}, 1000));

function halt(method: 'beginSteps' | 'finishSteps', when: 'before' | 'after'): void {
	const write = RecordLedger.prototype[method] as (requests: never[]) => Promise<never>;
	RecordLedger.prototype[method] = async function (this: RecordLedger, requests: never[]) {
		if (when === 'after') await write.call(this, requests);
		process.send!('there');
		return await forever;
	} as never;
}

if (boundary === 'before begin') halt('beginSteps', 'before');
if (boundary === 'after begin') halt('beginSteps', 'after');
if (boundary === 'before finish') halt('finishSteps', 'before');
if (boundary === 'after finish') halt('finishSteps', 'after');

for (const { flow, id } of flows) {
	void runWorkflow(flow, {
		nodes,
		credentials,
		items: [{ id }],
		executionId: `killed-${id}`,
	});
}
