import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApprovalResult, Ledger } from '../../ledger/Ledger';
import type { ItemReply } from '../shared/ledger/sendBatch';
import type { Links } from './links';
import { noteNotified, notifierId } from './notifyApprovers';
import { decided, type Routed } from './outcome';
import type { Question } from './Question';

/** Gives every item the links to its request, and says whether it is for this run to send them. */
export async function attachLinks(
	node: IExecuteFunctions,
	ledger: Ledger,
	links: Links,
	questions: Question[],
	replies: Array<ItemReply<ApprovalResult>>,
	routed: Routed[],
): Promise<void> {
	for (const [i, question] of questions.entries()) {
		const reply = replies[i];
		if ('error' in reply) continue;
		const { item, itemIndex, request, content } = question;
		const { approval } = reply.value;
		const { namespace, key, gate } = request;
		const ref = { namespace, key, gate, id: approval.id };
		const to = links.to([ref], content);
		const isPending = approval.state === 'pending';
		const isNew =
			isPending &&
			(await noteNotified(ledger, { question, ref, result: reply.value }, notifierId(node, links)));
		routed[itemIndex] = decided(node, item, itemIndex, ref, approval, {
			isNew,
			approvalUrl: to[0].url,
			...(content.approvers && { links: to.map(({ approver, url }) => ({ approver, url })) }),
		});
	}
}
