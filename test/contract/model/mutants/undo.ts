import type * as wire from '../../../../ledger/Store';
import type { ModelStep } from '../entry';
import { ModelLedger } from '../ModelLedger';
import type { Mutant } from './Mutant';

/** How steps are taken back. */
export const undoMutants: Mutant[] = [
	{
		fault: 'hands out what somebody is just undoing',
		topic: 'undo',
		store: class extends ModelLedger {
			protected keepsAway() {
				return false;
			}
		},
	},
	{
		fault: 'never hands out again what was not undone in time',
		topic: 'undo',
		store: class extends ModelLedger {
			protected keepsAway(...[undoing, ...others]: Parameters<ModelLedger['keepsAway']>) {
				return super.keepsAway({ ...undoing, until: Infinity }, ...others);
			}
		},
	},
	{
		fault: 'keeps from a run what the run before it was undoing',
		topic: 'undo',
		store: class extends ModelLedger {
			protected keepsAway(...[undoing, ...others]: Parameters<ModelLedger['keepsAway']>) {
				return super.keepsAway({ ...undoing, attempt: undefined }, ...others);
			}
		},
	},
	{
		fault: 'has steps undone that did not happen',
		topic: 'undo',
		store: class extends ModelLedger {
			protected isToUndo({ state, undo }: ModelStep) {
				return state !== 'undone' && undo !== undefined;
			}
		},
	},
	{
		fault: 'has steps undone again',
		topic: 'undo',
		store: class extends ModelLedger {
			protected isToUndo({ state, undo }: ModelStep) {
				return state !== 'failed' && undo !== undefined;
			}
		},
	},
	{
		fault: 'hands out only one step at a time',
		topic: 'undo',
		store: class extends ModelLedger {
			protected takeUndosOne(command: wire.TakeUndosCommand) {
				const reply = super.takeUndosOne(command);
				return { ...reply, undos: reply.undos?.slice(-1) };
			}
		},
	},
	{
		fault: 'lets an operator undo what a run is working on',
		topic: 'undo',
		store: class extends ModelLedger {
			protected undoing(...[command]: Parameters<ModelLedger['undoing']>) {
				const entry = this.find(command);
				return command.by !== undefined && entry
					? ({ entry, status: 'ok' } as const)
					: super.undoing(command);
			}
		},
	},
	{
		fault: 'calls undone what was not done',
		topic: 'undo',
		store: class extends ModelLedger {
			protected markUndoneOne(command: wire.UndoneCommand) {
				const step = this.find(command)?.steps.get(command.step);
				if (step?.state === 'started') step.state = 'done';
				return super.markUndoneOne(command);
			}
		},
	},
	{
		fault: 'writes down twice that a step was undone',
		topic: 'undo',
		store: class extends ModelLedger {
			protected markUndoneOne(command: wire.UndoneCommand) {
				const step = this.find(command)?.steps.get(command.step);
				if (step?.state === 'undone') step.state = 'done';
				return super.markUndoneOne(command);
			}
		},
	},
	{
		fault: 'does not run again what was undone',
		topic: 'undo',
		store: class extends ModelLedger {
			protected beginOutcome(...args: Parameters<ModelLedger['beginOutcome']>) {
				return args[1]?.state === 'undone' ? 'done' : super.beginOutcome(...args);
			}
		},
	},
];
