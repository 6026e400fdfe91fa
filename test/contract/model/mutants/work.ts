import type { HistoryEntry, HistoryKind, WinningOutcome } from '../../../../ledger/records';
import type * as wire from '../../../../ledger/Store';
import type { Entry } from '../entry';
import { ModelLedger } from '../ModelLedger';
import type { Mutant } from './Mutant';

/** What becomes of steps and events. */
export const workMutants: Mutant[] = [
	{
		fault: 'forgets finished steps when it is taken over',
		topic: 'steps',
		store: class extends ModelLedger {
			protected win(entry: Entry, command: wire.ClaimCommand, outcome: WinningOutcome) {
				if (outcome === 'recovered') entry.steps.clear();
				return super.win(entry, command, outcome);
			}
		},
	},
	{
		fault: 'repeats a step in doubt silently',
		topic: 'steps',
		store: class extends ModelLedger {
			protected beginOutcome(...args: Parameters<ModelLedger['beginOutcome']>) {
				const outcome = super.beginOutcome(...args);
				return outcome === 'in_doubt' ? 'run' : outcome;
			}
		},
	},
	{
		fault: 'skips a step in doubt silently',
		topic: 'steps',
		store: class extends ModelLedger {
			protected beginOutcome(...args: Parameters<ModelLedger['beginOutcome']>) {
				const outcome = super.beginOutcome(...args);
				return outcome === 'in_doubt' ? 'done' : outcome;
			}
		},
	},
	{
		fault: 'overwrites the output of a finished step',
		topic: 'steps',
		store: class extends ModelLedger {
			protected finishOne(command: wire.FinishCommand) {
				const step = this.find(command)?.steps.get(command.step);
				if (step) step.state = 'started';
				return super.finishOne(command);
			}
		},
	},
	{
		fault: 'counts how long a step may be repeated from its last start',
		topic: 'steps',
		beyondModel: 'times are not compared',
		store: class extends ModelLedger {
			protected beginOne(command: wire.BeginCommand) {
				const step = this.find(command)?.steps.get(command.step);
				if (step) step.startedAt = this.now();
				return super.beginOne(command);
			}
		},
	},
	{
		fault: 'completes events with unfinished steps',
		topic: 'events',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				const steps = this.find(command)?.steps ?? new Map<string, never>();
				for (const [name, step] of steps) if (step.state === 'started') steps.delete(name);
				return super.completeOne(command);
			}
		},
	},
	{
		fault: 'overwrites the result when it is completed again',
		topic: 'events',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				const reply = super.completeOne(command);
				if (reply.status === 'repeated') this.find(command)!.event.result = command.result;
				return reply;
			}
		},
	},
	{
		fault: 'keeps the input of what is done',
		topic: 'events',
		store: class extends ModelLedger {
			protected end(entry: Entry) {
				super.end({ ...entry, keepInput: true });
			}
		},
	},
	{
		fault: 'has gaps in the history',
		topic: 'events',
		store: class extends ModelLedger {
			protected log(entry: Entry, kind: HistoryKind, details?: Partial<HistoryEntry>) {
				if (kind !== 'released') super.log(entry, kind, details);
			}
		},
	},
	{
		fault: 'does not know the repetition of a command',
		topic: 'replays',
		beyondModel: 'the contract never repeats one',
		store: class extends ModelLedger {
			protected isRepetition() {
				return false;
			}
		},
	},
];
