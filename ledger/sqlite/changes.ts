import type { EventAddress, EventState } from '../records';
import type { WriteReply, WriteStatus } from '../Store';
import { attemptsUsed } from './decideClaim';
import { type ApprovalRow, type EventRow, stateOf, toSummary } from './rows';
import type { Transaction } from './Transaction';

/** What several operations do to events. Who calls these saves the event. */

export function renewLease(tx: Transaction, row: EventRow): void {
	row.state = 'processing';
	row.leaseUntil = row.dueAt = tx.now + row.lease;
}

/** Its values are left to the caller. */
export function end(tx: Transaction, row: EventRow): void {
	row.state = 'done';
	row.doneAt = tx.now;
	row.expiresAt = tx.now + row.retention;
	row.leaseUntil = row.dueAt = row.reason = null;
	tx.countDone(row.namespaceId, 1);
}

/** Without the tally, for claims: they count their outcome, which is `review` too. */
export function toReview(tx: Transaction, row: EventRow, reason: string, by?: string): void {
	row.state = 'review';
	row.reason = reason;
	row.dueAt = tx.now;
	row.leaseUntil = null;
	tx.remember(row, 'review', { by, reason });
}

export function giveUp(
	tx: Transaction,
	row: EventRow,
	command: { as: 'failed' | 'review'; reason: string; retryAfter: number; by?: string },
): void {
	const { as, by, retryAfter } = command;
	const isUsedUp = as === 'failed' && row.attempt - row.attemptsFrom >= row.maxAttempts;
	if (as === 'review' || isUsedUp) {
		const reason = isUsedUp ? attemptsUsed(row.maxAttempts, command.reason) : command.reason;
		toReview(tx, row, reason, by);
		tx.count(row.namespaceId, 'review');
		return;
	}
	row.state = 'failed';
	row.reason = command.reason;
	row.dueAt = tx.now + retryAfter;
	row.leaseUntil = null;
	tx.log(row, 'failed', { by, reason: command.reason });
}

/** A pending gate that this write is the first to find expired. */
export function recordExpiry(tx: Transaction, row: EventRow, approval: ApprovalRow): void {
	if (approval.state !== 'pending' || stateOf(approval, tx.now) === 'pending') return;
	approval.state = 'expired';
	tx.saveApproval(row, approval);
	tx.log(row, 'approval_expired', { gate: approval.gate });
}

/** What a write has found: the event that it may change, or the reply that says why it may not. */
export type Access =
	| { row: EventRow; refusal?: undefined }
	| { row?: undefined; refusal: WriteReply };

/** *Held by a token*: the rule at the top of Store.ts. The event then has a fresh lease. */
export function hold(tx: Transaction, row: EventRow | undefined, token?: string): Access {
	if (!row) return { refusal: { status: 'missing' } };
	if (row.token !== token) return refuse('stale', row);
	if (row.state === 'waiting') {
		const approvals = tx.approvals(row);
		for (const approval of approvals) recordExpiry(tx, row, approval);
		if (approvals.some(({ state }) => state === 'pending')) {
			tx.save(row);
			return refuse('closed', row);
		}
		row.state = 'processing';
		tx.log(row, 'continued');
	}
	if (row.state !== 'processing') return refuse('closed', row);
	renewLease(tx, row);
	return { row };
}

export type Author = EventAddress & { token?: string; by?: string; inState?: EventState };

export function operated(row: EventRow, { inState = row.state }: Author): Access {
	return row.state === inState ? { row } : refuse('closed', row);
}

/** Who may give an event up: its holder, also while it waits, and an operator at any time. */
export function giveable(tx: Transaction, command: Author): Access {
	const row = tx.find(command);
	if (!row) return { refusal: { status: 'missing' } };
	if (command.by !== undefined) return operated(row, command);
	if (row.token !== command.token) return refuse('stale', row);
	if (row.state === 'failed' || row.state === 'review') return refuse('repeated', row);
	if (row.state === 'done') return refuse('closed', row);
	return { row };
}

export function refuse(status: WriteStatus, row: EventRow): { refusal: WriteReply } {
	return { refusal: { status, event: toSummary(row) } };
}
