import type { IExecuteFunctions } from 'n8n-workflow';

import type { BeginStepRequest, BeginStepResult, ItemResult, Ledger } from '../../../ledger/Ledger';
import type { Claimant } from '../../../ledger/records';
import { executionIdentity } from '../n8n/executionIdentity';
import type { HeldClaim } from './HeldClaim';

/**
 * Who begins the steps of a claim: this execution, or its parent if that has the claim. Of two calls of a sub-workflow the second then
 * takes up what the first one left.
 */
export function stepClaimant(claim: HeldClaim, here: Claimant): Claimant {
	return claim.isInherited ? { ...here, ...claim.holder } : here;
}

/**
 * Begins steps. One that is in progress by an execution that this one retries by hand is not in progress: it was cut off. It is begun in the
 * name of that execution, which is treated like any other that was begun before and not finished.
 */
export async function beginSteps(
	node: IExecuteFunctions,
	ledger: Ledger,
	requests: BeginStepRequest[],
): Promise<Array<ItemResult<BeginStepResult>>> {
	const results = await ledger.beginSteps(requests);
	const { retried } = executionIdentity(node);
	if (retried.length === 0) return results;
	const again = requests.flatMap((request, i) => {
		const result = results[i];
		if (!result.ok || result.value.outcome !== 'in_progress') return [];
		const { executionId } = result.value.step;
		const holder = retried.find((each) => each.executionId === executionId);
		return holder
			? [{ i, request: { ...request, claimant: { ...request.claimant, ...holder } } }]
			: [];
	});
	if (again.length === 0) return results;
	const begun = await ledger.beginSteps(again.map(({ request }) => request));
	again.forEach(({ i }, n) => (results[i] = begun[n]));
	return results;
}
