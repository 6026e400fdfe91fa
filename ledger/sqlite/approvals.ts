import type { DecisionResult } from '../Ledger';
import {
	type ApprovalCommand,
	type ApprovalReply,
	type DecisionCommand,
	type DecisionReply,
	NEVER,
	type NoteCommand,
	type NoteReply,
} from '../Store';
import type { HistoryEntry } from '../records';
import { recordExpiry, refuse, renewLease } from './changes';
import {
	type ApprovalRow,
	type EventRow,
	historyOf,
	stateOf,
	toApproval,
	toSummary,
	votesOf,
} from './rows';
import type { Transaction } from './Transaction';

export function requestApproval(tx: Transaction, command: ApprovalCommand): ApprovalReply {
	const row = tx.find(command);
	if (!row) return { status: 'missing' };
	const isHolder = command.token !== undefined;
	if (isHolder && row.token !== command.token) return refuse('stale', row).refusal;
	if (isHolder && row.state !== 'processing' && row.state !== 'waiting') {
		return refuse('closed', row).refusal;
	}

	const found = gateOf(tx, row, command.gate);
	const isRepetition = found?.id === command.id;
	const isAsked = found && found.state !== 'expired' && found.fingerprint === command.fingerprint;
	const approval = isRepetition || isAsked ? found : ask(tx, row, command, found);
	if (isHolder && approval.state === 'pending') {
		row.state = 'waiting';
		row.leaseUntil = null;
		row.dueAt = nextExpiry(tx, row);
	}
	tx.save(row);
	return {
		status: 'ok',
		isNew: isRepetition || !isAsked,
		approval: toApproval(approval, tx.now),
		event: toSummary(row),
	};
}

/** The gate as it is now: the expiry that this write meets is recorded. */
function gateOf(tx: Transaction, row: EventRow, gate: string): ApprovalRow | undefined {
	const approval = tx.approvals(row).find((candidate) => candidate.gate === gate);
	if (approval) recordExpiry(tx, row, approval);
	return approval;
}

function ask(
	tx: Transaction,
	row: EventRow,
	command: ApprovalCommand,
	previous?: ApprovalRow,
): ApprovalRow {
	const approval: ApprovalRow = {
		gate: command.gate,
		id: command.id,
		state: 'pending',
		fingerprint: command.fingerprint,
		content: command.content ?? null,
		required: command.required,
		votes: '[]',
		requestedAt: tx.now,
		expiresAt: command.expiresIn === undefined ? null : tx.now + command.expiresIn,
		decidedAt: null,
		decidedBy: null,
		comment: null,
		previousFingerprint: previous?.fingerprint ?? null,
		previousState: previous?.state ?? null,
	};
	tx.saveApproval(row, approval);
	tx.log(row, 'approval_requested', { gate: command.gate });
	return approval;
}

export function decide(tx: Transaction, command: DecisionCommand): DecisionReply {
	const row = tx.find(command);
	const approval = row && gateOf(tx, row, command.gate);
	if (!approval) return { outcome: 'unknown' };
	const outcome = vote(tx, row, approval, command);
	tx.save(row);
	return { outcome, approval: toApproval(approval, tx.now) };
}

function vote(
	tx: Transaction,
	row: EventRow,
	approval: ApprovalRow,
	command: DecisionCommand,
): DecisionResult['outcome'] {
	if (approval.id !== command.approvalId) return 'superseded';
	const isDecided = approval.state === 'approved' || approval.state === 'rejected';
	const votes = votesOf(approval);
	const index = votes.findIndex(({ id }) => id === command.voteId);
	// No vote is taken after the one that decided.
	if (index >= 0) return isDecided && index === votes.length - 1 ? 'decided' : 'voted';
	if (isDecided) return 'already_decided';
	if (approval.state === 'expired') return 'expired';

	const { voteId, decision, by, comment, gate } = command;
	const isAgain = votes.some((earlier) => earlier.by === by && earlier.decision === decision);
	if (isAgain) return 'voted';
	votes.push({ id: voteId, by, decision, at: tx.now, comment });
	approval.votes = JSON.stringify(votes);
	const approvers = new Set(votes.map((counted) => counted.by)).size;
	const decides = decision === 'rejected' || approvers >= approval.required;
	if (decides) {
		approval.state = decision;
		approval.decidedAt = tx.now;
		approval.decidedBy = by;
		approval.comment = comment ?? null;
	}
	tx.saveApproval(row, approval);
	tx.log(row, decides ? decision : 'vote', { gate, by, reason: comment });
	if (decides && row.state === 'waiting') {
		if (pendingGates(tx, row).length === 0) renewLease(tx, row);
		else row.dueAt = nextExpiry(tx, row);
	}
	return decides ? 'decided' : 'voted';
}

function pendingGates(tx: Transaction, row: EventRow): ApprovalRow[] {
	return tx.approvals(row).filter((approval) => stateOf(approval, tx.now) === 'pending');
}

/** When the first of the pending gates expires. */
function nextExpiry(tx: Transaction, row: EventRow): number {
	return Math.min(...pendingGates(tx, row).map(({ expiresAt }) => expiresAt ?? NEVER));
}

export function note(tx: Transaction, command: NoteCommand): NoteReply {
	const { gate, approvalId, kind, by, reason, limit } = command;
	const row = tx.find(command);
	const approval = row && tx.approvals(row).find((candidate) => candidate.gate === gate);
	if (approval?.id !== approvalId) return { noted: false };
	const ofGate = (JSON.parse(historyOf(row!)) as HistoryEntry[]).filter(
		(entry) => entry.gate === gate,
	);
	const asked = ofGate.map((entry) => entry.kind).lastIndexOf('approval_requested');
	const same = ofGate.slice(asked + 1).filter((entry) => entry.kind === kind && entry.by === by);
	if (same.length >= limit) return { noted: false };
	tx.log(row!, kind, { gate, by, reason });
	tx.save(row!);
	return { noted: true };
}
