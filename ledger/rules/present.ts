import type { ClaimError } from '../errors';
import type { ItemResult } from '../Ledger';
import {
	type ApprovalRecord,
	type ApprovalState,
	type EventRecord,
	type EventSummary,
	NEVER,
	type StepRecord,
} from '../records';
import { decodeValue } from '../values';
import type { Approval, Event, Found, Step } from './Event';

/** What everybody may see of an event. One list, so that a field of the rules cannot slip out. */
const SUMMARY_FIELDS = [
	'namespace',
	'key',
	'state',
	'attempt',
	'maxAttempts',
	'fingerprint',
	'executionId',
	'workflowId',
	'createdAt',
	'claimedAt',
	'leaseUntil',
	'dueAt',
	'doneAt',
	'expiresAt',
	'duplicates',
	'lastSeenAt',
	'conflicts',
	'reason',
	'externalId',
	'owner',
	'alias',
] as const satisfies ReadonlyArray<keyof EventSummary>;

/** Fails to compile when a field of the summary is missing in the list. */
type Missing = Exclude<keyof EventSummary, (typeof SUMMARY_FIELDS)[number]>;
const complete: Missing extends never ? true : Missing = true;
void complete;

export function summary(event: Event): EventSummary {
	const shown: Partial<Record<string, unknown>> = {};
	for (const name of SUMMARY_FIELDS) {
		const value = event[name];
		if (value !== undefined && value !== NEVER) shown[name] = value;
	}
	return shown as unknown as EventSummary;
}

export function eventRecord(
	event: Event,
	values: { input?: string; result?: string },
): EventRecord {
	const { input, result } = values;
	return {
		...summary(event),
		...(input !== undefined && { input: decodeValue(input) }),
		...(result !== undefined && { result: decodeValue(result) }),
	};
}

export function stepRecord(step: Step): StepRecord {
	const { output, undo } = step;
	const shown = without(step, 'position', 'claimant', 'call', 'undoUntil', 'undoAttempt');
	return {
		...shown,
		...(output !== undefined && { output: decodeValue(output) }),
		...(undo !== undefined && { undo: decodeValue(undo) }),
	};
}

export function approvalRecord(
	approval: Approval,
	content: string | undefined,
	now: number,
): ApprovalRecord {
	return {
		...without(approval, 'notes'),
		state: stateOf(approval, now),
		...(content !== undefined && { content: decodeValue(content) }),
	};
}

/** Without these fields, and as when it is read: a field without a value is left out. */
function without<T extends object, K extends keyof T>(fields: T, ...hidden: K[]): Omit<T, K> {
	const shown: Partial<T> = {};
	for (const name in fields) if (fields[name] !== undefined) shown[name] = fields[name];
	for (const name of hidden) delete shown[name];
	return shown as Omit<T, K>;
}

/** A pending gate is expired as soon as its time is over, whether or not that is recorded yet. */
export function stateOf({ state, expiresAt }: Approval, now: number): ApprovalState {
	return state === 'pending' && expiresAt !== undefined && expiresAt <= now ? 'expired' : state;
}

export function stepsInOrder({ steps }: Pick<Found, 'steps'>): Step[] {
	return [...steps.values()].sort((a, b) => a.position - b.position);
}

export function ok<T>(value: T): ItemResult<T> {
	return { ok: true, value };
}

export function refused<T>(error: ClaimError): ItemResult<T> {
	return { ok: false, error };
}
