import { createHmac, timingSafeEqual } from 'node:crypto';

import type { EventAddress } from '../../ledger/records';
import { sha256 } from '../../keys/hash';

/** One request for approval. */
export interface RequestRef extends EventAddress {
	gate: string;
	id: string;
}

/**
 * What a link gives the right to: to see and decide requests as one approver. A link for a page of several names the execution that waits, and
 * all of its requests in one hash; one for a single request names it whole, and so is good wherever it is opened.
 */
export type Grant = { approver?: string } & (
	| { request: RequestRef; batch?: undefined }
	| { request?: undefined; batch: string }
);

/** The hash of requests that are shown on one page, in their order. */
export function batchOf(requests: RequestRef[]): string {
	return sha256(JSON.stringify(requests.map(listed)));
}

/** The part of a link that is signed, and its signature. */
export function linkToken(key: Buffer, { approver, request, batch }: Grant): string {
	const granted = [approver ?? null, batch ?? null, request ? listed(request) : null];
	const text = Buffer.from(JSON.stringify(granted)).toString('base64url');
	return `${text}.${signature(key, 'link', text)}`;
}

/** What a link gives the right to, if it is one of ours, unaltered. */
export function readLinkToken(key: Buffer, token: unknown): Grant | undefined {
	if (typeof token !== 'string' || token.length > 8192) return undefined;
	const [text, given, ...more] = token.split('.');
	if (given === undefined || more.length > 0) return undefined;
	if (!isSame(given, signature(key, 'link', text))) return undefined;
	// Signed, so it is what `linkToken` wrote.
	const [approver, batch, request] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
		string | null,
		string | null,
		[string, string, string, string] | null,
	];
	const by = approver === null ? {} : { approver };
	if (batch !== null) return { ...by, batch };
	if (request === null) return undefined;
	const [namespace, key_, gate, id] = request;
	return { ...by, request: { namespace, key: key_, gate, id } };
}

/**
 * Goes with the form: proves that it is sent by who was shown these very contents with that link. It is good for one decision, because a request
 * takes no more after it.
 */
export function formToken(
	key: Buffer,
	link: string,
	shown: Array<RequestRef & { fingerprint: string }>,
): string {
	const contents = shown.map((request) => [...listed(request), request.fingerprint]);
	return signature(key, 'form', JSON.stringify([link, contents]));
}

export function isSame(one: unknown, other: string): boolean {
	if (typeof one !== 'string') return false;
	const [a, b] = [one, other].map((text) => Buffer.from(text));
	return a.length === b.length && timingSafeEqual(a, b);
}

function listed({ namespace, key, gate, id }: RequestRef): [string, string, string, string] {
	return [namespace, key, gate, id];
}

function signature(key: Buffer, purpose: 'link' | 'form', text: string): string {
	return createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
}
