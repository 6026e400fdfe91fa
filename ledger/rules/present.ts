import type { ClaimError } from '../errors';
import type { ItemResult } from '../Ledger';
import type {
	ApprovalRecord,
	ApprovalState,
	EventRecord,
	EventSummary,
	StepRecord,
} from '../records';
import { NEVER } from '../stores/RecordStore';
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
	const { position, claimant, call, undoUntil, undoAttempt, output, undo, ...rest } = step;
	const shown = withoutHoles<StepRecord>(rest);
	if (output !== undefined) shown.output = decodeValue(output);
	if (undo !== undefined) shown.undo = decodeValue(undo);
	return shown;
}

export function approvalRecord(
	approval: Approval,
	content: string | undefined,
	now: number,
): ApprovalRecord {
	const { notes, ...rest } = approval;
	const shown = withoutHoles<ApprovalRecord>({ ...rest, state: stateOf(approval, now) });
	if (content !== undefined) shown.content = decodeValue(content);
	return shown;
}

/** As it is when it was read: a field without a value is left out. */
function withoutHoles<T extends object>(fields: T): T {
	const shown: Partial<T> = {};
	for (const name in fields) if (fields[name] !== undefined) shown[name] = fields[name];
	return shown as T;
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
