import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ApprovalGate } from '../../nodes/ApprovalGate/ApprovalGate.node';
import { ClaimEvent } from '../../nodes/ClaimEvent/ClaimEvent.node';
import { DeriveKey } from '../../nodes/DeriveKey/DeriveKey.node';
import { MarkStepDone } from '../../nodes/MarkStepDone/MarkStepDone.node';
import {
	defineNode,
	type EngineRun,
	type NodeSpec,
	runWorkflow,
	type RunOptions,
	workflow,
} from './harness';
import type { Link, WorkflowJson } from './harness/workflow';
import type { LedgerUnderTest } from './ledgers';

export const OUR_NODES = [ApprovalGate, ClaimEvent, DeriveKey, MarkStepDone];

/** Claim Event with the options; its key is in the items' `id`. */
export function claim(options: IDataObject = {}, more: Partial<NodeSpec> = {}): NodeSpec {
	const parameters = { key: '={{ $json.id }}', options } as INodeParameters;
	return { name: 'Claim Event', type: 'claimEvent', parameters, ...more };
}

export function claimStep(step: string, more: IDataObject = {}): NodeSpec {
	const parameters = { operation: 'claimStep', step, ...more };
	return { name: `Claim ${step}`, type: 'claimEvent', parameters };
}

export function stepDone(step: string, more: IDataObject = {}): NodeSpec {
	return {
		name: `${step} Done`,
		type: 'markStepDone',
		parameters: { operation: 'stepDone', step, ...more },
	};
}

export function complete(more: IDataObject = {}): NodeSpec {
	return {
		name: 'Complete',
		type: 'markStepDone',
		parameters: { operation: 'completeEvent', ...more },
	};
}

/** A workflow of its own, and so a namespace of its own, that begins with a webhook. */
export function eventFlow(specs: NodeSpec[], links?: Link[]): WorkflowJson & { id: string } {
	const nodes = [{ name: 'Webhook', type: 'webhook' }, ...specs];
	return { ...workflow(nodes, links), id: randomUUID() };
}

/** The outputs of Claim Event each lead somewhere: New to the first, Duplicate and Needs Review to nodes of these names. */
export function withOutputs(specs: NodeSpec[]): WorkflowJson & { id: string } {
	const [guard, ...rest] = specs;
	const chain = rest.map((spec, i): Link => [i === 0 ? guard.name : rest[i - 1].name, spec.name]);
	return eventFlow(
		[...specs, { name: 'Duplicate', type: 'noOp' }, { name: 'Needs Review', type: 'noOp' }],
		[
			['Webhook', guard.name],
			...chain,
			[guard.name, 'Duplicate', 1],
			[guard.name, 'Needs Review', 2],
		],
	);
}

export async function deliver(
	{ credentials }: LedgerUnderTest,
	flow: WorkflowJson,
	items: IDataObject[],
	{ nodes = [], ...options }: RunOptions = {},
): Promise<EngineRun> {
	return await runWorkflow(flow, {
		credentials,
		items,
		nodes: [...OUR_NODES, ...nodes],
		...options,
	});
}

export async function stored({ ledger }: LedgerUnderTest, namespace: string, key: string) {
	const [found] = await ledger.get([{ namespace, key }]);
	return found!;
}

/** What this package has written on the items of an output. */
export function idempotency(run: EngineRun, node: string, output = 0, runIndex = 0): IDataObject[] {
	return run.json(node, output, runIndex).map((json) => json.idempotency as IDataObject);
}

/** How Claim Event ruled, item by item. */
export function outcomes(run: EngineRun, node = 'Claim Event'): string[][] {
	return [0, 1, 2].map((output) =>
		idempotency(run, node, output).map(({ outcome }) => String(outcome)),
	);
}

/** A node that counts how often it was run, and for which items. */
export function counter(name = 'work') {
	const seen: unknown[] = [];
	const node = defineNode(name, async function () {
		seen.push(...this.getInputData().map(({ json }) => json.id));
		return [this.getInputData()];
	});
	return { seen, node };
}

/** A node at which runs stand still until they are let go. */
export function gate(name = 'gate') {
	let open: () => void;
	let reach: () => void;
	const opened = new Promise<void>((resolve) => (open = resolve));
	const reached = new Promise<void>((resolve) => (reach = resolve));
	const node = defineNode(name, async function () {
		reach();
		await opened;
		return [this.getInputData()];
	});
	return { node, reached, open: () => open() };
}
