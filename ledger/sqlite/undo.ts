import type { FinishReply, TakeUndosCommand, TakeUndosReply, UndoneCommand } from '../Store';
import { type Access, type Author, hold, refuse } from './changes';
import { type StepRow, toStep, toSummary } from './rows';
import type { Transaction } from './Transaction';

/** Who may undo the steps of an event: its holder, and an operator when nobody has it. */
function undoable(tx: Transaction, command: Author): Access {
	const row = tx.find(command);
	if (command.by === undefined || !row) return hold(tx, row, command.token);
	const isLive = row.state === 'processing' && row.leaseUntil! > tx.now;
	return isLive || row.state === 'waiting' ? refuse('closed', row) : { row };
}

export function takeUndos(tx: Transaction, command: TakeUndosCommand): TakeUndosReply {
	const { row, refusal } = undoable(tx, command);
	if (!row) return refusal;
	const due = (tx.sql.findSteps.all(row.id, null) as unknown as StepRow[]).filter(
		({ state, undo }) => state === 'done' && undo !== null,
	);
	const isRepetition = due.some(({ undoCall }) => undoCall === command.call);
	const isTaken = due.some(
		({ undoUntil, undoAttempt }) =>
			undoUntil !== null &&
			undoUntil > tx.now &&
			(command.by !== undefined || undoAttempt === null || undoAttempt === row.attempt),
	);
	const steps = isTaken && !isRepetition ? [] : due;
	if (steps.length > 0 && !isRepetition) {
		for (const step of steps) {
			step.undoUntil = tx.now + command.visibility;
			step.undoCall = command.call;
			step.undoAttempt = command.by === undefined ? row.attempt : null;
			tx.saveStep(row, step);
		}
		tx.log(row, 'undo_taken', { by: command.by });
	}
	tx.save(row);
	return { status: 'ok', undos: steps.map(toStep), event: toSummary(row) };
}

export function markUndone(tx: Transaction, command: UndoneCommand): FinishReply {
	const { row, refusal } = undoable(tx, command);
	if (!row) return refusal;
	const step = tx.step(row, command.step);
	const status = step?.state === 'done' ? 'ok' : step?.state === 'undone' ? 'repeated' : 'not_done';
	if (status === 'ok') {
		step!.state = 'undone';
		step!.undoUntil = step!.undoCall = step!.undoAttempt = null;
		tx.saveStep(row, step!);
		tx.log(row, 'step_undone', { step: command.step, by: command.by, reason: command.reason });
	}
	tx.save(row);
	return { status, ...(step && { step: toStep(step) }), event: toSummary(row) };
}
