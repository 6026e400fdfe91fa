/** Refunds that a person has to approve, and people who do. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../scripts/n8n/N8nApi';
import type { Effect, OutsideWorld } from '../../scripts/n8n/OutsideWorld';
import { until } from '../servers/ServerProcess';

const ours = (type: string) => `n8n-nodes-idempotency.${type}`;
const to = (...names: string[]) => names.map((node) => ({ node, type: 'main' as const, index: 0 }));

interface Variant {
	/** Of the gate. */
	options?: INodeParameters;
	/** Leads past the gate, straight to the payment. */
	aroundTheGate?: boolean;
}

/** Webhook → Derive Key → Claim Event → Approval Gate → pay, and nothing is paid that was not approved. */
export function refunds(
	world: OutsideWorld,
	{ options = {}, aroundTheGate }: Variant = {},
): WorkflowJson {
	const order = "$('Refund Requested').item.json.body";
	const content = `={{ { refund: ${order}.id, amount: ${order}.amount } }}`;
	const node = (name: string, type: string, typeVersion: number, parameters: INodeParameters) => ({
		id: name.toLowerCase().replaceAll(' ', '-'),
		name,
		type,
		typeVersion,
		position: [0, 0] as [number, number],
		parameters,
	});
	return {
		name: 'Refunds',
		nodes: [
			node('Refund Requested', 'n8n-nodes-base.webhook', 2, {
				httpMethod: 'POST',
				responseMode: 'onReceived',
				options: {},
			}),
			node('Derive Key', ours('deriveKey'), 1, { source: 'field', value: '={{ $json.body.id }}' }),
			node('Claim Event', ours('claimEvent'), 1, {
				operation: 'claimEvent',
				options: { onStopped: 'takeover', checkContent: false },
			}),
			node('Approve Refund', ours('approvalGate'), 1, {
				operation: 'sendAndWait',
				gate: 'refund',
				title: `=Refund {{ ${order}.id }}`,
				message: `={{ ${order}.reason }}`,
				amount: `={{ ${order}.amount }} EUR`,
				notify: 'json',
				webhookUrl: `${world.url}/chat/messages`,
				options: { approvedContent: content, ...options },
			}),
			node('Pay', ours('guardedHttpRequest'), 1, {
				method: 'POST',
				url: `${world.url}/bank/payments`,
				sendBody: true,
				contentType: 'json',
				specifyBody: 'json',
				jsonBody: content,
				step: 'pay',
				options: { approval: { values: { gate: 'refund' } } },
			}),
			node('Paid', ours('markStepDone'), 1, {
				operation: 'completeEvent',
				result: '={{ { status: "paid" } }}',
			}),
			node('Not Paid', ours('markStepDone'), 1, {
				operation: 'completeEvent',
				result: '={{ { status: $json.idempotency.approval.decision } }}',
			}),
		],
		connections: {
			'Refund Requested': { main: [to('Derive Key')] },
			'Derive Key': { main: [to('Claim Event')] },
			'Claim Event': { main: [to(aroundTheGate ? 'Pay' : 'Approve Refund')] },
			'Approve Refund': { main: [to('Not Paid'), to('Pay')] },
			Pay: { main: [to('Paid')] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** The link of the newest request about a refund, when people have been told. */
export async function linkTo(world: OutsideWorld, title: string, count = 1): Promise<string> {
	let told: Effect[] = [];
	await until(`${count} messages about ${title}`, () => {
		told = world.of('chat').filter(({ body }) => body.title === title);
		if (told.length < count) throw new Error(`${told.length} so far`);
	});
	return String(told.at(-1)!.body.approvalUrl);
}

export interface Visit {
	status: number;
	html: string;
	/** Who decided what, in the words of the page. */
	story: string[];
}

/** Opens the page as a browser would. */
export async function visit(url: string, init: RequestInit = {}): Promise<Visit> {
	const response = await fetch(url, init);
	const html = await response.text();
	const story = [...html.matchAll(/<p class="notice"[^>]*>(.*?)<\/p>/gs)].map(([, text]) => text);
	return { status: response.status, html, story };
}

/** Sends the form of the page. */
export async function decide(
	url: string,
	form: { token: string; decision: 'approved' | 'rejected'; name: string },
): Promise<Visit> {
	return await visit(url, { method: 'POST', body: new URLSearchParams({ comment: '', ...form }) });
}

/** The hidden one-time token of the form. */
export function tokenIn({ html }: Visit): string {
	const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
	if (!token) throw new Error(`There is no form on the page:\n${html}`);
	return token;
}

/** When the gate pauses the execution n8n needs a moment until it serves the page. */
export async function openPage(url: string): Promise<Visit> {
	let page: Visit | undefined;
	await until('the page', async () => {
		page = await visit(url);
		if (page.status !== 200) throw new Error(`${page.status} ${page.html}`);
	});
	return page!;
}

export async function approve(url: string, name = 'Paula'): Promise<Visit> {
	const token = tokenIn(await openPage(url));
	return await decide(url, { token, decision: 'approved', name });
}

export const refund = (id: string, amount = 750): IDataObject => ({
	id,
	amount,
	reason: 'Never arrived',
});
