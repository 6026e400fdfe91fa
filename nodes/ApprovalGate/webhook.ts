import {
	type IExecuteData,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	sleep,
} from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import type { ApprovalRecord } from '../../ledger/records';
import { withLedger } from '../shared/ledger/withLedger';
import { runWaitingNode, waitingEntry } from '../shared/n8n/waitingEntry';
import { answer, UNAVAILABLE } from './answer';
import { approvalsOf } from './desk';
import { CONTINUE_PARAMETER, TOKEN_PARAMETER } from './links';
import { awaitedRequests } from './outcome';
import { messagePage } from './page/page';
import { PAGE_HEADERS } from './page/style';
import { signingKey } from './signingKey';
import type { RequestRef } from './tokens';

export interface Timing {
	/** How long the execution still waits after a decision: n8n answers a second click with an error once it runs. */
	doubleClickMs: number;
	/** When a decision that nothing came of is found to be stuck: the process died between recording it and continuing. */
	stuckAfterMs: number;
}

const TIMING: Timing = { doubleClickMs: 1_500, stuckAfterMs: 10_000 };

/**
 * Serves the page of an execution that waits here. It never throws: n8n would take that for an answer and continue past the gate. Whatever goes
 * wrong, the execution keeps waiting.
 */
export async function webhook(
	context: IWebhookFunctions,
	timing: Timing = TIMING,
): Promise<IWebhookResponseData> {
	try {
		return await serve(context, timing);
	} catch (error) {
		try {
			context.logger.error('Approval Gate: the page could not be served', { error });
			if (!context.getResponseObject().headersSent) send(context, UNAVAILABLE);
		} catch {
			// Nobody is there to be told.
		}
		return { noWebhookResponse: true };
	}
}

async function serve(context: IWebhookFunctions, timing: Timing): Promise<IWebhookResponseData> {
	const entry = waitingEntry(context);
	const items = entry.data.main?.[0] ?? [];
	const waiting = awaitedRequests(items);
	const request = context.getRequestObject();
	const query = context.getQueryData() as Record<string, unknown>;
	return await withLedger(context, async (ledger, credential) => {
		let isFresh = false;
		if (query[CONTINUE_PARAMETER] === undefined) {
			const key = await signingKey(ledger, credential);
			const answered = await answer(
				{ ledger, key, waiting },
				{
					method: request.method,
					token: query[TOKEN_PARAMETER],
					form: (context.getBodyData() ?? {}) as Record<string, unknown>,
					address: request.ip,
				},
			);
			send(context, answered);
			isFresh = answered.decided.length > 0;
		} else {
			// Called by a page of its own, after a decision. There is nobody to look at anything.
			const page = messagePage('Thank you', 'The workflow looks at the decision.');
			send(context, { status: 200, page });
			isFresh = request.method === 'POST';
		}
		const approvals = await decidedRequests(ledger, waiting);
		const goesOn = approvals && (isFresh || isStuck(approvals, timing.stuckAfterMs));
		if (!goesOn) return { noWebhookResponse: true };
		if (isFresh) await sleep(timing.doubleClickMs);
		return resume(entry, items);
	});
}

/** The requests as they are, if none is open any more. One that was asked anew is for the execution that did so. */
async function decidedRequests(
	ledger: Ledger,
	waiting: RequestRef[],
): Promise<ApprovalRecord[] | undefined> {
	const found = await approvalsOf(ledger, waiting);
	const approvals = found.flatMap(([{ id }, approval]) =>
		approval?.id === id && approval.state !== 'pending' ? [approval] : [],
	);
	return approvals.length === waiting.length && waiting.length > 0 ? approvals : undefined;
}

function isStuck(approvals: ApprovalRecord[], afterMs: number): boolean {
	const last = Math.max(...approvals.map(({ decidedAt, expiresAt = 0 }) => decidedAt ?? expiresAt));
	return last + afterMs < Date.now();
}

/** Continues the execution with this node, which then finds the decisions. */
function resume(entry: IExecuteData, items: INodeExecutionData[]): IWebhookResponseData {
	runWaitingNode(entry);
	return { noWebhookResponse: true, workflowData: [items] };
}

function send(
	context: IWebhookFunctions,
	{ status, page }: { status: number; page: string },
): void {
	const response = context.getResponseObject();
	response.status(status);
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	if (status === 503) response.setHeader('Retry-After', '60');
	response.send(page);
}
