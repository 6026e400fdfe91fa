import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { followingNodes, onBehalfOf } from '../shared/n8n/waitingNode';
import { text } from '../shared/text';
import type { Content } from './page/content';
import { batchOf, linkToken, type RequestRef } from './tokens';

export interface Link {
	/** Absent: for anyone. */
	approver?: string;
	url: string;
}

/** In the query of a link. */
export const TOKEN_PARAMETER = 'approval';

/** In the query of the address at which an execution is told to look at the ledger. It gives no right to anything else. */
export const CONTINUE_PARAMETER = 'continue';

/** Makes links to requests: of a page of its own if there is one, else of the execution that waits. */
export class Links {
	private readonly pageUrl?: URL;

	constructor(
		private readonly node: IExecuteFunctions,
		private readonly key: Buffer,
		pageUrl: unknown,
	) {
		const given = text(pageUrl);
		if (given !== undefined) this.pageUrl = readUrl(node, given);
	}

	/** Whether links work wherever the execution is. */
	get arePermanent(): boolean {
		return this.pageUrl !== undefined;
	}

	/** One link for each approver, to a page with all of the requests; on a page of its own there is only one. */
	to(requests: RequestRef[], { approvers }: Content): Link[] {
		const subject = requests.length === 1 ? { request: requests[0] } : { batch: batchOf(requests) };
		const names = approvers?.map(({ name }) => name) ?? [undefined];
		return names.map((approver) => ({
			...(approver !== undefined && { approver }),
			url: this.url(
				linkToken(this.key, { ...subject, ...(approver !== undefined && { approver }) }),
			),
		}));
	}

	private url(token: string): string {
		if (!this.pageUrl)
			return waitingNode(this.node).getSignedResumeUrl({ [TOKEN_PARAMETER]: token });
		const url = new URL(this.pageUrl);
		url.searchParams.set(TOKEN_PARAMETER, token);
		return url.toString();
	}
}

function readUrl(node: IExecuteFunctions, given: string): URL {
	try {
		const url = new URL(given);
		if (url.protocol === 'https:' || url.protocol === 'http:') return url;
	} catch {
		// Said below.
	}
	throw new NodeOperationError(node.getNode(), "The 'Page URL' is not a web address", {
		description: 'Copy the production URL of the Webhook node that serves the page',
	});
}

/** The node whose page a link opens. One that only requests signs for the gate behind it, which waits. */
function waitingNode(node: IExecuteFunctions): Pick<IExecuteFunctions, 'getSignedResumeUrl'> {
	if (node.getNodeParameter('operation', 0) === 'sendAndWait') return node;
	const gate = node.getNodeParameter('gate', 0);
	const following = followingNodes(node).find(({ type, parameters }) => {
		const waits = (parameters.operation ?? 'sendAndWait') === 'sendAndWait';
		return type === node.getNode().type && waits && (parameters.gate ?? 'approval') === gate;
	});
	if (following) return onBehalfOf(node, following);
	throw new NodeOperationError(
		node.getNode(),
		`No Approval Gate that waits at '${String(gate)}' comes after this node`,
		{
			description:
				"Connect one with the operation 'Ask and Wait' and the same 'Gate' behind it: its page is what the link opens. Or add the option 'Page URL'",
		},
	);
}
