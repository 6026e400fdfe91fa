import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApprovalResult, Ledger } from '../../ledger/Ledger';
import { type Outcome, settleWrites } from '../shared/settleBatch';
import type { Question } from './Question';

/**
 * The event of a business key waits with the first one, or its lease would be over long before the decision and another delivery could take it
 * for abandoned. It has the same gate, which is decided along with the first.
 */
export async function waitAlongside(
	node: IExecuteFunctions,
	ledger: Ledger,
	questions: Question[],
	outcomes: Array<Outcome<ApprovalResult>>,
): Promise<void> {
	const pairs = questions.flatMap(({ itemIndex, request, business }, i) => {
		const outcome = outcomes[i];
		// An expired gate holds nothing any more.
		if (!business || 'error' in outcome || outcome.value.approval.state === 'expired') return [];
		const { gate, fingerprint, expiresInMs } = request;
		return [{ i, itemIndex, request: { ...business, gate, fingerprint, expiresInMs } }];
	});
	if (pairs.length === 0) return;
	const asked = await settleWrites(node, pairs, (requests) => ledger.requestApprovals(requests));
	for (const [n, { i, request }] of pairs.entries()) {
		const [first, second] = [outcomes[i], asked[n]];
		if ('error' in second) outcomes[i] = second;
		else if ('value' in first) await decideAlike(ledger, request, first.value, second.value);
	}
}

async function decideAlike(
	ledger: Ledger,
	{ namespace, key, gate }: { namespace: string; key: string; gate: string },
	{ approval: { state, decidedBy } }: ApprovalResult,
	{ approval }: ApprovalResult,
): Promise<void> {
	if (approval.state !== 'pending' || decidedBy === undefined) return;
	if (state !== 'approved' && state !== 'rejected') return;
	const address = { namespace, key, gate, approvalId: approval.id };
	await ledger.decideApproval({ ...address, decision: state, by: decidedBy });
}
