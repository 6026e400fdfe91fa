import { RULES } from '../../../../ledger/rules/RuleBook';
import {
	WRITES,
	isRefused,
	seen,
	writesAsking,
	writesBy,
	writesGiving,
	writesSeeing,
} from './breaking';
import type { Mutant } from './Mutant';

/** Who may write. */
export const holderMutants: Mutant[] = [
	{
		fault: 'does not check who writes',
		topic: 'fencing',
		invariant: 2,
		rules: writesBy(WRITES, (found, command, now) =>
			command.holder && found.event
				? RULES.write(
						seen(found, () => command.holder!),
						{ ...command, attempt: found.event.attempt },
						now,
					)
				: RULES.write(found, command, now),
		),
	},
	{
		fault: 'does not check the attempt',
		topic: 'fencing',
		invariant: 2,
		rules: writesAsking(WRITES, ({ attempt }, event) =>
			attempt === undefined ? {} : { attempt: event?.attempt },
		),
	},
	{
		fault: 'lets an execution of another instance with the same number write',
		topic: 'holders',
		invariant: 10,
		rules: writesSeeing(WRITES, ({ executionId }, { holder }) =>
			holder && holder.executionId === executionId ? holder : {},
		),
	},
	{
		fault: 'lets whoever acts for the holder write as it',
		topic: 'holders',
		invariant: 10,
		rules: writesBy(WRITES, (found, command, now) => {
			const before = found.event && found.event.attempt - 1;
			const isLate = command.holder !== undefined && command.attempt === before;
			return isLate
				? RULES.write(
						seen(found, () => command.holder!),
						{ ...command, attempt: found.event!.attempt },
						now,
					)
				: RULES.write(found, command, now);
		}),
	},
	{
		fault: 'refuses a stale write but renews the lease',
		topic: 'fencing',
		invariant: 2,
		rules: writesGiving(WRITES, (decision, { event }, _, now) =>
			isRefused(decision, 'StaleClaimError') && event
				? { event: { ...event, leaseUntil: now + event.leaseMs } }
				: {},
		),
	},
	{
		fault: 'does not renew the lease',
		topic: 'fencing',
		invariant: 8,
		rules: writesGiving(['begin', 'finish', 'renew'], ({ event }, found) =>
			event && found.event?.leaseUntil !== undefined
				? { event: { ...event, leaseUntil: found.event.leaseUntil } }
				: {},
		),
	},
	{
		fault: 'renews the lease by another time than the claim asked for',
		topic: 'fencing',
		invariant: 8,
		rules: writesSeeing(['begin', 'finish'], () => ({ leaseMs: 1000 })),
	},
	{
		fault: 'lets the holder go on while a gate is pending',
		topic: 'fencing',
		invariant: 5,
		rules: writesSeeing(['begin', 'finish', 'complete'], (event) =>
			event.state === 'waiting' ? { state: 'processing', leaseUntil: event.claimedAt } : {},
		),
	},
	{
		fault: 'lets an operator decide whatever happened since',
		topic: 'events',
		invariant: 6,
		rules: writesAsking(['complete', 'fail', 'release'], () => ({ inState: undefined })),
	},
	{
		fault: 'goes on with a pause by itself when a gate is decided',
		topic: 'pausing',
		invariant: 1,
		rules: writesSeeing(['decideApproval'], () => ({ isPaused: undefined })),
	},
	{
		fault: 'pauses for as long as the lease and no longer',
		topic: 'pausing',
		invariant: 8,
		rules: writesAsking(['pause'], () => ({ forMs: 0 })),
	},
	{
		fault: 'does not write down that a pause is over',
		topic: 'pausing',
		invariant: 7,
		rules: writesGiving(WRITES, ({ history, counts }) => ({
			history: history.filter(({ kind }) => kind !== 'continued'),
			counts: counts.filter(({ kind }) => kind !== 'continued'),
		})),
	},
];
