import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApprovalResult, Ledger } from '../../ledger/Ledger';
import type { JsonValue } from '../../ledger/records';
import { type Outcome, settleBatch, settleWrites } from '../shared/settleBatch';
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
): Promise<Array<Outcome<ApprovalResult>>> {
	const own = questions.filter(({ isOwn }) => isOwn);
	if (own.length > 0) await makeEvents(node, ledger, own);

	const outcomes = new Map<Question, Outcome<ApprovalResult>>();
	const found = await settleBatch(
		node,
		questions.map(({ itemIndex, request: { namespace, key } }) => ({
			itemIndex,
			request: { namespace, key },
		})),
		(addresses) => ledger.get(addresses),
	);
	for (const [i, question] of questions.entries()) {
		const outcome = found[i];
		if ('error' in outcome) {
			outcomes.set(question, outcome);
			continue;
		}
		const { request, content } = question;
		const present = outcome.value?.approvals.find(({ gate }) => gate === request.gate);
		if (!present) continue;
		if (present.state !== 'pending' && present.id === awaited?.get(question)) {
			outcomes.set(question, { value: { isNew: false, approval: present } });
		} else if (present.fingerprint !== request.fingerprint) {
			const before = contentIn(present.content);
			if (before) content.before = shownOf(before);
			request.content = content as unknown as JsonValue;
		}
	}
	const open = questions.filter((question) => !outcomes.has(question));
	const asked = await settleWrites(node, open, (requests) => ledger.requestApprovals(requests));
	open.forEach((question, i) => outcomes.set(question, asked[i]));
	return questions.map((question) => outcomes.get(question)!);
}

/** They are nobody's work, so they are done from the start. */
async function makeEvents(node: IExecuteFunctions, ledger: Ledger, own: Question[]): Promise<void> {
	const records = own.map(({ itemIndex, request: { namespace, key } }) => ({
		itemIndex,
		request: { namespace, key, retentionMs: OWN_RETENTION },
	}));
	await settleBatch(node, records, (requests) => ledger.importRecords(requests));
}
