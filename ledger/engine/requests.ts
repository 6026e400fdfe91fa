import { InvalidNameError, InvalidRequestError } from '../errors';
import { decodeCursor } from '../cursor';
import type { ClaimRequest, HeldRequest, ListRequest, StepName } from '../Ledger';
import {
	type Claimant,
	DEFAULTS,
	EVENT_STATES,
	type EventAddress,
	type EventState,
	type Holder,
	type JsonValue,
	STOPPED_POLICIES,
} from '../records';
import type { Author, ClaimCommand } from '../rules/commands';
import { BATCH_LIMIT, type RecordQuery } from '../stores/RecordStore';
import {
	checkDuration,
	checkFinite,
	checkInteger,
	checkName,
	checkNamespace,
	checkOneOf,
	checkTime,
} from '../validate';
import { newCall } from './calls';

/** From what callers ask for to what the rules are told: the parts that several operations share. */

export function optional<T, U>(value: T | undefined, map: (value: T) => U): U | undefined {
	return value === undefined ? undefined : map(value);
}

export function address(request: EventAddress): EventAddress {
	return { namespace: checkNamespace(request.namespace), key: checkName(request.key, 'key') };
}

export function holder({ instance, executionId, nonce }: Holder): Holder {
	return {
		instance: checkName(instance, 'instance'),
		executionId: checkName(executionId, 'execution ID'),
		nonce: checkName(nonce, 'nonce of the execution'),
	};
}

/** The same for one node run and item of an execution; '/' cannot occur in n8n's ids. */
export function claimantName({ executionId, nodeId, runIndex, itemIndex }: Claimant): string {
	checkName(executionId, 'execution ID');
	checkName(nodeId, 'node ID');
	checkInteger(runIndex, 'run index', 0, Number.MAX_SAFE_INTEGER);
	checkInteger(itemIndex, 'item index', 0, Number.MAX_SAFE_INTEGER);
	return `${executionId}/${nodeId}/${runIndex}/${itemIndex}`;
}

export function held(
	request: HeldRequest,
): EventAddress & Required<Pick<Author, 'holder' | 'attempt'>> {
	return {
		...address(request),
		holder: holder(request.holder),
		attempt: checkInteger(request.attempt, 'attempt', 0, Number.MAX_SAFE_INTEGER),
	};
}

type Authorised = EventAddress & Author;

export function authorised(request: Authorised): Authorised {
	const { by, inState } = request;
	if ((request.holder === undefined) === (by === undefined)) {
		throw new InvalidRequestError(
			'The request has to come either from the holder of the claim or from an operator',
			"Give the claim's holder and attempt, or the operator's name, and not both",
		);
	}
	if (by === undefined) return held(request as HeldRequest);
	return {
		...address(request),
		by: checkName(by, "operator's name"),
		inState: optional(inState, (state) => checkOneOf(state, 'state', EVENT_STATES)),
	};
}

/** Both together have to fit into one index entry of every store, also in scripts with three bytes a character. */
const STEP_BYTES = 2048;

export function stepName({ step, row }: StepName): StepName {
	checkName(step, 'step');
	if (row === undefined) return { step };
	checkName(row, 'row ID');
	const bytes = Buffer.byteLength(step) + Buffer.byteLength(row);
	if (bytes > STEP_BYTES) {
		throw new InvalidNameError(
			`The step and its row ID have ${bytes} bytes together; the limit is ${STEP_BYTES}`,
			'Use a shorter row ID, or a hash of it',
		);
	}
	return { step, row };
}

export function visibility({
	visibilityMs = DEFAULTS.visibilityMs,
}: {
	visibilityMs?: number;
}): number {
	return checkDuration(visibilityMs, 'visibility time-out');
}

/** Makes nothing but the command: memory that a batch of a thousand takes on the way is time. */
export function claimCommand(
	request: ClaimRequest,
	encode: (value: JsonValue, what: string) => string,
): ClaimCommand {
	const { claimant, actsFor, workflowId, owner, fingerprint, alias, ordering, input } = request;
	return {
		namespace: checkNamespace(request.namespace),
		key: checkName(request.key, 'key'),
		holder: holder(claimant),
		claimant: claimantName(claimant),
		actsFor: actsFor === undefined ? undefined : holder(actsFor),
		workflowId: workflowId === undefined ? undefined : checkName(workflowId, 'workflow ID'),
		owner: owner === undefined ? undefined : checkName(owner, 'owner'),
		fingerprint: fingerprint === undefined ? undefined : checkName(fingerprint, 'fingerprint'),
		alias: alias === undefined ? undefined : checkName(alias, 'alias'),
		leaseMs: checkDuration(request.leaseMs ?? DEFAULTS.leaseMs, 'lease'),
		retentionMs: checkDuration(request.retentionMs ?? DEFAULTS.retentionMs, 'retention'),
		maxAttempts: checkInteger(
			request.maxAttempts ?? DEFAULTS.maxAttempts,
			'maximum number of attempts',
			1,
			1000,
		),
		onStopped: checkOneOf(request.onStopped ?? DEFAULTS.onStopped, 'policy', STOPPED_POLICIES),
		input: input === undefined ? undefined : encode(input, 'input'),
		keepInput: request.keepInput || undefined,
		object: ordering && checkName(ordering.object, 'object'),
		version: ordering && checkFinite(ordering.version, 'version'),
		findSameContent: (request.findSameContent && fingerprint !== undefined) || undefined,
		call: newCall(),
	};
}

/** What a list asks the store for, and what is left for us to look at. */
export interface ListPlan {
	query: RecordQuery;
	/** Only events whose lease is over. */
	isStuck: boolean;
}

export function listPlan(request: ListRequest): ListPlan {
	const { namespace, state, executionId, fingerprint, externalId, keyPrefix, keyPart } = request;
	if (namespace === undefined && (fingerprint !== undefined || keyPrefix !== undefined)) {
		throw new InvalidRequestError(
			'A search by fingerprint or start of key needs a namespace',
			'Give the namespace',
		);
	}
	const names = [executionId, fingerprint, externalId, keyPrefix, keyPart];
	const isByKey = names.some((name) => name !== undefined);
	const isStuck = state === 'stuck';
	const query: RecordQuery = {
		namespace: optional(namespace, checkNamespace),
		state: isStuck ? 'processing' : optional(state as EventState | undefined, checkState),
		executionId: optional(executionId, (id) => checkName(id, 'execution ID')),
		fingerprint: optional(fingerprint, (text) => checkName(text, 'fingerprint')),
		externalId: optional(externalId, (id) => checkName(id, 'external ID')),
		keyPrefix: optional(keyPrefix, (text) => checkName(text, 'start of the key')),
		keyPart: optional(keyPart, (text) => checkName(text, 'part of the key')),
		createdAfter: optional(request.createdAfter, (time) => checkTime(time, 'createdAfter')),
		createdBefore: optional(request.createdBefore, (time) => checkTime(time, 'createdBefore')),
		limit: checkInteger(request.limit ?? 50, 'limit', 1, BATCH_LIMIT),
		order: isByKey ? 'key' : state !== undefined && state !== 'done' ? 'due' : 'created',
	};
	const after = optional(request.cursor, (cursor) => decodeCursor(query, cursor));
	return { query: { ...query, after }, isStuck };
}

function checkState(state: unknown): EventState {
	return checkOneOf(state, 'state', EVENT_STATES);
}
