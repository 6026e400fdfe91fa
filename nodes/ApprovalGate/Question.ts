import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ApprovalRequest } from '../../ledger/Ledger';
import type { JsonValue } from '../../ledger/records';
import { checkName } from '../../ledger/validate';
import { approvedFingerprint } from '../shared/approvedContent';
import { claimantOf, isTool } from '../shared/execution';
import { plainJson } from '../shared/item/plainJson';
import { jsonParameter } from '../shared/jsonParameter';
import { ExecutionClaims } from '../shared/ledger/executionClaims';
import { findClaim, type KeyOptions } from '../shared/ledger/findClaim';
import type { HeldClaim } from '../shared/ledger/HeldClaim';
import type { ItemRequest } from '../shared/ledger/sendBatch';
import { namespaceOf } from '../shared/namespace';
import { text } from '../shared/text';
import { hashSecret, isSamePerson } from './approvers';
import { type Approver, type Content, fingerprintOf, type Shown } from './page/content';

export interface GateOptions extends KeyOptions {
	approvedContent?: unknown;
	commentOnRejection?: boolean;
	expiresAfterHours?: number;
	links?: 'together' | 'each';
	pageUrl?: unknown;
	recordAddress?: boolean;
	requester?: unknown;
	secret?: unknown;
}

/** What is asked about an item. */
export interface Question extends ItemRequest<ApprovalRequest> {
	item: INodeExecutionData;
	content: Content;
	/** No event that anybody claimed: it is there for the sake of this gate. */
	isOwn: boolean;
}

const HOUR = 60 * 60 * 1000;

/** Larger is nothing that a person reads, and would not fit on a page. */
const CONTENT_LIMIT = 100_000;

/** Gates without a claimed event have events of their own, beside those that are worked on. */
const OWN = ' (approval)';

/** Reads the parameters of an item; each is evaluated once. */
export async function readQuestion(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	hashed: Map<string, Promise<string>>,
): Promise<Question> {
	const options = node.getNodeParameter('options', itemIndex, {}) as GateOptions;
	const { isOwn, ...event } = eventOf(node, item, itemIndex, options);
	const { approvers, required } = await readApprovers(node, itemIndex, options, hashed);
	const secret = text(options.secret);
	const approved = jsonParameter(node, options.approvedContent, 'Approved Content', itemIndex);
	const content: Content = {
		...shown(node, item, itemIndex, approved),
		...(approved !== undefined && { approves: approvedFingerprint(approved) }),
		...(approvers && { approvers }),
		...(secret !== undefined && !approvers && { secret: await hash(secret, hashed) }),
		...(text(options.requester) !== undefined && { barred: text(options.requester) }),
		...(options.commentOnRejection && { commentOnRejection: true }),
		...(options.recordAddress && { recordAddress: true }),
		workflow: node.getWorkflow().name ?? 'Workflow',
		timezone: node.getTimezone(),
	};
	if (JSON.stringify(content).length > CONTENT_LIMIT) {
		throw new NodeOperationError(node.getNode(), 'There is too much to show on a page', {
			itemIndex,
			description: "Shorten the 'Message', or choose the 'Fields to Show' that matter",
		});
	}
	return {
		item,
		itemIndex,
		content,
		isOwn,
		request: {
			...event,
			gate: text(node.getNodeParameter('gate', itemIndex, '')) ?? '',
			fingerprint: fingerprintOf(content, required),
			content: content as unknown as JsonValue,
			required,
			expiresInMs:
				options.expiresAfterHours === undefined
					? undefined
					: Math.round(options.expiresAfterHours * HOUR),
		},
	};
}

/** The event that a request is about, and who asks if somebody has it. */
type AskedEvent = Pick<ApprovalRequest, 'namespace' | 'key' | 'holder' | 'attempt'> & {
	isOwn: boolean;
};

/** The event that the item works on; else one by the key that the user gives. An agent's call of a tool is one of its own. */
function eventOf(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	options: GateOptions,
): AskedEvent {
	const own = (key: string): AskedEvent => ({
		namespace: namespaceOf(node, options, itemIndex) + OWN,
		key,
		isOwn: true,
	});
	if (!('key' in options)) {
		if (isTool(node)) return own(callOf(node, itemIndex));
		return claimed(findClaim(node, item, itemIndex, {}));
	}
	const key = text(options.key);
	if (key === undefined) {
		throw new NodeOperationError(node.getNode(), "The option 'Key' is empty", {
			itemIndex,
			description: 'Check its expression, or remove the option behind a Claim Event node',
		});
	}
	const namespace = namespaceOf(node, options, itemIndex);
	const claim = new ExecutionClaims(node).last({ namespace, key });
	return claim ? claimed(claim) : own(key);
}

