import { RULES } from '../../../../ledger/rules/RuleBook';
import { seen, writesBy, writesGiving, writesSeeingSteps } from './breaking';
import type { Mutant } from './Mutant';

/** How steps are taken back. */
export const undoMutants: Mutant[] = [
	{
		fault: 'hands out what somebody is just undoing',
		topic: 'undo',
		invariant: 3,
		rules: writesSeeingSteps(['takeUndos'], (step) => ({ ...step, undoUntil: undefined })),
	},
	{
		fault: 'never hands out again what was not undone in time',
		topic: 'undo',
		invariant: 8,
		rules: writesSeeingSteps(['takeUndos'], (step) => ({
			...step,
			undoUntil: step.undoUntil && Infinity,
		})),
	},
	{
		fault: 'keeps from a run what the run before it was undoing',
		topic: 'undo',
		invariant: 9,
		rules: writesSeeingSteps(['takeUndos'], (step) => ({ ...step, undoAttempt: undefined })),
	},
	{
		fault: 'has steps undone that did not happen',
		topic: 'undo',
		invariant: 4,
		rules: writesSeeingSteps(['takeUndos'], (step) => ({
			...step,
			state: step.state === 'undone' ? step.state : 'done',
		})),
	},
	{
		fault: 'has steps undone again',
		topic: 'undo',
		invariant: 3,
		rules: writesSeeingSteps(['takeUndos'], (step) => ({
			...step,
			state: step.state === 'undone' ? 'done' : step.state,
		})),
	},
	{
		fault: 'hands out only one step at a time',
		topic: 'undo',
		invariant: 9,
		rules: writesGiving(['takeUndos'], ({ reply }) =>
			typeof reply === 'object' && 'ok' in reply && reply.ok && 'steps' in reply.value
				? { reply: { ok: true, value: { ...reply.value, steps: reply.value.steps.slice(-1) } } }
				: {},
		),
	},
	{
		fault: 'lets an operator undo what a run is working on',
		topic: 'undo',
		invariant: 2,
		rules: writesBy(['takeUndos', 'markUndone'], (found, command, now) =>
			RULES.write(
				command.by === undefined ? found : seen(found, () => ({ state: 'failed' })),
				command,
				now,
			),
		),
	},
	{
		fault: 'calls undone what was not done',
		topic: 'undo',
		invariant: 4,
		rules: writesSeeingSteps(['markUndone'], (step) => ({
			...step,
			state: step.state === 'started' ? 'done' : step.state,
		})),
	},
	{
		fault: 'writes down twice that a step was undone',
		topic: 'undo',
		invariant: 7,
		rules: writesSeeingSteps(['markUndone'], (step) => ({
			...step,
			state: step.state === 'undone' ? 'done' : step.state,
		})),
	},
	{
		fault: 'does not run again what was undone',
		topic: 'undo',
		invariant: 3,
		rules: writesSeeingSteps(['begin'], (step) => ({
			...step,
			state: step.state === 'undone' ? 'done' : step.state,
		})),
	},
];
