import { WORK_KINDS } from '../contract/upkeep';
import type * as contract from '../Ledger';
import { DEFAULTS, type JsonValue, NOTE_KINDS } from '../records';
import type * as rules from '../rules/commands';
import {
	checkDuration,
	checkInteger,
	checkName,
	checkNamespace,
	checkOneOf,
	checkTime,
	readable,
} from '../validate';
import { encodeValue } from '../values';
import { newCall, randomToken } from './calls';
import type { TakeOrder } from './Reads';
import type { RemovalCommand } from './Removals';
import {
	address,
	authorised,
	claimantName,
	held,
	optional,
	stepName,
	visibility,
} from './requests';

/** A command for each kind of request: checked, with defaults filled in, and values as text. */

export type Encode = (value: JsonValue, what: string) => string;

export function encoder(maxValueBytes: number): Encode {
	return (value, what) => encodeValue(value, what, maxValueBytes);
}

function encodeOptional(
	encode: Encode,
	value: JsonValue | undefined,
	what: string,
): string | undefined {
	return optional(value, (present) => encode(present, what));
}

export function beginCommand(request: contract.BeginStepRequest): rules.BeginCommand {
	return {
		kind: 'begin',
		call: newCall(),
		...held(request),
		...stepName(request),
		claimant: claimantName(request.claimant),
		executionId: request.claimant.executionId,
		whenInDoubt: checkOneOf(request.whenInDoubt ?? 'review', 'whenInDoubt', ['review', 'repeat']),
		repeatWithinMs: optional(request.repeatWithinMs, (ms) => checkDuration(ms, 'repeatWithinMs')),
		fingerprint: optional(request.fingerprint, (text) => checkName(text, 'fingerprint')),
	};
}

export function finishCommand(
	request: contract.FinishStepRequest,
	encode: Encode,
): rules.FinishCommand {
	return {
		kind: 'finish',
		...held(request),
		...stepName(request),
		state: checkOneOf(request.state ?? 'done', 'state', ['done', 'failed']),
		output: encodeOptional(encode, request.output, 'output'),
		externalId: optional(request.externalId, (id) => checkName(id, 'external ID')),
		undo: encodeOptional(encode, request.undo, 'undo'),
		error: optional(request.error, readable),
	};
}

export function resolveCommand(
	request: contract.ResolveStepRequest,
	encode: Encode,
): rules.ResolveCommand {
	return {
		kind: 'resolve',
		...address(request),
		...stepName(request),
		by: checkName(request.by, "operator's name"),
		resolution: checkOneOf(request.resolution, 'resolution', ['happened', 'did_not_happen']),
		externalId: optional(request.externalId, (id) => checkName(id, 'external ID')),
		output: encodeOptional(encode, request.output, 'output'),
		reason: optional(request.reason, readable),
	};
}

export function takeUndosCommand(request: contract.TakeUndosRequest): rules.TakeUndosCommand {
	return {
		kind: 'takeUndos',
		...authorised(request),
		visibilityMs: visibility(request),
	};
}

export function undoneCommand(request: contract.UndoneRequest): rules.UndoneCommand {
	return {
		kind: 'markUndone',
		...authorised(request),
		...stepName(request),
		reason: optional(request.reason, readable),
	};
}

export function completeCommand(
	request: contract.CompleteRequest,
	encode: Encode,
): rules.CompleteCommand {
	return {
		kind: 'complete',
		...authorised(request),
		allowFailedSteps: request.allowFailedSteps || undefined,
		result: encodeOptional(encode, request.result, 'result'),
		externalId: optional(request.externalId, (id) => checkName(id, 'external ID')),
		reason: optional(request.reason, readable),
	};
}

export function failCommand(request: contract.FailRequest): rules.FailCommand {
	return {
		kind: 'fail',
		...authorised(request),
		as: checkOneOf(request.as ?? 'failed', 'state', ['failed', 'review']),
		reason: readable(request.reason),
		retryAfterMs: checkDuration(request.retryAfterMs ?? 0, 'retryAfterMs', 0),
	};
}