/** Names one call of a tool. */
function callOf(node: IExecuteFunctions, itemIndex: number): string {
	const { executionId, nonce, nodeId, runIndex } = claimantOf(node)(itemIndex);
	return [executionId, nonce, nodeId, runIndex, itemIndex].join('/');
}

function claimed({ namespace, key, holder, attempt }: HeldClaim): AskedEvent {
	return { namespace, key, holder, attempt, isOwn: false };
}

/** What is bound by the decision is on the page, whatever else is. */
function shown(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	approved: JsonValue | undefined,
): Shown {
	const parameter = (name: string) => text(node.getNodeParameter(name, itemIndex, ''));
	const { values = [] } = node.getNodeParameter('fields', itemIndex, {}) as {
		values?: Array<{ name?: unknown; value?: unknown }>;
	};
	const title = parameter('title');
	const message = parameter('message');
	const amount = parameter('amount');
	if (title === undefined) {
		throw new NodeOperationError(node.getNode(), "The 'Title' is empty", {
			itemIndex,
			description: 'Check its expression: nobody can approve what has no name',
		});
	}
	const chosen = values.map(({ name, value }) => ({
		name: text(name) ?? '',
		value: printed(value),
	}));
	if (approved !== undefined) chosen.push(...approvedFields(approved));
	const isBare = message === undefined && chosen.length === 0;
	return {
		title,
		...(message !== undefined && { message }),
		...(amount !== undefined && { amount }),
		fields: isBare ? allFields(item) : chosen,
	};
}

function approvedFields(approved: JsonValue): Shown['fields'] {
	const isObject = typeof approved === 'object' && approved !== null && !Array.isArray(approved);
	if (!isObject) return [{ name: 'Content', value: printed(approved) }];
	return Object.entries(approved).map(([name, value]) => ({ name, value: printed(value) }));
}

/** Nobody approves a blank page. What this package has added to the item is no part of it. */
function allFields({ json }: INodeExecutionData): Shown['fields'] {
	const names = Object.keys(json).filter((name) => name !== 'idempotency');
	return names.map((name) => ({ name, value: printed(json[name]) }));
}

function printed(value: unknown): string {
	if (value === null || value === undefined) return '–';
	return typeof value === 'object' ? JSON.stringify(plainJson(value), null, 2) : String(value);
}

async function readApprovers(
	node: IExecuteFunctions,
	itemIndex: number,
	options: GateOptions,
	hashed: Map<string, Promise<string>>,
): Promise<{ approvers?: Approver[]; required: number }> {
	if (node.getNodeParameter('whoDecides', itemIndex, 'anyone') !== 'list') return { required: 1 };
	const { values = [] } = node.getNodeParameter('approvers', itemIndex, {}) as {
		values?: Array<{ name?: unknown; pin?: unknown }>;
	};
	const required = Number(node.getNodeParameter('required', itemIndex, 1));
	const approvers: Approver[] = [];
	for (const value of values) {
		const name = text(value.name);
		const pin = text(value.pin);
		if (name === undefined || approvers.some((other) => isSamePerson(other.name, name))) {
			throw new NodeOperationError(
				node.getNode(),
				name === undefined
					? "An entry of 'Approvers' has no name"
					: `'${name}' is twice among the 'Approvers'`,
				{ itemIndex, description: 'Give every approver a name of their own' },
			);
		}
		// Refused now, and not when this person wants to decide.
		checkName(name, 'name of an approver');
		approvers.push({ name, ...(pin !== undefined && { pin: await hash(pin, hashed) }) });
	}
	const requester = text(options.requester);
	const able = approvers.filter(
		({ name }) => requester === undefined || !isSamePerson(name, requester),
	);
	if (!Number.isInteger(required) || required < 1 || required > able.length) {
		throw new NodeOperationError(
			node.getNode(),
			`'Approvals Needed' is ${required}, and ${able.length} of the approvers may approve`,
			{ itemIndex, description: "Add 'Approvers', or ask for fewer approvals" },
		);
	}
	return { approvers, required };
}

/** Hashing is slow on purpose: once per run and secret. */
function hash(secret: string, hashed: Map<string, Promise<string>>): Promise<string> {
	const found = hashed.get(secret) ?? hashSecret(secret);
	hashed.set(secret, found);
	return found;
}
