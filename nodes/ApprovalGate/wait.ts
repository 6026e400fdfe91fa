import { type IExecuteFunctions, NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import type { Awaited } from './awaited';
import { CONTINUE_PARAMETER, type Links } from './links';
import { notifyApprovers, type OpenApproval, pages } from './notifyApprovers';
import { expiring, heldBack, Output, type Routed } from './outcome';

/** Later than the ledger by this much, so that n8n never lets go of what can still be decided. */
const MARGIN_MS = 5_000;

/** Notifies the approvers, and pauses the execution until all is decided, or nobody decided in time. */
export async function wait(
	node: IExecuteFunctions,
	ledger: Ledger,
	links: Links,
	open: OpenApproval[],
	routed: Routed[],
	awaited: Awaited,
): Promise<void> {
	if (node.isToolExecution?.()) {
		throw new NodeOperationError(node.getNode(), 'This agent cannot wait for a decision', {
			description: "Connect the gate as 'Human review' between the agent and the tool instead",
		});
	}
	const together = node.getNodeParameter('options.links', 0, 'together') === 'together';
	for (const page of pages(open, links, together)) await notifyApprovers(node, ledger, links, page);
	for (const { question, ref } of open) awaited.set(question, ref.id);
	if (links.arePermanent) await noteAwaited(node, ledger, open);
	markExpiring(node, open, routed);

	const [first] = pages(open, links, together);
	const [{ url }] = links.to(
		first.map(({ ref }) => ref),
		{ ...first[0].question.content, approvers: undefined },
	);
	node.setMetadata({ resumeUrl: url });
	await node.putExecutionToWait(deadline(open));
}

/** When the last of them expires: until then one may be decided. */
function deadline(open: OpenApproval[]): Date {
	const ends = open.map(({ result }) => result.approval.expiresAt);
	if (ends.includes(undefined)) return WAIT_INDEFINITELY;
	return new Date(Math.max(...(ends as number[])) + MARGIN_MS);
}

/**
 * When time is over, n8n lets the items go on to the first output without asking this node, as they are then. So they say now what they will have to
 * say. They are n8n's own objects: their data is replaced and not changed, because it belongs to the node before.
 */
function markExpiring(node: IExecuteFunctions, open: OpenApproval[], routed: Routed[]): void {
	const byItem = new Map(open.map((one) => [one.question.itemIndex, one]));
	for (const [i, item] of node.getInputData().entries()) {
		const one = byItem.get(i);
		const { output, item: known } = routed[i];
		if (one) item.json = expiring(node, item, i, one.ref, one.result.approval).json;
		else item.json = output === Output.Approved ? heldBack(node, known, i).json : known.json;
	}
}

/** Tells a page of its own which execution to continue. */
async function noteAwaited(
	node: IExecuteFunctions,
	ledger: Ledger,
	open: OpenApproval[],
): Promise<void> {
	const reason = node.getSignedResumeUrl({ [CONTINUE_PARAMETER]: '1' });
	const by = `execution ${node.getExecutionId()}`;
	for (const { ref } of open) {
		const { id: approvalId, ...at } = ref;
		await ledger.noteApproval({
			...at,
			approvalId,
			kind: 'approval_awaited',
			by,
			reason,
			limit: 1,
		});
	}
}
