import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { ApprovalResult, Ledger } from '../../ledger/Ledger';
import { iso } from '../shared/execution';
import { text } from '../shared/text';
import type { Links } from './links';
import { addressed, type Format, type Message, post } from './notify';
import type { Question } from './Question';
import type { RequestRef } from './tokens';

/** A question that is still open, and its request in the ledger. */
export interface Pending {
	question: Question;
	ref: RequestRef;
	result: ApprovalResult;
}

/** Requests that share a page, and so a message. */
export function pages(pending: Pending[], links: Links, together: boolean): Pending[][] {
	return together && !links.arePermanent ? [pending] : pending.map((one) => [one]);
}

/**
 * Posts the links of requests that people have not been told about: once per request, and once more when an execution that has died took its links
 * with it. What was sent is noted after it was sent: better told twice than never.
 */
export async function tell(
	node: IExecuteFunctions,
	ledger: Ledger,
	links: Links,
	page: Pending[],
): Promise<void> {
	const { itemIndex } = page[0].question;
	const format = node.getNodeParameter('tell', itemIndex, 'none') as Format | 'none';
	if (format === 'none') return;
	const by = teller(node, links);
	const untold: Pending[] = [];
	for (const one of page) if (!(await isTold(ledger, one, by))) untold.push(one);
	if (untold.length === 0) return;

	const common = text(node.getNodeParameter('webhookUrl', itemIndex, ''));
	const messages = addressed(messageOf(links, page), common, ownWebhooks(node, itemIndex));
	if (messages.length === 0) {
		throw new NodeOperationError(node.getNode(), "The 'Webhook URL' is empty", {
			itemIndex,
			description: "Fill it in, give the approvers webhooks, or set 'Tell People' to no",
		});
	}
	for (const { url, message } of messages) await post(node, format, url, message);
	for (const one of untold) await noteTold(ledger, one, by);
}

/** Links of an execution end with it, so each execution tells for itself. */
export function teller(node: IExecuteFunctions, { arePermanent }: Links): string {
	return arePermanent ? 'links to the page' : `links of execution ${node.getExecutionId()}`;
}

/** True for the one who notes it first. */
export async function noteTold(ledger: Ledger, { ref }: Pending, by: string): Promise<boolean> {
	const { id: approvalId, ...at } = ref;
	const note = { ...at, approvalId, kind: 'approval_told', by, limit: 1 } as const;
	return (await ledger.noteApproval(note)).noted;
}

async function isTold(ledger: Ledger, { ref, result }: Pending, by: string): Promise<boolean> {
	if (result.isNew) return false;
	const history = await ledger.history(ref);
	const ofGate = history.filter(({ gate }) => gate === ref.gate);
	const asked = ofGate.map(({ kind }) => kind).lastIndexOf('approval_requested');
	return ofGate.slice(asked + 1).some((entry) => entry.kind === 'approval_told' && entry.by === by);
}

function messageOf(links: Links, page: Pending[]): Message {
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
