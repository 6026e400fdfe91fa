import { type ClaimOutcome, WINNING_OUTCOMES, type WinningOutcome } from '../records';
import type { ClaimCommand, ClaimReply } from '../Store';
import { end, toReview } from './changes';
import { decideClaim } from './decideClaim';
import { type EventRow, historyOf } from './rows';
import type { Transaction } from './Transaction';

/**
 * A claim that is new and nothing else, by one statement, which is a transaction in itself; it leaves the event fresh. Nothing if
 * there is more to it.
 */
export function claimFresh(tx: Transaction, command: ClaimCommand): ClaimReply | undefined {
	const isOrdered = command.object !== undefined;
	const isKnown = tx.namespaces.find(command.namespace) !== undefined;
	if (isOrdered || !isKnown || !insert(tx, command, 1)) return undefined;
	return { outcome: 'new', now: tx.now, ...sameContent(tx, command) };
}

/** Most events are new, so that is tried first: one insert decides it, and only a conflict has to read. */
export function claim(tx: Transaction, command: ClaimCommand): ClaimReply {
	const isBehind = isBehindMark(tx, command);
	if (!isBehind && insert(tx, command)) return wonNew(tx, command);

	const found = tx.find(command);
	if (found) return claimFound(tx, command, found, isBehind);
	if (isBehind) {
		tx.count(tx.namespaces.findOrAdd(command.namespace), 'stale');
		return { outcome: 'stale', now: tx.now };
	}
	tx.removeExpired(command);
	insert(tx, command);
	return wonNew(tx, command);
}

function claimFound(
	tx: Transaction,
	command: ClaimCommand,
	found: EventRow,
	isBehind: boolean,
): ClaimReply {
	const decision = decideClaim(found, command, isBehind, tx.now);
	if (decision.act !== 'repeat' && !isBehind) raiseMark(tx, command);
	switch (decision.act) {
		case 'repeat':
			return reply(tx, command, found, decision.outcome);
		case 'win':
			win(tx, command, found, decision.outcome);
			return reply(tx, command, found, decision.outcome);
		case 'turnAway':
			turnAway(tx, found, decision.outcome);
			tx.sql.saveDuplicate.run(found.id, found.duplicates, found.lastSeenAt);
			return reply(tx, command, found, decision.outcome);
		case 'supersede':
			end(tx, found);
			if (!found.keepInput) tx.sql.dropInput.run(found.id);
			tx.log(found, 'superseded');
			turnAway(tx, found, 'stale');
			tx.save(found);
			return reply(tx, command, found, 'stale');
		case 'review':
			toReview(tx, found, decision.reason);
			turnAway(tx, found, 'review');
			tx.save(found);
			return reply(tx, command, found, 'review');
	}
}

/** Returns whether there was no record in the way. */
function insert(tx: Transaction, command: ClaimCommand, fresh: 0 | 1 = 0): boolean {
	const { changes } = tx.sql.insertClaim.run(
		tx.namespaces.findOrAdd(command.namespace),
		command.key,
		command.token,
		command.claimant,
		command.executionId,
		command.workflowId ?? null,
		command.fingerprint ?? null,
		command.lease,
		command.retention,
		command.maxAttempts,
		command.keepInput ? 1 : 0,
		command.input ?? null,
		tx.now,
		tx.now + command.lease,
		fresh,
	);
	return changes === 1;
}

function wonNew(tx: Transaction, command: ClaimCommand): ClaimReply {
	raiseMark(tx, command);
	tx.count(tx.namespaces.findOrAdd(command.namespace), 'new');
	return { outcome: 'new', now: tx.now, ...sameContent(tx, command) };
}

function win(tx: Transaction, command: ClaimCommand, row: EventRow, outcome: WinningOutcome): void {
	// First, because it may be in columns that change now.
	row.history = historyOf(row);
	row.state = 'processing';
	row.token = command.token;
	row.claimant = command.claimant;
	row.executionId = command.executionId;
	row.workflowId = command.workflowId ?? null;
	row.fingerprint = command.fingerprint ?? row.fingerprint;
	row.outcome = outcome;
	row.attempt++;
	row.claimedAt = tx.now;
	row.lease = command.lease;
	row.retention = command.retention;
	row.maxAttempts = command.maxAttempts;
	row.keepInput = command.keepInput ? 1 : 0;
	row.leaseUntil = row.dueAt = tx.now + command.lease;
	row.reason = null;
	tx.log(row, outcome);
	tx.saveClaim(row, command.input);
}

function turnAway(tx: Transaction, row: EventRow, outcome: ClaimOutcome): void {
	row.duplicates++;
	row.lastSeenAt = tx.now;
	tx.count(row.namespaceId, outcome);
}

function reply(
	tx: Transaction,
	command: ClaimCommand,
	row: EventRow,
	outcome: ClaimOutcome,
): ClaimReply {
	const steps = tx.steps(row);
	return {
		outcome,
		// A repeated `new` stands for the event as it was made.
		...(outcome === 'new'
			? { now: row.createdAt }
			: { now: tx.now, event: tx.eventWithResult(row) }),
		...(steps.length > 0 && { steps }),
		...(isWinning(outcome) && sameContent(tx, command)),
	};
}

function isWinning(outcome: ClaimOutcome): boolean {
	return (WINNING_OUTCOMES as readonly ClaimOutcome[]).includes(outcome);
}

function sameContent(tx: Transaction, command: ClaimCommand): { sameContentAs?: string } {
	const { namespace, key, fingerprint, findSameContent } = command;
	if (!findSameContent || fingerprint === undefined) return {};
	const namespaceId = tx.namespaces.findOrAdd(namespace);
	const other = tx.sql.findSameContent.get(namespaceId, fingerprint, key, tx.now);
	return other ? { sameContentAs: other.key as string } : {};
}

function isBehindMark(tx: Transaction, { namespace, object, version }: ClaimCommand): boolean {
	if (object === undefined || version === undefined) return false;
	const mark = tx.sql.findMark.get(tx.namespaces.findOrAdd(namespace), object, tx.now);
	return mark !== undefined && (mark.version as number) > version;
}

/** Only for versions that are not behind it. */
function raiseMark(tx: Transaction, { namespace, object, version, retention }: ClaimCommand): void {
	if (object === undefined || version === undefined) return;
	const namespaceId = tx.namespaces.findOrAdd(namespace);
	tx.sql.putMark.run(namespaceId, object, version, tx.now + retention);
}
