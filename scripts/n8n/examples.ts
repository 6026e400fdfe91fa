/** The example workflows, made ready for an n8n of ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { WorkflowJson } from './N8nApi';

const directory = join(__dirname, '../../examples');

export const EXAMPLES = readdirSync(directory)
	.filter((name) => name.endsWith('.json'))
	.map((name) => name.replace('.json', ''))
	.sort();

export interface Surroundings {
	/** Ids of credentials by their type. */
	credentials: Record<string, string>;
	/** Takes the place of the services, which the examples have at https://<service>.example.com. */
	outsideWorldUrl: string;
}

export function readExample(name: string): WorkflowJson {
	return JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as WorkflowJson;
}

/** The example as someone has it who chose the credentials and entered the addresses of their services. */
export function localExample(
	name: string,
	{ credentials, outsideWorldUrl }: Surroundings,
): WorkflowJson {
	const local = JSON.stringify(readExample(name)).replace(
		/https:\/\/(\w+)\.example\.com/g,
		`${outsideWorldUrl}/$1`,
	);
	const workflow = JSON.parse(local) as WorkflowJson;
	return withCredentials(workflow, credentials);
}

export function withCredentials(
	workflow: WorkflowJson,
	credentials: Record<string, string>,
): WorkflowJson {
	return { ...workflow, nodes: workflow.nodes.map((node) => withCredential(node, credentials)) };
}

function withCredential(node: INode, credentials: Record<string, string>): INode {
	const type = credentialType(node);
	const id = type && credentials[type];
	return id ? { ...node, credentials: { [type]: { id, name: type } } } : node;
}

function credentialType({ type }: INode): string | undefined {
	if (type.endsWith('.lmChatOpenAi')) return 'openAiApi';
	return /^n8n-nodes-idempotency\.(?!deriveKey$)/.test(type) ? 'idempotencyLedgerApi' : undefined;
}
