import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ClaimRequest, HeldRequest } from '../../ledger/Ledger';
import type { Claimant, JsonValue } from '../../ledger/records';
import { Ledger } from '../../nodes/Ledger/Ledger.node';
import { type EngineRun, runNode } from './harness';
import type { LedgerUnderTest } from './ledgers';

/** Runs the Ledger node after a trigger, for items that name their event. */
export async function ledgerNode(
	on: LedgerUnderTest,
	resource: string,
	operation: string,
	parameters: IDataObject = {},
	items: IDataObject[] = [{}],
	settings = {},
): Promise<EngineRun> {
	const all = { resource, operation, ...parameters } as INodeParameters;
	return await runNode(Ledger, all, { credentials: on.credentials, items, settings });
}

/** What it gives out, when nothing goes wrong. */
export async function given(...args: Parameters<typeof ledgerNode>): Promise<IDataObject[]> {
	const run = await ledgerNode(...args);
	expect(run.error).toBeUndefined();
	return run.json('Ledger');
}

/** A run that is somewhere else. */
export function elsewhere(executionId = 'e1'): Claimant {
	return {
		instance: 'elsewhere',
		executionId,
		nonce: executionId,
		nodeId: 'n',
		runIndex: 0,
		itemIndex: 0,
	};
}

/** Claims an event for a run that is somewhere else; resolves to its claim. */
export async function claimed(
	on: LedgerUnderTest,
	namespace: string,
	key: string,
	request: Partial<ClaimRequest> = {},
): Promise<HeldRequest> {
	const { claimant = elsewhere() } = request;
	const [{ event }] = await on.ledger.claimEvents([
		{ namespace, key, claimant, workflowId: 'wf', input: { id: key }, ...request },
	]);
	const { instance, executionId, nonce } = claimant;
	return { namespace, key, holder: { instance, executionId, nonce }, attempt: event!.attempt };
}

export async function inReview(on: LedgerUnderTest, namespace: string, key: string, more = {}) {
	const held = await claimed(on, namespace, key, more);
	await on.ledger.failEvents([{ ...held, as: 'review', reason: 'In doubt' }]);
}

export async function stepWithUndo(
	on: LedgerUnderTest,
	held: HeldRequest,
	step: string,
	undo: JsonValue = { cancel: step },
) {
	await on.ledger.finishSteps([{ ...held, step, undo, externalId: `${step}-1` }]);
}
