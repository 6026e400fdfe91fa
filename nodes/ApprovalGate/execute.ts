import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ApprovalResult } from '../../ledger/Ledger';
import { isTool } from '../shared/execution';
import type { ItemReply } from '../shared/ledger/sendBatch';
import { withLedger } from '../shared/ledger/withLedger';
import { nodeError } from '../shared/nodeErrors';
import { ask } from './ask';
import { Awaited } from './awaited';
import { Links } from './links';
import type { OpenApproval } from './notifyApprovers';
import { decided, notAsked, type Routed } from './outcome';
import { type Question, readQuestion } from './Question';
import { attachLinks } from './request';
import { servePage } from './servePage';
import { signingKey } from './signingKey';
import { wait } from './wait';

/**
 * Asks about every item, and continues by the decisions. It comes here twice: when the items arrive, and, continued by the page, when all of them
 * are decided. Both times it does the same, and what counts is what the ledger says: an item leaves through Approved only if there is an approval
 * of its very content.
 */
export async function execute(node: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = node.getNodeParameter('operation', 0);
	if (operation === 'servePage') return [await servePage(node)];
	const items = node.getInputData();
	const waits = operation === 'sendAndWait';
	const { routed, questions } = await read(node, items, waits);
	if (questions.length > 0) {
		try {
			const isPaused = await withLedger(node, async (ledger, credential) => {
				const awaited = waits ? new Awaited(node) : undefined;
				const replies = await ask(node, ledger, questions, awaited);
				const open = route(node, questions, replies, routed);
				const key = await signingKey(ledger, credential);
				const links = new Links(node, key, node.getNodeParameter('options.pageUrl', 0, ''));
				if (!waits) await attachLinks(node, ledger, links, questions, replies, routed);
				else if (open.length > 0) await wait(node, ledger, links, open, routed, awaited!);
				return waits && open.length > 0;
			});
			if (isPaused) return [items];
		} catch (error) {
			for (const { item, itemIndex } of questions) {
				routed[itemIndex] = notAsked(node, item, itemIndex, nodeError(node, error, itemIndex));
			}
		}
	}
	if (!waits || isTool(node)) return [routed.map(({ item }) => item)];
	const outputs: INodeExecutionData[][] = [[], []];
	for (const { output, item } of routed) outputs[output].push(item);
	return outputs;
}

async function read(
	node: IExecuteFunctions,
	items: INodeExecutionData[],
	waits: boolean,
): Promise<{ routed: Routed[]; questions: Question[] }> {
	const routed: Routed[] = [];
	const questions: Question[] = [];
	const hashed = new Map<string, Promise<string>>();
	for (const [i, item] of items.entries()) {
		try {
			const question = await readQuestion(node, item, i, hashed);
			refuseAnotherContent(node, question, questions);
			// Asked by its holder an event waits, and takes no steps, such as the one that sends the link.
			if (!waits) for (const name of ['holder', 'attempt'] as const) delete question.request[name];
			questions.push(question);
		} catch (error) {
			routed[i] = notAsked(node, item, i, error);
		}
	}
	return { routed, questions };
}

/** The second would take the place of the first, which then nobody could decide any more. */
function refuseAnotherContent(node: IExecuteFunctions, question: Question, earlier: Question[]) {
	const { namespace, key, gate, fingerprint } = question.request;
	const other = earlier.find(
		({ request }) =>
			request.key === key && request.namespace === namespace && request.gate === gate,
	);
	if (!other || other.request.fingerprint === fingerprint) return;
	throw new NodeOperationError(
		node.getNode(),
		`Item ${other.itemIndex} of the same run has the same key '${key}', and something else is to be approved there`,
		{ itemIndex: question.itemIndex, description: "Give every item a 'Key' of its own" },
	);
}

/** Fills in what is known, and says what is still open. */
function route(
	node: IExecuteFunctions,
	questions: Question[],
	replies: Array<ItemReply<ApprovalResult>>,
	routed: Routed[],
): OpenApproval[] {
	return questions.flatMap((question, i) => {
		const { item, itemIndex, request } = question;
		const reply = replies[i];
		if ('error' in reply) {
			routed[itemIndex] = notAsked(node, item, itemIndex, reply.error);
			return [];
		}
		const { approval } = reply.value;
		const { namespace, key, gate } = request;
		const ref = { namespace, key, gate, id: approval.id };
		routed[itemIndex] = decided(node, item, itemIndex, ref, approval);
		return approval.state === 'pending' ? [{ question, ref, result: reply.value }] : [];
	});
}
