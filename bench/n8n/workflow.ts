import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { WorkflowJson } from '../../scripts/n8n/N8nApi';
import type { Contestant, CredentialName, Middle } from './contestants';

/** A header of the answer: something came through to the end of the workflow. */
export const PASSED = 'x-passed';

/** Webhook → Split Out → what is measured → Respond. */
export function workflowOf(
	{ name, nodes: middle }: Contestant,
	path: string,
	credentialIds: Record<CredentialName, string>,
): WorkflowJson {
	const chain: Middle[] = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			parameters: { httpMethod: 'POST', path, responseMode: 'responseNode', options: {} },
		},
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.items', options: {} },
		},
		...middle,
		{
			name: 'Respond',
			type: 'n8n-nodes-base.respondToWebhook',
			typeVersion: 1.5,
			// Everything else by default: the first item is the answer.
			parameters: {
				options: { responseHeaders: { entries: [{ name: PASSED, value: 'yes' }] } },
			},
		},
	];
	const nodes = chain.map(
		({ credential, ...node }, i): INode => ({
			...node,
			id: randomUUID(),
			position: [220 * i, 0],
			...(node.type === 'n8n-nodes-base.webhook' && { webhookId: path }),
			...(credential && {
				credentials: {
					[credential.type]: { id: credentialIds[credential.name], name: credential.name },
				},
			}),
		}),
	);
	const connections = Object.fromEntries(
		nodes
			.slice(0, -1)
			.map(({ name: from }, i) => [
				from,
				{ main: [[{ node: nodes[i + 1].name, type: 'main' as const, index: 0 }]] },
			]),
	);
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}
