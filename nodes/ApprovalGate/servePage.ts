import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import { withLedger } from '../shared/ledger/withLedger';
import { type Answer, answer, UNAVAILABLE } from './answer';
import { TOKEN_PARAMETER } from './links';
import { PAGE_HEADERS } from './page/style';
import { signingKey } from './signingKey';
import { readLinkToken, type RequestRef } from './tokens';

/** How long after a decision a visit still makes sure that the workflow goes on. */
const REMIND_MS = 60 * 60 * 1000;

/** Answers what a Webhook node received, for a Respond to Webhook node to send. The ledger being away is an answer too. */
export async function servePage(node: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (const [i, { json }] of node.getInputData().entries()) {
		const method = node.getNodeParameter('visit', i) === 'decide' ? 'POST' : 'GET';
		output.push({ json: await visit(node, method, json), pairedItem: { item: i } });
	}
	return output;
}

async function visit(node: IExecuteFunctions, method: string, json: IDataObject) {
	const { query = {}, body = {}, headers = {} } = json as Record<string, IDataObject>;
	try {
		return await withLedger(node, async (ledger, credential) => {
			const key = await signingKey(ledger, credential);
			const token = query[TOKEN_PARAMETER];
			const address = String(headers['x-forwarded-for'] ?? '').split(',')[0] || undefined;
			const result = await answer({ ledger, key }, { method, token, form: body, address });
			const request = readLinkToken(key, token)?.request;
			if (request) await continueExecutions(node, ledger, request);
			return response(result);
		});
	} catch (error) {
		node.logger.error('Approval Gate: the page could not be served', { error });
		return response(UNAVAILABLE);
	}
}

function response({ status, page }: Answer): IDataObject {
	return { statusCode: status, headers: { ...PAGE_HEADERS }, body: page };
}

/** Tells executions that wait for a request to look at the ledger, if it is decided. Those that are gone do not answer, which is all right. */
async function continueExecutions(
	node: IExecuteFunctions,
	ledger: Ledger,
	{ namespace, key, gate, id }: RequestRef,
): Promise<void> {
	const [found] = await ledger.get([{ namespace, key }]);
	const approval = found?.approvals.find((candidate) => candidate.gate === gate);
	if (approval?.id !== id || approval.decidedAt === undefined) return;
	if (approval.decidedAt + REMIND_MS < Date.now()) return;
	const history = await ledger.history({ namespace, key });
	const addresses = history.flatMap((entry) =>
		entry.kind === 'approval_awaited' && entry.gate === gate ? (entry.reason ?? []) : [],
	);
	for (const url of new Set(addresses.slice(-5))) {
		await node.helpers
			.httpRequest({ method: 'POST', url, timeout: 10_000, ignoreHttpStatusErrors: true })
			.catch(() => undefined);
	}
}
