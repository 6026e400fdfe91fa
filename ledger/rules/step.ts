import { StepNotInDoubtError } from '../errors';
import type { BeginStepResult, FinishStepResult, ItemResult } from '../Ledger';
import { hold, isClaimOf, settleable } from './authority';
import { differ } from './claim';
import type { BeginCommand, FinishCommand, ResolveCommand } from './commands';
import { type Draft, unchanged } from './Draft';
import type { Decision, Event, Found, Step } from './Event';
import { stepId } from './Event';
import { ok, refused, stepRecord, summary } from './present';
import { inDoubtReason } from './texts';
import { toReview } from './transitions';

export type BeginReply = ItemResult<BeginStepResult>;
export type FinishReply = ItemResult<FinishStepResult>;

export function begin(found: Found, command: BeginCommand, now: number): Decision<BeginReply> {
	const { draft, refusal } = hold(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const before = found.steps.get(stepId(command.step, command.row));
	if (before?.state === 'started' && before.call === command.call) {
		const event = summary(found.event!);
		return unchanged(ok({ outcome: 'run', step: stepRecord(before), event }));
	}
	const outcome = outcomeOf(draft.event, before, command, now);
	const step = outcome === 'run' ? start(draft, before, command) : before!;
	if (outcome === 'in_doubt') {
		toReview(draft, inDoubtReason(step));
		draft.count('review');
	}
	return draft.decide(ok({ outcome, step: stepRecord(step), event: summary(draft.event) }));
}

/**
 * For the step of a held event (started by this very call, whose answer was lost → `run` again, and nothing changes):
 *
 * 1. none, `failed` or `undone` → started, `run` (tries + 1; `startedAt` stays that of the first start)
 * 2. both have a fingerprint and they differ → `conflict`
 * 3. `done` → `done`
 * 4. started by this attempt and another claimant → `in_progress`
 * 5. `repeat`, and (if given) `repeatWithinMs` since `startedAt` has not passed → started again, `run`
 * 6. event to review, `in_doubt`
 */
function outcomeOf(
	{ attempt }: Event,
	step: Step | undefined,
	command: BeginCommand,
	now: number,
): BeginStepResult['outcome'] {
	// 1
	if (!step || step.state === 'failed' || step.state === 'undone') return 'run';
	// 2
	if (differ(step.fingerprint, command.fingerprint)) return 'conflict';
	// 3
	if (step.state === 'done') return 'done';
	// 4
	if (step.attempt === attempt && step.claimant !== command.claimant) return 'in_progress';
	// 5
	const isInTime = now <= step.startedAt + (command.repeatWithinMs ?? Infinity);
	if (command.whenInDoubt === 'repeat' && isInTime) return 'run';
	// 6
	return 'in_doubt';
}

function start(draft: Draft, before: Step | undefined, command: BeginCommand): Step {
	const { event, now } = draft;
	const { step: name, row, executionId, claimant } = command;
	const step: Step = {
		name,
		row,
		state: 'started',
		attempt: event.attempt,
		tries: (before?.tries ?? 0) + 1,
		executionId,
		claimant,
		call: command.call,
		fingerprint: command.fingerprint ?? before?.fingerprint,
		startedAt: before?.startedAt ?? now,
		position: before?.position ?? event.steps,
	};
	draft.putStep(step, before);
	draft.log('step_started', { step: name, row, executionId });
	return step;
}

/**
 * A step that is done stays as it is: `repeated`, even when the event is done or failed since, for the same claim. Otherwise the event
 * has to be held, and the step gets its state and the command's fields (fields that the command lacks go).
 */
export function finish(found: Found, command: FinishCommand, now: number): Decision<FinishReply> {
	const { event } = found;
	const before = found.steps.get(stepId(command.step, command.row));
	if (event && before?.state === 'done' && isClaimOf(command, event)) {
		return unchanged(finished(true, before, event));
	}
	const { draft, refusal } = hold(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const step = ended(draft, before, command, draft.event.executionId!);
	const { step: name, row } = command;
	draft.log(command.state === 'done' ? 'step_done' : 'step_failed', {
		step: name,
		row,
		reason: command.error,
	});
	return draft.decide(finished(false, step, draft.event));
}

/** What a person found out. The event stays where it is: it is for them to run it again. */
export function resolve(found: Found, command: ResolveCommand, now: number): Decision<FinishReply> {
	const { draft, refusal } = settleable(found, command, now);
	if (!draft) return unchanged(refused(refusal));
	const { step: name, row, by, reason, resolution, externalId, output } = command;
	const before = found.steps.get(stepId(name, row));
	const state = resolution === 'happened' ? 'done' : 'failed';
	if (before?.state === state) return unchanged(finished(true, before, draft.event));
	if (before?.state !== 'started' && before?.state !== 'failed') {
		return unchanged(refused(new StepNotInDoubtError(summary(draft.event), name)));
	}
	const step = ended(
		draft,
		before,
		{ step: name, row, state, externalId, output },
		before.executionId,
	);
	draft.log('step_resolved', {
		step: name,
		row,
		by,
		reason: reason ?? resolution.replaceAll('_', ' '),
	});
	return draft.decide(finished(false, step, draft.event));
}

type Ending = Pick<
	FinishCommand,
	'step' | 'row' | 'state' | 'output' | 'externalId' | 'undo' | 'error'
>;

/** A step that was never begun counts as begun now, by the execution that has the event. */
function ended(draft: Draft, before: Step | undefined, ending: Ending, executionId: string): Step {
	const { event, now } = draft;
	const { step: name, row, state, output, externalId, undo, error } = ending;
	const begun = before ?? {
		attempt: event.attempt,
		tries: 1,
		executionId,
		startedAt: now,
		position: event.steps,
	};
	const { attempt, tries, startedAt, position } = begun;
	const step: Step = {
		name,
		row,
		state,
		attempt,
		tries,
		executionId: begun.executionId,
		claimant: before?.claimant,
		fingerprint: before?.fingerprint,
		startedAt,
		finishedAt: now,
		externalId,
		output,
		undo,
		error,
		position,
	};
	draft.putStep(step, before);
	return step;
}

export function finished(repeated: boolean, step: Step, event: Event): FinishReply {
	return ok({ repeated, step: stepRecord(step), event: summary(event) });
}
