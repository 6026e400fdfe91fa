import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ApprovalRecord } from '../../ledger/records';
import { isTool, iso } from '../shared/execution';
import { idempotencyOf, withIdempotency } from '../shared/item/idempotency';
import { nodeError } from '../shared/nodeErrors';
import type { RequestRef } from './tokens';

/** The outputs of the node, in their order. What n8n does by itself goes to the first: that has to be the safe one. */
export enum Output {
	NotApproved,
	Approved,
}

export interface Routed {
	output: Output;
	item: INodeExecutionData;
}

/** An item with the decision about it. */
export function decided(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	request: RequestRef,
	approval: ApprovalRecord,
	more: IDataObject = {},
): Routed {
	const isApproved = approval.state === 'approved';
	const fields = {
		...describe(request, approval),
		decision: approval.state,
		approved: isApproved,
		decidedBy: approval.decidedBy,
		decidedAt: iso(approval.decidedAt),
		comment: approval.comment,
		votes: approval.votes.map((vote) => ({ ...vote, at: iso(vote.at) })),
		...more,
	};
	return {
		output: isApproved ? Output.Approved : Output.NotApproved,
		item: marked(node, item, itemIndex, fields),
	};
}

/** An item that could not be asked about. Thrown instead, unless n8n is set to continue. */
export function notAsked(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	error: unknown,
): Routed {
	const explained = nodeError(node, error, itemIndex);
	if (!node.continueOnFail()) throw explained;
	const reason = [explained.message, explained.description].filter((part) => part).join('. ');
	const refused = marked(node, item, itemIndex, { decision: 'error', approved: false, reason });
	const hasErrorOutput = node.getNode().onError === 'continueErrorOutput';
	return {
		output: Output.NotApproved,
		item: hasErrorOutput ? { ...refused, error: explained } : refused,
	};
}

/** What an item says when nobody decides: n8n lets it out by itself then, without asking this node. */
export function expiring(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	request: RequestRef,
	approval: ApprovalRecord,
): INodeExecutionData {
	return marked(node, item, itemIndex, {
		...describe(request, approval),
		decision: 'expired',
		approved: false,
		awaited: true,
	});
}

/** The same for one that is approved, but does not go on before the others of its run are decided. */
export function heldBack(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
): INodeExecutionData {
	return marked(node, item, itemIndex, {
		...(idempotencyOf(item).approval as IDataObject),
		decision: 'expired',
		approved: false,
		reason: 'Other items of the same run were not decided in time. Run it again to go on',
	});
}

/** The requests that the items of a paused execution wait for. */
export function awaitedRequests(items: INodeExecutionData[]): RequestRef[] {
	return items.flatMap((item) => {
		const approval = idempotencyOf(item).approval as Partial<RequestRef & { awaited: boolean }>;
		const { awaited, namespace, key, gate, id } = approval ?? {};
		return awaited && namespace && key && gate && id ? [{ namespace, key, gate, id }] : [];
	});
}

function describe({ namespace, key, gate, id }: RequestRef, approval: ApprovalRecord): IDataObject {
	const { fingerprint, requestedAt, expiresAt } = approval;
	const times = { requestedAt: iso(requestedAt), expiresAt: iso(expiresAt) };
	return { namespace, key, gate, id, fingerprint, ...times };
}

/** The agent that asks for a tool reads `approved` at the top. */
function marked(
	node: IExecuteFunctions,
	item: INodeExecutionData,
	itemIndex: number,
	fields: IDataObject,
): INodeExecutionData {
	const approval = Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	);
	const result = withIdempotency(item, itemIndex, { approval });
	if (isTool(node)) result.json.approved = fields.approved;
	return result;
}
