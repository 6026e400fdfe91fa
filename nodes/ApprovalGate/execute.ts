import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ApprovalResult } from '../../ledger/Ledger';
import { isTool } from '../shared/execution';
import { nodeError } from '../shared/nodeErrors';
import type { Outcome } from '../shared/settleBatch';
import { useLedger } from '../shared/useLedger';
import { ask } from './ask';
import { Awaited } from './awaited';
import { waitAlongside } from './businessKey';
import { Links } from './links';
import { decided, notAsked, type Routed } from './outcome';
import { type Question, readQuestion } from './Question';
import { handOut } from './request';
import { servePage } from './servePage';
import { signingKey } from './signingKey';
import type { Pending } from './tell';
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
	const { routed, questions } = await read(node, items);
	if (questions.length > 0) {
		try {
			const isPaused = await useLedger(node, async (ledger, credential) => {
				const awaited = waits ? new Awaited(node) : undefined;
				// With its token an event waits, and takes no steps, such as the one that sends the link.
				if (!waits) for (const { request } of questions) delete request.token;
				const outcomes = await ask(node, ledger, questions, awaited);
				if (waits) await waitAlongside(node, ledger, questions, outcomes);
				const pending = route(node, questions, outcomes, routed);
				const key = await signingKey(ledger, credential);
				const links = new Links(node, key, node.getNodeParameter('options.pageUrl', 0, ''));
				if (!waits) await handOut(node, ledger, links, questions, outcomes, routed);
				else if (pending.length > 0) await wait(node, ledger, links, pending, routed, awaited!);
				return waits && pending.length > 0;
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
): Promise<{ routed: Routed[]; questions: Question[] }> {
	const routed: Routed[] = [];
	const questions: Question[] = [];
	const hashed = new Map<string, Promise<string>>();
	for (const [i, item] of items.entries()) {
		try {
			const question = await readQuestion(node, item, i, hashed);
			refuseAnotherContent(node, question, questions);
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
	outcomes: Array<Outcome<ApprovalResult>>,
	routed: Routed[],
): Pending[] {
	return questions.flatMap((question, i) => {
		const { item, itemIndex, request } = question;
		const outcome = outcomes[i];
		if ('error' in outcome) {
			routed[itemIndex] = notAsked(node, item, itemIndex, outcome.error);
			return [];
		}
		const { approval } = outcome.value;
		const { namespace, key, gate } = request;
		const ref = { namespace, key, gate, id: approval.id };
		routed[itemIndex] = decided(node, item, itemIndex, ref, approval);
		return approval.state === 'pending' ? [{ question, ref, result: outcome.value }] : [];
	});
}
