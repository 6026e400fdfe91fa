import { stepId } from '../../../../ledger/rules/Event';
import { RULES } from '../../../../ledger/rules/RuleBook';
import {
	WRITES,
	isRefused,
	writesAsking,
	writesBy,
	writesGiving,
	writesSeeing,
	writesSeeingSteps,
} from './breaking';
import type { Mutant } from './Mutant';

/** What becomes of steps and events. */
export const workMutants: Mutant[] = [
	{
		fault: 'repeats a step in doubt silently',
		topic: 'doubt',
		invariant: 4,
		rules: writesAsking(['begin'], () => ({ whenInDoubt: 'repeat', repeatWithinMs: undefined })),
	},
	{
		fault: 'skips a step in doubt silently',
		topic: 'doubt',
		invariant: 4,
		rules: writesGiving(['begin'], ({ reply }) =>
			typeof reply === 'object' && 'ok' in reply && reply.ok && 'outcome' in reply.value
				? {
						reply: {
							ok: true,
							value: {
								...reply.value,
								outcome: reply.value.outcome === 'in_doubt' ? 'done' : reply.value.outcome,
							} as typeof reply.value,
						},
					}
				: {},
		),
	},
	{
		fault: 'runs a finished step again',
		topic: 'steps',
		invariant: 3,
		rules: writesSeeingSteps(['begin'], (step) => ({
			...step,
			state: step.state === 'done' ? 'failed' : step.state,
		})),
	},
	{
		fault: 'overwrites the output of a finished step',
		topic: 'steps',
		invariant: 3,
		rules: writesSeeingSteps(['finish'], (step) => ({ ...step, state: 'started' })),
	},
	{
		fault: 'has several items of one attempt run the same step',
		topic: 'steps',
		invariant: 3,
		rules: writesSeeingSteps(['begin'], (step, { claimant }, now) => ({
			...step,
			claimant,
			...(step.state === 'started' && { attempt: 0, startedAt: now }),
		})),
	},
	{
		fault: 'names the execution that has the event for each of its steps',
		formerly: 'L3',
		topic: 'steps',
		invariant: 7,
		rules: writesAsking(['begin'], ({ executionId }, event) => ({
			executionId: event?.executionId ?? executionId,
		})),
	},
	{
		fault: 'counts how long a step may be repeated from its last start',
		topic: 'doubt',
		invariant: 4,
		beyondModel: 'it takes real time',
		rules: writesSeeingSteps(['begin'], (step, _, now) => ({ ...step, startedAt: now })),
	},
	{
		fault: 'does not tell rows apart',
		topic: 'rows',
		invariant: 9,
		rules: writesBy(['begin', 'finish'], (found, command, now) => {
			const { name, row } =
				[...found.steps.values()].find((step) => step.name === command.step) ??
				({ name: command.step, row: command.row } as const);
			return RULES.write(found, { ...command, step: name, row }, now);
		}),
	},
	{
		fault: 'completes events with unfinished steps',
		topic: 'completing',
		invariant: 9,
		rules: writesSeeing(['complete'], () => ({ openSteps: 0 })),
	},
	{
		fault: 'completes events with failed steps',
		topic: 'completing',
		invariant: 9,
		rules: writesBy(['complete'], (found, command, now) => {
			const decision = RULES.write(found, command, now);
			const open = [...found.steps.values()].filter(({ state }) => state === 'started');
			return open.length === 0 && isRefused(decision, 'UnfinishedStepsError')
				? RULES.write(
						{
							event: { ...found.event!, openSteps: 0 },
							steps: found.steps,
							contents: found.contents,
							result: found.result,
						},
						command,
						now,
					)
				: decision;
		}),
	},
	{
		fault: 'loses count of the steps that are open',
		topic: 'rows',
		invariant: 9,
		rules: writesGiving(['begin'], ({ event }, found) =>
			event ? { event: { ...event, openSteps: Math.min(1, found.event!.openSteps + 1) } } : {},
		),
	},
	{
		fault: 'overwrites the result when it is completed again',
		topic: 'completing',
		invariant: 7,
		rules: writesGiving(['complete'], ({ event }, found, { result = null }) =>
			!event && found.event?.state === 'done' ? { event: found.event, result } : {},
		),
	},
	{
		fault: 'keeps the result of what is given back',
		formerly: 'L5',
		topic: 'completing',
		invariant: 11,
		rules: writesGiving(['release'], () => ({ result: undefined })),
	},
	{
		fault: 'keeps the input of what is done',
		topic: 'completing',
		invariant: 7,
		rules: writesGiving(['complete'], ({ input }) => ({ input: input ?? undefined })),
	},
	{
		fault: 'leaves an event waiting that it refused to complete',
		formerly: 'L1',
		topic: 'completing',
		invariant: 11,
		rules: writesGiving(['complete'], (decision, { event }) =>
			isRefused(decision, 'UnfinishedStepsError') && event?.state === 'waiting'
				? { event: { ...event, leaseUntil: undefined }, counts: [{ kind: 'continued', n: 1 }] }
				: {},
		),
	},
	{
		fault: 'has gaps in the history',
		topic: 'events',
		invariant: 7,
		rules: writesGiving(WRITES, ({ history }) => ({
			history: history.filter(({ kind }) => kind !== 'released'),
		})),
	},
	{
		fault: 'does not count again from a release',
		topic: 'events',
		invariant: 4,
		rules: writesGiving(['release'], ({ event }, found) =>
			event ? { event: { ...event, attemptsSince: found.event!.attemptsSince } } : {},
		),
	},
	{
		fault: 'has a person resolve what a run is doing',
		topic: 'resolving',
		invariant: 4,
		rules: writesSeeing(['resolve'], ({ state, claimedAt }) =>
			state === 'processing'
				? { leaseUntil: claimedAt }
				: state === 'waiting'
					? { state: 'failed' }
					: {},
		),
	},
	{
		fault: 'lets a person say that a finished step did not happen',
		topic: 'resolving',
		invariant: 3,
		rules: writesSeeingSteps(['resolve'], (step, { resolution }) =>
			resolution === 'did_not_happen' && step.state === 'done'
				? { ...step, state: 'started' }
				: step,
		),
	},
	{
		fault: 'does not believe that a step did not happen',
		topic: 'resolving',
		invariant: 4,
		rules: writesGiving(['resolve'], ({ event, steps }, found, { resolution, step, row }) =>
			event && resolution === 'did_not_happen'
				? {
						steps: steps.map((resolved) => ({
							...resolved,
							state: found.steps.get(stepId(step, row))!.state,
						})),
					}
				: {},
		),
	},
];
