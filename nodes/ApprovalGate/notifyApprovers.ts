import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { ApprovalResult, Ledger } from '../../ledger/Ledger';
import { iso } from '../shared/execution';
import { text } from '../shared/text';
import type { Links } from './links';
import { addressed, type Format, type Message, post } from './messages';
import type { Question } from './Question';
import type { RequestRef } from './tokens';

/** A request for approval that is still open, in the ledger and as it was asked here. */
export interface OpenApproval {
	question: Question;
	ref: RequestRef;
	result: ApprovalResult;
}

/** Requests that share a page, and so a message. */
export function pages(pending: OpenApproval[], links: Links, together: boolean): OpenApproval[][] {
	return together && !links.arePermanent ? [pending] : pending.map((one) => [one]);
}

/**
 * Posts the links of requests whose approvers were not notified yet: once per request, and once more when an execution that has died took its
 * links with it. It is noted after it was sent: better notified twice than never.
 */
export async function notifyApprovers(
	node: IExecuteFunctions,
	ledger: Ledger,
	links: Links,
	page: OpenApproval[],
): Promise<void> {
	const { itemIndex } = page[0].question;
	const format = node.getNodeParameter('notify', itemIndex, 'none') as Format | 'none';
	if (format === 'none') return;
	const by = notifierId(node, links);
	const open: OpenApproval[] = [];
	for (const one of page) if (!(await isNotified(ledger, one, by))) open.push(one);
	if (open.length === 0) return;

	const common = text(node.getNodeParameter('webhookUrl', itemIndex, ''));
	const messages = addressed(messageOf(links, page), common, ownWebhooks(node, itemIndex));
	if (messages.length === 0) {
		throw new NodeOperationError(node.getNode(), "The 'Webhook URL' is empty", {
			itemIndex,
			description: "Fill it in, give the approvers webhooks, or set 'Notify Approvers' to no",
		});
	}
	for (const { url, message } of messages) await post(node, format, url, message);
	for (const one of open) await noteNotified(ledger, one, by);
}

/** Links of an execution end with it, so each execution notifies for itself. */
export function notifierId(node: IExecuteFunctions, { arePermanent }: Links): string {
	return arePermanent ? 'links to the page' : `links of execution ${node.getExecutionId()}`;
}

/** True for the one who notes it first. */
export async function noteNotified(
	ledger: Ledger,
	{ ref }: OpenApproval,
	by: string,
): Promise<boolean> {
	const { id: approvalId, ...at } = ref;
	const note = { ...at, approvalId, kind: 'approval_notified', by, limit: 1 } as const;
	return (await ledger.noteApproval(note)).noted;
}

async function isNotified(
	ledger: Ledger,
	{ ref, result }: OpenApproval,
	by: string,
): Promise<boolean> {
	if (result.isNew) return false;
	const history = await ledger.history(ref);
	const ofGate = history.filter(({ gate }) => gate === ref.gate);
	const asked = ofGate.map(({ kind }) => kind).lastIndexOf('approval_requested');
	return ofGate
		.slice(asked + 1)
		.some((entry) => entry.kind === 'approval_notified' && entry.by === by);
}

function messageOf(links: Links, page: OpenApproval[]): Message {
	const [{ question, ref, result }] = page;
	const { content } = question;
	const to = links.to(
		page.map((one) => one.ref),
		content,
	);
	const details: IDataObject = {
		event: 'approval_requested',
		requests: page.map((one) => ({ ...one.ref })),
		message: content.message ?? null,
		workflow: content.workflow,
		expiresAt: iso(result.approval.expiresAt) ?? null,
	};
	if (page.length === 1) {
		const { title, amount, fields } = content;
		return { title, amount, fields, links: to, details: { ...details, gate: ref.gate } };
	}
	return {
		title: `${page.length} requests for approval`,
		fields: page.map((one, i) => ({
			name: String(i + 1),
			value: [one.question.content.title, one.question.content.amount].filter(Boolean).join(', '),
		})),
		links: to,
		details,
	};
}

function ownWebhooks(node: IExecuteFunctions, itemIndex: number) {
	const { values = [] } = node.getNodeParameter('approvers', itemIndex, {}) as {
		values?: Array<{ name?: unknown; webhookUrl?: unknown }>;
	};
	return values.flatMap(({ name, webhookUrl }) => {
		const [who, url] = [text(name), text(webhookUrl)];
		return who === undefined || url === undefined ? [] : [{ name: who, url }];
	});
}
