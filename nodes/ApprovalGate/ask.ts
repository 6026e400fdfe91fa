import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApprovalResult, Ledger } from '../../ledger/Ledger';
import type { JsonValue } from '../../ledger/records';
import { type ItemReply, sendBatch, sendWrites } from '../shared/ledger/sendBatch';
import type { Awaited } from './awaited';
import { contentIn, shownOf } from './page/content';
import type { Question } from './Question';

/** How long a decision is remembered that belongs to no claimed event, and how long it can be waited for. */
const OWN_RETENTION = 365 * 24 * 60 * 60 * 1000;

/** Finds the decisions about the items, or asks for them: once per event, gate and content. */
export async function ask(
	node: IExecuteFunctions,
	ledger: Ledger,
	questions: Question[],
	awaited?: Awaited,
): Promise<Array<ItemReply<ApprovalResult>>> {
	const own = questions.filter(({ isOwn }) => isOwn);
	if (own.length > 0) await makeEvents(node, ledger, own);

	const replies = new Map<Question, ItemReply<ApprovalResult>>();
	const found = await sendBatch(
		node,
		questions.map(({ itemIndex, request: { namespace, key } }) => ({
			itemIndex,
			request: { namespace, key },
		})),
		(addresses) => ledger.get(addresses),
	);
	for (const [i, question] of questions.entries()) {
		const reply = found[i];
		if ('error' in reply) {
			replies.set(question, reply);
			continue;
		}
		const { request, content } = question;
		const present = reply.value?.approvals.find(({ gate }) => gate === request.gate);
		if (!present) continue;
		if (present.state !== 'pending' && present.id === awaited?.get(question)) {
			replies.set(question, { value: { isNew: false, approval: present } });
		} else if (present.fingerprint !== request.fingerprint) {
			const before = contentIn(present.content);
			if (before) content.before = shownOf(before);
			request.content = content as unknown as JsonValue;
		}
	}
	const open = questions.filter((question) => !replies.has(question));
	const asked = await sendWrites(node, open, (requests) => ledger.requestApprovals(requests));
	open.forEach((question, i) => replies.set(question, asked[i]));
	return questions.map((question) => replies.get(question)!);
}

/** Events created only for a gate have no run, so they are imported as done. */
async function makeEvents(node: IExecuteFunctions, ledger: Ledger, own: Question[]): Promise<void> {
	const records = own.map(({ itemIndex, request: { namespace, key } }) => ({
		itemIndex,
		request: { namespace, key, retentionMs: OWN_RETENTION },
	}));
	await sendBatch(node, records, (requests) => ledger.importRecords(requests));
}
