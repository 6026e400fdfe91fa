import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { GuardedHttpRequest } from '../../nodes/GuardedHttpRequest/GuardedHttpRequest.node';
import { FaultServer } from '../httpServer/FaultServer';
import { claim, deliver, eventFlow, stored } from './events';
import type { EngineRun, NodeSpec, RunOptions } from './harness';
import type { WorkflowJson } from './harness/workflow';
import type { LedgerUnderTest } from './ledgers';

/** Retries without waiting. */
export const FAST: IDataObject = {
	backoffSeconds: 0,
	lookUpDelaySeconds: 0,
};

/** A key that the destination honours, as it says itself. */
export const WITH_KEY: IDataObject = { outgoingKey: 'custom' };

export const GUARDED = 'Guarded HTTP Request';

/** The node under test, which asks for the thing that the item's `id` names. */
export function guarded(
	server: FaultServer,
	{ options = {}, ...parameters }: IDataObject & { options?: IDataObject } = {},
	settings: Partial<NodeSpec> = {},
): NodeSpec {
	return {
		name: GUARDED,
		type: 'guardedHttpRequest',
		parameters: {
			url: `=${server.url('').replace(/id=$/, 'id={{ $json.id }}')}`,
			options: { ...FAST, ...options },
			...parameters,
		} as INodeParameters,
		...settings,
	};
}

/** Claim, and the request. A run that stopped midway is taken over. */
export function guardedFlow(node: NodeSpec, ...more: NodeSpec[]): WorkflowJson & { id: string } {
	return eventFlow([claim({ onStopped: 'takeover', maxAttempts: 100 }), node, ...more]);
}

export async function deliverGuarded(
	on: LedgerUnderTest,
	flow: WorkflowJson,
	items: IDataObject[],
	options: RunOptions = {},
): Promise<EngineRun> {
	return await deliver(on, flow, items, {
		...options,
		nodes: [GuardedHttpRequest, ...(options.nodes ?? [])],
		credentials: { ...on.credentials, ...options.credentials },
	} as RunOptions);
}

/** A server for the tests of a file. */
export function useServer(): { server: FaultServer } {
	const holder = {} as { server: FaultServer };
	beforeAll(async () => {
		holder.server = await FaultServer.start();
	});
	afterAll(async () => await holder.server.stop());
	return holder;
}

/** Lets the run that has the event be taken for dead, and delivers it again. */
export async function deliverAgain(
	on: LedgerUnderTest,
	flow: WorkflowJson & { id: string },
	id: string,
	options: RunOptions = {},
): Promise<EngineRun> {
	const { event } = await stored(on, flow.id, id);
	if (event.state === 'processing') await on.expireLease({ namespace: flow.id, key: id });
	return await deliverGuarded(on, flow, [{ id }], options);
}
