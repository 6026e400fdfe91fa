import type { ApprovalResult, DecisionResult, ItemResult, NoteResult } from '../Ledger';
import { askable } from './authority';
import type { ApprovalCommand, DecisionCommand, NoteCommand } from './commands';
import { Draft, unchanged } from './Draft';
import type { Approval, Decision, Event, Found } from './Event';
import { approvalRecord, ok, refused } from './present';
import { hasPendingGate, nextExpiry, recordExpiries, renewLease } from './transitions';

/**
 * Pending, approved or rejected with the same fingerprint → that one. Else the command's request is stored, with the previous fingerprint
 * and state. By the holder, with a pending gate: the event is `waiting`, without lease, due when its first pending gate expires.
 */
export function requestApproval(
	found: Found,
	command: ApprovalCommand,
	now: number,
): Decision<ItemResult<ApprovalResult>> {
	const { draft, refusal } = askable(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const { event } = draft;
	recordExpiries(draft, command.gate);
	const previous = gateOf(event, command.gate);
	const isAsked =
		previous !== undefined &&
		previous.state !== 'expired' &&
		previous.fingerprint === command.fingerprint;
	const approval = isAsked ? previous : ask(draft, command, previous);
	if (command.holder !== undefined && approval.state === 'pending') {
		event.state = 'waiting';
		event.leaseUntil = undefined;
		event.isPaused = undefined;
		event.dueAt = nextExpiry(event, now);
	}
	const content = isAsked ? found.contents.get(command.gate) : command.content;
	return draft.decide(ok({ isNew: !isAsked, approval: approvalRecord(approval, content, now) }));
}

function ask(draft: Draft, command: ApprovalCommand, previous: Approval | undefined): Approval {
	const { event, now } = draft;
	const { gate, id, fingerprint, required, content, expiresInMs } = command;
	const approval: Approval = {
		id,
		gate,
		state: 'pending',
		fingerprint,
		required,
		votes: [],
		requestedAt: now,
		expiresAt: expiresInMs === undefined ? undefined : now + expiresInMs,
		previousFingerprint: previous?.fingerprint,
		previousState: previous?.state,
	};
	putGate(event, approval);
	draft.contents.push({ gate, content });
	draft.log('approval_requested', { gate });
	return approval;
}

/**
 * No event or gate → `unknown`; another id → `superseded`; not pending → `already_decided` or `expired`; approved by the same person
 * before → `voted`, nothing changes. Else the vote is kept: `rejected` decides; `approved` decides when `required` different people have
 * approved. A decision ends the wait of an event that has no other pending gate.
 */
export function decideApproval(
	found: Found,
	command: DecisionCommand,
	now: number,
): Decision<DecisionResult> {
	const { gate } = command;
	if (!found.event || !gateOf(found.event, gate))
		return unchanged<DecisionResult>({ outcome: 'unknown' });
	const draft = new Draft(found.event, now);
	recordExpiries(draft, gate);
	const outcome = vote(draft, gateOf(draft.event, gate)!, command);
	const approval = approvalRecord(gateOf(draft.event, gate)!, found.contents.get(gate), now);
	const reply: DecisionResult = { outcome, approval };
	return draft.history.length > 0 ? draft.decide(reply) : unchanged(reply);
}

function vote(
	draft: Draft,
	approval: Approval,
	command: DecisionCommand,
): DecisionResult['outcome'] {
	const { event, now } = draft;
	const { gate, by, decision, comment } = command;
	if (approval.id !== command.approvalId) return 'superseded';
	if (approval.state === 'expired') return 'expired';
	if (approval.state !== 'pending') return 'already_decided';
	if (approval.votes.some((earlier) => earlier.by === by && earlier.decision === decision))
		return 'voted';
	const votes = [
		...approval.votes,
		{ by, decision, at: now, ...(comment !== undefined && { comment }) },
	];
	const decides =
		decision === 'rejected' ||
		new Set(votes.map((counted) => counted.by)).size >= approval.required;
	const decided = { state: decision, decidedAt: now, decidedBy: by, comment };
	putGate(event, { ...approval, votes, ...(decides && decided) });
	draft.log(decides ? decision : 'vote', { gate, by, reason: comment });
	if (decides && event.state === 'waiting' && !event.isPaused) {
		if (hasPendingGate(event, now)) event.dueAt = nextExpiry(event, now);
		else renewLease(draft);
	}
	return decides ? 'decided' : 'voted';
}

/** Counted on the request, not in the history, which forgets: nobody can push earlier tries out of it. */
export function noteApproval(
	found: Found,
	command: NoteCommand,
	now: number,
): Decision<NoteResult> {
	const { gate, approvalId, note, by, reason, limit } = command;
	const approval = found.event && gateOf(found.event, gate);
	const counter = `${note} ${by}`;
	const times = approval?.notes?.[counter] ?? 0;
	if (!found.event || approval?.id !== approvalId || times >= limit)
		return unchanged({ noted: false });
	const draft = new Draft(found.event, now);
	putGate(draft.event, { ...approval, notes: { ...approval.notes, [counter]: times + 1 } });
	draft.log(note, { gate, by, reason });
	return draft.decide({ noted: true });
}

function gateOf({ approvals }: Event, gate: string): Approval | undefined {
	return approvals.find((approval) => approval.gate === gate);
}

/** In the place of its predecessor, or at the end. */
function putGate(event: Event, approval: Approval): void {
	const index = event.approvals.findIndex(({ gate }) => gate === approval.gate);
	event.approvals = [...event.approvals];
	event.approvals[index === -1 ? event.approvals.length : index] = approval;
}
