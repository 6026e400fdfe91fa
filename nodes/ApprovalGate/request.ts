import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApprovalResult, Ledger } from '../../ledger/Ledger';
import type { Outcome } from '../shared/settleBatch';
import type { Links } from './links';
import { decided, type Routed } from './outcome';
import type { Question } from './Question';
import { noteTold, teller } from './tell';

/** Gives every item the links to its request, and says whether it is for this run to send them. */
export async function handOut(
	node: IExecuteFunctions,
	ledger: Ledger,
	links: Links,
	questions: Question[],
	outcomes: Array<Outcome<ApprovalResult>>,
	routed: Routed[],
): Promise<void> {
	for (const [i, question] of questions.entries()) {
		const outcome = outcomes[i];
		if ('error' in outcome) continue;
		const { item, itemIndex, request, content } = question;
		const { approval } = outcome.value;
		const { namespace, key, gate } = request;
		const ref = { namespace, key, gate, id: approval.id };
		const to = links.to([ref], content);
		const isPending = approval.state === 'pending';
		const isNew =
			isPending &&
			(await noteTold(ledger, { question, ref, result: outcome.value }, teller(node, links)));
		routed[itemIndex] = decided(node, item, itemIndex, ref, approval, {
			isNew,
			approvalUrl: to[0].url,
			...(content.approvers && { links: to.map(({ approver, url }) => ({ approver, url })) }),
		});
	}
}