export function renewCommand(request: contract.RenewRequest): rules.RenewCommand {
	return {
		kind: 'renew',
		...held(request),
		leaseMs: optional(request.leaseMs, (ms) => checkDuration(ms, 'lease')),
	};
}

export function pauseCommand(request: contract.PauseRequest): rules.PauseCommand {
	return {
		kind: 'pause',
		...held(request),
		forMs: optional(request.forMs, (ms) => checkDuration(ms, 'length of the wait', 0)),
	};
}

export function releaseCommand(request: contract.ReleaseRequest): rules.ReleaseCommand {
	return {
		kind: 'release',
		...authorised(request),
		reason: optional(request.reason, readable),
	};
}

export function approvalCommand(
	request: contract.ApprovalRequest,
	encode: Encode,
): rules.ApprovalCommand {
	return {
		kind: 'requestApproval',
		...(request.holder === undefined ? address(request) : held(request as contract.HeldRequest)),
		id: randomToken(),
		gate: checkName(request.gate, 'gate'),
		fingerprint: checkName(request.fingerprint, 'fingerprint'),
		content: encodeOptional(encode, request.content, 'content'),
		required: checkInteger(request.required ?? 1, 'number of approvers', 1, 100),
		expiresInMs: optional(request.expiresInMs, (ms) => checkDuration(ms, 'expiry')),
	};
}

export function decisionCommand(request: contract.DecisionRequest): rules.DecisionCommand {
	return {
		kind: 'decideApproval',
		...address(request),
		gate: checkName(request.gate, 'gate'),
		approvalId: checkName(request.approvalId, 'approval ID'),
		decision: checkOneOf(request.decision, 'decision', ['approved', 'rejected']),
		by: checkName(request.by, 'name of the approver'),
		comment: optional(request.comment, readable),
	};
}

export function noteCommand(request: contract.NoteRequest): rules.NoteCommand {
	return {
		kind: 'noteApproval',
		...address(request),
		gate: checkName(request.gate, 'gate'),
		approvalId: checkName(request.approvalId, 'approval ID'),
		note: checkOneOf(request.kind, 'kind of note', NOTE_KINDS),
		by: checkName(request.by, 'name of the approver'),
		reason: optional(request.reason, readable),
		limit: checkInteger(request.limit, 'limit', 1, 20),
	};
}

export function takeCommand(request: contract.TakeRequest): TakeOrder {
	return {
		kinds: [...new Set(request.kinds)].map((kind) => checkOneOf(kind, 'kind of work', WORK_KINDS)),
		namespace: optional(request.namespace, checkNamespace),
		visibilityMs: visibility(request),
		minAgeMs: checkDuration(request.minAgeMs ?? 0, 'minAgeMs', 0),
		minAttempts: checkInteger(request.minAttempts ?? 0, 'minimum number of attempts', 0, 1e6),
		backoffMs: checkDuration(request.backoffMs ?? 0, 'backoffMs', 0),
		maxBackoffMs: checkDuration(request.maxBackoffMs ?? DEFAULTS.maxBackoffMs, 'maxBackoffMs', 0),
		by: checkName(request.by, 'taker'),
	};
}

export function importCommand(
	request: contract.ImportRequest,
	encode: Encode,
): rules.ImportCommand {
	return {
		...address(request),
		fingerprint: optional(request.fingerprint, (text) => checkName(text, 'fingerprint')),
		result: encodeOptional(encode, request.result, 'result'),
		externalId: optional(request.externalId, (id) => checkName(id, 'external ID')),
		doneAt: optional(request.doneAt, (time) => checkTime(time, 'doneAt')),
		retentionMs: checkDuration(request.retentionMs ?? DEFAULTS.retentionMs, 'retention'),
		call: newCall(),
	};
}

export function removalCommand(request: contract.DeleteRequest): RemovalCommand {
	return {
		...address(request),
		by: checkName(request.by, "operator's name"),
		reason: optional(request.reason, readable),
	};
}
