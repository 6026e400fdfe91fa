import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LedgerUnderTest } from './ledgers';
import { webhook } from '../../nodes/ApprovalGate/webhook';
import { claim, deliver, eventFlow } from './events';
import { type EngineRun, type NodeSpec, type Visited, WaitingExecution } from './harness';
import type { WorkflowJson } from './harness/workflow';

/** An Approval Gate about the items' `amount`, with these parameters and options. */
export function approvalGate(
	{ options = {}, ...parameters }: IDataObject = {},
	more: Partial<NodeSpec> = {},
): NodeSpec {
	return {
		name: 'Gate',
		type: 'approvalGate',
		id: 'gate-id',
		parameters: {
			operation: 'sendAndWait',
			title: 'Refund',
			amount: '={{ $json.amount }}',
			options,
			...parameters,
		} as INodeParameters,
		...more,
	};
}

/** Webhook → Claim Event → gate, whose outputs lead to 'Not Approved' and 'Approved'. */
export function gateFlow(
	gate = approvalGate(),
	before: NodeSpec[] = [],
): WorkflowJson & { id: string } {
	const names = ['Webhook', 'Claim Event', ...before.map(({ name }) => name), gate.name];
	return eventFlow(
		[
			claim(),
			...before,
			gate,
			{ name: 'Not Approved', type: 'noOp' },
			{ name: 'Approved', type: 'noOp' },
		],
		[
			...names.slice(1).map((name, i): [string, string] => [names[i], name]),
			[gate.name, 'Not Approved', 0],
			[gate.name, 'Approved', 1],
		],
	);
}

/** An execution that has come to its gate, and somebody with a browser. */
export class AtGate {
	readonly execution: WaitingExecution;
	readonly url: string;

	constructor(
		readonly run: EngineRun,
		node = 'Gate',
	) {
		const serve = { doubleClickMs: 0, stuckAfterMs: 0 };
		this.execution = new WaitingExecution(run, (context) => webhook(context, serve));
		this.url = String(run.task(node).metadata?.resumeUrl);
	}

	get = (url = this.url) => this.execution.visit(url);

	post = (body: IDataObject, url = this.url) => this.execution.visit(url, { method: 'POST', body });

	/** Opens the page, fills in its form and sends it. */
	async decide(decision: string, more: IDataObject = {}, url = this.url): Promise<Visited> {
		const { response } = await this.get(url);
		return await this.post({ token: tokenIn(response.body), name: 'Olga', decision, ...more }, url);
	}
}

/** The hidden field of a page's form. */
export function tokenIn(page: string): string {
	return /name="token" value="([^"]+)"/.exec(page)?.[1] ?? 'none';
}

export async function arrive(
	on: LedgerUnderTest,
	flow: WorkflowJson,
	items: IDataObject[] = [{ id: 'a', amount: 600 }],
): Promise<AtGate> {
	const run = await deliver(on, flow, items, { executionId: randomUUID() });
	if (run.error) throw run.error;
	return new AtGate(run);
}

/** What the gate said about the items that left through an output. */
export function approvals(
	run: EngineRun | undefined,
	output: number,
	node = 'Gate',
): IDataObject[] {
	return run!
		.json(node, output)
		.map(({ idempotency }) => (idempotency as IDataObject).approval as IDataObject);
}
