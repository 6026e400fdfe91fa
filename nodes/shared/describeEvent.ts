import type { IDataObject } from 'n8n-workflow';

import type {
	ApprovalRecord,
	ConflictRecord,
	EventDetails,
	EventRecord,
	EventSummary,
	HistoryEntry,
	StepRecord,
} from '../../ledger/records';
import { describeStep } from './describeStep';
import { executionUrl, iso, type WithBaseUrl } from './execution';

/** An event as people and expressions read it: times as text, and where to look at its execution. */
export function describeEvent(node: WithBaseUrl, event: EventSummary | EventRecord): IDataObject {
	const { input, result } = event as EventRecord;
	return compact({
		namespace: event.namespace,
		key: event.key,
		alias: event.alias,
		state: event.state,
		reason: event.reason,
		attempt: event.attempt,
		maxAttempts: event.maxAttempts,
		duplicates: event.duplicates,
		conflicts: event.conflicts,
		externalId: event.externalId,
		fingerprint: event.fingerprint,
		workflowId: event.workflowId,
		executionId: event.executionId,
		executionUrl: executionUrl(node, event.workflowId, event.executionId),
		createdAt: iso(event.createdAt),
		claimedAt: iso(event.claimedAt),
		leaseUntil: iso(event.leaseUntil),
		dueAt: iso(event.dueAt),
		doneAt: iso(event.doneAt),
		expiresAt: iso(event.expiresAt),
		lastSeenAt: iso(event.lastSeenAt),
		input,
		result,
	});
}

/** The event with all that belongs to it. */
export function describeDetails(
	node: WithBaseUrl,
	{ event, steps, approvals, conflicts }: EventDetails,
	history?: HistoryEntry[],
): IDataObject {
	return {
		...describeEvent(node, event),
		steps: steps.map(describeNamedStep),
		approvals: approvals.map(describeApproval),
		conflictingDeliveries: conflicts.map(describeConflict),
		...(history && { history: history.map(describeEntry) }),
	};
}

export function describeNamedStep(step: StepRecord): IDataObject {
	return compact({
		name: step.name,
		row: step.row,
		...describeStep(step),
		undo: step.undo,
		error: step.error,
		attempt: step.attempt,
		tries: step.tries,
		executionId: step.executionId,
		startedAt: iso(step.startedAt),
	});
}

export function describeEntry({ at, ...entry }: HistoryEntry): IDataObject {
	return { at: iso(at), ...entry };
}

function describeApproval(approval: ApprovalRecord): IDataObject {
	return compact({
		gate: approval.gate,
		state: approval.state,
		required: approval.required,
		votes: approval.votes.map(({ at, ...vote }) => ({ ...vote, at: iso(at) })),
		requestedAt: iso(approval.requestedAt),
		expiresAt: iso(approval.expiresAt),
		decidedAt: iso(approval.decidedAt),
		decidedBy: approval.decidedBy,
		comment: approval.comment,
	});
}

function describeConflict({ at, ...conflict }: ConflictRecord): IDataObject {
	return compact({ at: iso(at), ...conflict });
}

function compact(fields: object): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
