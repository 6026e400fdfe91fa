import { RULES } from '../../../../ledger/rules/RuleBook';
import { seen, writesAsking, writesBy, writesSeeing } from './breaking';
import type { Mutant } from './Mutant';

/** What is handed out, and when. */
export const takeMutants: Mutant[] = [
	{
		fault: 'hands out the same work twice',
		topic: 'taking',
		invariant: 1,
		rules: writesAsking(['take'], () => ({ visibilityMs: -1 })),
	},
	{
		fault: 'hands out what was not tried often enough',
		topic: 'taking',
		invariant: 7,
		rules: writesAsking(['take'], () => ({ minAttempts: 0 })),
	},
	{
		fault: 'hands out what is too young',
		topic: 'taking',
		invariant: 8,
		rules: writesAsking(['take'], () => ({ minAgeMs: 0 })),
	},
	{
		fault: 'does not leave work alone between attempts',
		topic: 'taking',
		invariant: 8,
		rules: writesAsking(['take'], () => ({ backoffMs: 0 })),
	},
	{
		fault: 'leaves work alone for longer than the limit',
		topic: 'taking',
		invariant: 8,
		rules: writesAsking(['take'], () => ({ maxBackoffMs: Infinity })),
	},
	{
		fault: 'leaves work alone although it was released',
		topic: 'taking',
		invariant: 9,
		rules: writesSeeing(['take'], () => ({ attemptsSince: 0 })),
	},
	{
		fault: 'keeps back from people what failed often',
		topic: 'taking',
		invariant: 9,
		rules: writesBy(['take'], (found, command, now) => {
			const isReview = found.event?.state === 'review' && command.kinds.includes('review');
			return isReview
				? RULES.write(
						seen(found, () => ({ state: 'failed' })),
						{ ...command, kinds: ['failed'] },
						now,
					)
				: RULES.write(found, command, now);
		}),
	},
	{
		fault: 'hands out what somebody is working on',
		topic: 'taking',
		invariant: 1,
		rules: writesSeeing(['take'], ({ state, claimedAt }) =>
			state === 'processing' ? { leaseUntil: claimedAt } : {},
		),
	},
	{
		fault: 'takes an undecided gate for an expired one',
		topic: 'pausing',
		invariant: 9,
		rules: writesSeeing(['take'], () => ({ isPaused: undefined })),
	},
];
