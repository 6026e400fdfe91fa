import type { Ledger } from '../../ledger/Ledger';
import type { ApprovalRecord } from '../../ledger/records';
import { isSamePerson } from './approvers';
import { type Content, contentIn } from './page/content';
import type { Card } from './page/page';
import { batchOf, type Grant, readLinkToken, type RequestRef } from './tokens';

/** Where decisions are made: a ledger, the key that signs links, and the requests that an execution waits for, if one does. */
export interface Desk {
	ledger: Ledger;
	key: Buffer;
	waiting?: RequestRef[];
}

/** A request on the desk. */
export interface Entry {
	request: RequestRef;
	content: Content;
	approval: ApprovalRecord;
}

/** Why nothing can be shown: what to say, and with which HTTP status. */
export interface Refusal {
	status: number;
	title: string;
	text: string;
}

const INVALID: Refusal = {
	status: 403,
	title: 'This link is not valid',
	text: 'It may have been cut off or changed on its way. Open it again from the message that you got, or ask for a new one. Nothing was decided.',
};

const GONE: Refusal = {
	status: 410,
	title: 'This request no longer exists',
	text: 'It was forgotten after its time, or the ledger was changed. Nothing was decided.',
};

const SUPERSEDED: Refusal = {
	status: 200,
	title: 'This request has changed',
	text: 'What was to be approved is not the same any more, and it is asked anew. Use the newer link. Nothing was decided with this one.',
};

const NOT_HERE: Refusal = {
	status: 403,
	title: 'This link belongs to another request',
	text: 'Open it again from the message that you got. Nothing was decided.',
};

/** What a link opens: its requests as they are now, and as whom. */
export async function open(
	desk: Desk,
	token: unknown,
): Promise<{ grant: Grant; entries: Entry[] } | { refusal: Refusal }> {
	const grant = readLinkToken(desk.key, token);
	if (!grant) return { refusal: INVALID };
	const requests = requestsOf(desk, grant);
	if (!requests) return { refusal: NOT_HERE };
	const entries: Entry[] = [];
	for (const [request, approval] of await approvalsOf(desk.ledger, requests)) {
		const content = contentIn(approval?.content);
		if (!approval || !content) return { refusal: GONE };
		if (approval.id !== request.id) return { refusal: SUPERSEDED };
		entries.push({ request, approval, content });
	}
	return { grant, entries };
}

/** An execution shows only what it waits for. */
function requestsOf({ waiting }: Desk, { request, batch }: Grant): RequestRef[] | undefined {
	if (batch !== undefined) return waiting && batchOf(waiting) === batch ? waiting : undefined;
	const isHere =
		!waiting ||
		waiting.some(
			({ namespace, key, gate }) =>
				namespace === request.namespace && key === request.key && gate === request.gate,
		);
	return isHere ? [request] : undefined;
}

/** The requests at these gates as they are now. */
export async function approvalsOf(
	ledger: Ledger,
	requests: RequestRef[],
): Promise<Array<[RequestRef, ApprovalRecord | undefined]>> {
	const found = await ledger.get(requests.map(({ namespace, key }) => ({ namespace, key })));
	return requests.map((request, i) => [
		request,
		found[i]?.approvals.find(({ gate }) => gate === request.gate),
	]);
}

/** What the visitor sees of a request, and whether it is theirs to decide. */
export function cardOf({ content, approval }: Entry, { approver }: Grant): Card {
	if (approval.state !== 'pending') return { content, approval, isOpen: false };
	const why = whyNot(content, approval, approver);
	return { content, approval, isOpen: why === undefined, why };
}

function whyNot(
	{ approvers, barred }: Content,
	{ votes }: ApprovalRecord,
	approver?: string,
): string | undefined {
	if (approvers && approver === undefined) {
		return 'Every approver has a link of their own. Open yours to decide.';
	}
	if (approver === undefined) return undefined;
	if (!approvers?.some(({ name }) => name === approver)) return 'You are not one of the approvers.';
	if (barred !== undefined && isSamePerson(barred, approver)) {
		return 'You asked for this yourself, so somebody else has to decide.';
	}
	if (votes.some(({ by }) => by === approver)) return 'Your approval is recorded.';
	return undefined;
}
