import type { BeginCommand, BeginReply, FinishCommand, FinishReply } from '../Store';
import { hold, toReview } from './changes';
import { decideStep } from './decideStep';
import { type EventRow, type StepRow, toStep, toSummary } from './rows';
import type { Transaction } from './Transaction';

export function begin(tx: Transaction, command: BeginCommand): BeginReply {
	const { row, refusal } = hold(tx, tx.find(command), command.token);
	if (!row) return refusal;
	const found = tx.step(row, command.step);
	const outcome = decideStep(row, found, command, tx.now);
	const step = outcome === 'run' ? start(tx, row, found, command) : found!;
	if (outcome === 'in_doubt') {
		const reason = `Step '${step.name}' was started by attempt ${step.attempt} of execution ${step.executionId} and not finished`;
		toReview(tx, row, reason);
		tx.count(row.namespaceId, 'review');
	}
	tx.save(row);
	return { status: 'ok', outcome, step: toStep(step), event: toSummary(row) };
}

function start(
	tx: Transaction,
	row: EventRow,
	found: StepRow | undefined,
	command: BeginCommand,
): StepRow {
	const step: StepRow = {
		name: command.step,
		state: 'started',
		attempt: row.attempt,
		tries: (found?.tries ?? 0) + 1,
		executionId: command.executionId,
		claimant: command.claimant,
		fingerprint: command.fingerprint ?? found?.fingerprint ?? null,
		startedAt: found?.startedAt ?? tx.now,
		finishedAt: null,
		externalId: null,
		output: null,
		undo: null,
		error: null,
		undoUntil: null,
		undoCall: null,
		undoAttempt: null,
	};
	tx.saveStep(row, step);
	tx.log(row, 'step_started', { step: step.name, executionId: step.executionId });
	return step;
}

export function finish(tx: Transaction, command: FinishCommand): FinishReply {
	const event = tx.find(command);
	const found = event && tx.step(event, command.step);
	if (found?.state === 'done' && event?.token === command.token) {
		return { status: 'repeated', step: toStep(found), event: toSummary(event) };
	}
	const { row, refusal } = hold(tx, event, command.token);
	if (!row) return refusal;
	const step: StepRow = {
		name: command.step,
		state: command.state,
		attempt: found?.attempt ?? row.attempt,
		tries: found?.tries ?? 1,
		executionId: found?.executionId ?? row.executionId!,
		claimant: found?.claimant ?? null,
		fingerprint: found?.fingerprint ?? null,
		startedAt: found?.startedAt ?? tx.now,
		finishedAt: tx.now,
		externalId: command.externalId ?? null,
		output: command.output ?? null,
		undo: command.undo ?? null,
		error: command.error ?? null,
		undoUntil: null,
		undoCall: null,
		undoAttempt: null,
	};
	tx.saveStep(row, step);
	tx.log(row, command.state === 'done' ? 'step_done' : 'step_failed', {
		step: step.name,
		reason: command.error,
	});
	tx.save(row);
	return { status: 'ok', step: toStep(step), event: toSummary(row) };
}
