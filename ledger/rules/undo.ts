import { StepNotDoneError } from '../errors';
import type { ItemResult, TakeUndosResult } from '../Ledger';
import { settleable } from './authority';
import type { TakeUndosCommand, UndoneCommand } from './commands';
import { unchanged } from './Draft';
import { type Decision, type Found, type Step, stepId } from './Event';
import { ok, refused, stepRecord, stepsInOrder, summary } from './present';
import { finished, type FinishReply } from './step';

/**
 * Of the steps that are `done` and say how to undo them: if any was handed out and its time is not over, none, but a holder gets what
 * an earlier attempt had. Else all, for as long as the visibility time-out.
 */
export function takeUndos(
	found: Found,
	command: TakeUndosCommand,
	now: number,
): Decision<ItemResult<TakeUndosResult>> {
	const { draft, refusal } = settleable(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const { event } = draft;
	const due = stepsInOrder(found).filter(
		({ state, undo }) => state === 'done' && undo !== undefined,
	);
	const isOperator = command.by !== undefined;
	const isTaken = due.some(
		({ undoUntil, undoAttempt }) =>
			undoUntil !== undefined &&
			undoUntil > now &&
			(isOperator || undoAttempt === undefined || undoAttempt === event.attempt),
	);
	const steps = isTaken ? [] : due;
	for (const step of steps) {
		const undoUntil = now + command.visibilityMs;
		const undoAttempt = isOperator ? undefined : event.attempt;
		draft.putStep({ ...step, undoUntil, undoAttempt }, step);
	}
	if (steps.length > 0) draft.log('undo_taken', { by: command.by });
	return draft.decide(ok({ steps: newestFirst(steps).map(stepRecord), event: summary(event) }));
}

/** What is done is undone in the reverse order. */
function newestFirst(steps: Step[]): Step[] {
	return [...steps].reverse().sort((a, b) => b.finishedAt! - a.finishedAt!);
}

export function markUndone(
	found: Found,
	command: UndoneCommand,
	now: number,
): Decision<FinishReply> {
	const { draft, refusal } = settleable(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const { step: name, row, by, reason } = command;
	const before = found.steps.get(stepId(name, row));
	if (before?.state === 'undone') return draft.decide(finished(true, before, draft.event));
	if (before?.state !== 'done') {
		return unchanged(refused(new StepNotDoneError(summary(draft.event), name)));
	}
	const step: Step = { ...before, state: 'undone' };
	step.undoUntil = undefined;
	step.undoAttempt = undefined;
	draft.putStep(step, before);
	draft.log('step_undone', { step: name, row, by, reason });
	return draft.decide(finished(false, step, draft.event));
}
