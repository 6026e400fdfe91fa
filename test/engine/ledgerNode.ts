import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ClaimRequest } from '../../ledger/Ledger';
import type { JsonValue } from '../../ledger/records';
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

/** Claims an event for a run that is somewhere else; resolves to its token. */
export async function claimed(
	on: LedgerUnderTest,
	namespace: string,
	key: string,
	request: Partial<ClaimRequest> = {},
): Promise<string> {
	const claimant = { executionId: 'e1', nodeId: 'n', runIndex: 0, itemIndex: 0 };
	const [won] = await on.ledger.claimEvents([
		{ namespace, key, claimant, workflowId: 'wf', input: { id: key }, ...request },
	]);
	return won.claimed ? won.token : '';
}

export async function inReview(on: LedgerUnderTest, namespace: string, key: string, more = {}) {
	const token = await claimed(on, namespace, key, more);
	await on.ledger.failEvents([{ namespace, key, token, as: 'review', reason: 'In doubt' }]);
}

export async function stepWithUndo(
	on: LedgerUnderTest,
	held: { namespace: string; key: string; token: string },
	step: string,
	undo: JsonValue = { cancel: step },
) {
	await on.ledger.finishSteps([{ ...held, step, undo, externalId: `${step}-1` }]);
}
