import {
	type CompleteCommand,
	type FailByExecutionCommand,
	type FailCommand,
	type ReleaseCommand,
	type RenewCommand,
	type TakeCommand,
	type StoredDetails,
	type WriteReply,
} from '../Store';
import { type Access, end, giveable, giveUp, hold, operated, refuse, renewLease } from './changes';
import { dueBy } from './lists';
import { type EventRow, toSummary } from './rows';
import type { Transaction } from './Transaction';

export function complete(tx: Transaction, command: CompleteCommand): WriteReply {
	const found = tx.find(command);
	const isOperator = command.by !== undefined;
	if (found?.state === 'done' && (isOperator || found.token === command.token)) {
		const { result } = tx.values(found);
		return { status: 'repeated', event: toSummary(found), ...(result !== undefined && { result }) };
	}
	const { row, refusal }: Access =
		isOperator && found ? operated(found, command) : hold(tx, found, command.token);
	if (!row) return refusal;
	const unfinished = isOperator ? [] : tx.sql.findUnfinished.all(row.id);
	if (unfinished.length > 0) {
		tx.save(row);
		const steps = unfinished.map(({ name }) => name as string);
		return { ...refuse('unfinished', row).refusal, steps };
	}
	end(tx, row);
	tx.sql.saveResult.run(row.id, command.result ?? null);
	row.externalId = command.externalId ?? row.externalId;
	if (row.attempt > 1) {
		tx.count(row.namespaceId, 'rescued');
		tx.count(row.namespaceId, 'rescue_seconds', 1 + Math.floor((tx.now - row.createdAt) / 1000));
	}
	tx.log(row, 'completed', { by: command.by, reason: command.reason });
	return saved(tx, row);
}

export function fail(tx: Transaction, command: FailCommand): WriteReply {
	const { row, refusal } = giveable(tx, command);
	if (!row) return refusal;
	if (row.state === 'done') return refuse('closed', row).refusal;
	giveUp(tx, row, command);
	return saved(tx, row);
}

export function renew(tx: Transaction, command: RenewCommand): WriteReply {
	const { row, refusal } = hold(tx, tx.find(command), command.token);
	if (!row) return refusal;
	row.lease = command.lease ?? row.lease;
	renewLease(tx, row);
	return saved(tx, row);
}

export function release(tx: Transaction, command: ReleaseCommand): WriteReply {
	const { row, refusal } = giveable(tx, command);
	if (!row) return refusal;
	if (row.state === 'done') tx.countDone(row.namespaceId, -1);
	row.state = 'failed';
	row.reason = command.reason ?? 'Released';
	row.dueAt = tx.now;
	row.leaseUntil = row.doneAt = row.expiresAt = null;
	row.attemptsFrom = row.attempt;
	tx.log(row, 'released', { by: command.by, reason: command.reason });
	return saved(tx, row);
}

/** A part of what an execution works on, in the order of ids from `after` on. */
export function failByExecution(
	tx: Transaction,
	command: FailByExecutionCommand,
	after: number,
	most: number,
): EventRow[] {
	const held = tx.sql.findHeld.all(command.executionId, after, most) as unknown as EventRow[];
	for (const row of held) {
		giveUp(tx, row, { ...command, retryAfter: 0 });
		tx.save(row);
	}
	return held;
}

export function take(tx: Transaction, command: TakeCommand): StoredDetails[] {
	return dueBy(tx, command).map((row) => {
		row.dueAt = tx.now + command.visibility;
		tx.log(row, 'taken', { by: command.by });
		tx.save(row);
		return tx.details(row);
	});
}

function saved(tx: Transaction, row: EventRow): WriteReply {
	tx.save(row);
	return { status: 'ok', event: toSummary(row) };
}
