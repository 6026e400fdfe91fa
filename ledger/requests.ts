import { randomBytes } from 'node:crypto';

import { decodeCursor } from './cursor';
import { InvalidRequestError } from './errors';
import type { AuthorisedRequest, HeldRequest, ListRequest } from './Ledger';
import { type Claimant, EVENT_STATES, type EventAddress, type EventState } from './records';
import { BATCH_LIMIT, type ListQuery } from './Store';
import { checkInteger, checkName, checkNamespace, checkOneOf, checkTime } from './validate';

// From what callers ask for to what a store is told: the parts that several operations share.

const TOKEN_BYTES = 16;
let pool = Buffer.alloc(0);
let used = 0;

/** 128 random bits. The generator is asked for many at once: a call to it costs more than all else that a single claim needs. */
export function randomToken(): string {
	if (used === pool.length) {
		pool = randomBytes(512 * TOKEN_BYTES);
		used = 0;
	}
	return pool.toString('base64url', used, (used += TOKEN_BYTES));
}

/** Same for the same node run and item of an execution; '/' cannot occur in n8n's ids. */
export function claimantName({ executionId, nodeId, runIndex, itemIndex }: Claimant): string {
	checkName(executionId, 'execution ID');
	checkName(nodeId, 'node ID');
	checkInteger(runIndex, 'run index', 0, Number.MAX_SAFE_INTEGER);
	checkInteger(itemIndex, 'item index', 0, Number.MAX_SAFE_INTEGER);
	return `${executionId}/${nodeId}/${runIndex}/${itemIndex}`;
}

export function optional<T, U>(value: T | undefined, map: (value: T) => U): U | undefined {
	return value === undefined ? undefined : map(value);
}

export function address(request: EventAddress): EventAddress {
	return { namespace: checkNamespace(request.namespace), key: checkName(request.key, 'key') };
}

export function held(request: HeldRequest): EventAddress & { token: string } {
	return { ...address(request), token: checkName(request.token, 'token') };
}

export function authorised(
	request: AuthorisedRequest,
): EventAddress & { token?: string; by?: string; inState?: EventState } {
	if ((request.token === undefined) === (request.by === undefined)) {
		throw new InvalidRequestError(
			'The request has to come either from the holder of the claim or from an operator',
			"Give the claim's token, or the operator's name, and not both",
		);
	}
	return {
		...address(request),
		token: optional(request.token, (token) => checkName(token, 'token')),
		by: optional(request.by, (by) => checkName(by, "operator's name")),
		inState: optional(request.inState, (state) => checkOneOf(state, 'state', EVENT_STATES)),
	};
}

export function listQuery(request: ListRequest): ListQuery {
	const { namespace, state, executionId, fingerprint, keyPrefix } = request;
	if (namespace === undefined && (fingerprint !== undefined || keyPrefix !== undefined)) {
		throw new InvalidRequestError(
			'A search by fingerprint or start of key needs a namespace',
			'Give the namespace',
		);
	}
	const byKey = executionId !== undefined || fingerprint !== undefined || keyPrefix !== undefined;
	const query: ListQuery = {
		namespace: optional(namespace, checkNamespace),
		state: optional(state, (value) => checkOneOf(value, 'state', EVENT_STATES)),
		executionId: optional(executionId, (id) => checkName(id, 'execution ID')),
		fingerprint: optional(fingerprint, (text) => checkName(text, 'fingerprint')),
		keyPrefix: optional(keyPrefix, (text) => checkName(text, 'start of the key')),
		createdAfter: optional(request.createdAfter, (time) => checkTime(time, 'createdAfter')),
		createdBefore: optional(request.createdBefore, (time) => checkTime(time, 'createdBefore')),
		limit: checkInteger(request.limit ?? 50, 'limit', 1, BATCH_LIMIT),
		order: byKey ? 'key' : state !== undefined && state !== 'done' ? 'due' : 'created',
	};
	return { ...query, after: optional(request.cursor, (cursor) => decodeCursor(query, cursor)) };
}
