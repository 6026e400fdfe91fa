import { RULES } from '../../../../ledger/rules/RuleBook';
import { claimsAsking, claimsBy, claimsSeeing } from './breaking';
import type { Mutant } from './Mutant';

/** Who gets a claim. */
export const claimMutants: Mutant[] = [
	{
		fault: 'lets everybody resume',
		topic: 'claims',
		invariant: 1,
		rules: claimsSeeing((_, { holder, claimant }) => ({ ...holder, claimant })),
	},
	{
		fault: 'knows the claimant by its execution alone',
		topic: 'claims',
		invariant: 1,
		rules: claimsAsking(({ claimant }) => ({ claimant })),
	},
	{
		fault: 'knows an execution by its number alone',
		topic: 'holders',
		invariant: 10,
		rules: claimsSeeing((event, { holder, actsFor }) =>
			event.executionId === (actsFor ?? holder).executionId ? (actsFor ?? holder) : {},
		),
	},
	{
		fault: 'knows an execution without its nonce',
		topic: 'holders',
		invariant: 10,
		rules: claimsSeeing(({ instance }, { holder, actsFor }) => {
			const { nonce } = actsFor ?? holder;
			return instance === (actsFor ?? holder).instance ? { nonce } : {};
		}),
	},
	{
		fault: 'lets nobody act for another one',
		topic: 'holders',
		invariant: 2,
		rules: claimsAsking(() => ({ actsFor: undefined })),
	},
	{
		fault: 'believes everybody who says that it acts for the holder',
		topic: 'holders',
		invariant: 10,
		rules: claimsSeeing((_, { actsFor }) => actsFor ?? {}),
	},
	{
		fault: 'takes over while the lease is live',
		topic: 'claims',
		invariant: 1,
		rules: claimsSeeing((event, _c, _d, now) =>
			event.state === 'processing' ? { leaseUntil: now } : {},
		),
	},
	{
		fault: 'takes over although the policy is review, and without end',
		topic: 'claims',
		invariant: 4,
		rules: claimsAsking(() => ({ onStopped: 'takeover', maxAttempts: 1000 })),
	},
	{
		fault: 'takes over what is paused',
		topic: 'pausing',
		invariant: 1,
		rules: claimsSeeing((event) => (event.isPaused ? { state: 'processing', leaseUntil: 0 } : {})),
	},
	{
		fault: 'leaves what is paused for ever to its execution',
		topic: 'pausing',
		invariant: 8,
		rules: claimsSeeing((event) => (event.isPaused ? { leaseUntil: undefined } : {})),
	},
	{
		fault: 'does not compare fingerprints',
		topic: 'conflicts',
		invariant: 1,
		rules: claimsAsking(({ fingerprint }, command) => ({
			fingerprint: fingerprint ?? command.fingerprint,
		})),
	},
	{
		fault: 'keeps no content of a conflict',
		topic: 'conflicts',
		invariant: 7,
		rules: claimsAsking((event, command) =>
			event.fingerprint !== undefined && event.fingerprint !== command.fingerprint
				? { input: undefined }
				: {},
		),
	},
	{
		fault: 'counts a conflict and keeps nothing of it',
		topic: 'conflicts',
		invariant: 9,
		rules: claimsBy((...args) => ({ ...RULES.claim(...args), conflict: undefined })),
	},
	{
		fault: 'gives a claim to a double submit',
		topic: 'aliases',
		invariant: 1,
		rules: claimsBy((event, command, ...rest) =>
			RULES.claim(event, { ...command, key: event.key }, ...rest),
		),
	},
	{
		fault: 'does not say when an event came again if that was a retry',
		formerly: 'L2',
		topic: 'claims',
		invariant: 7,
		rules: claimsBy((event, ...rest) => {
			const decision = RULES.claim(event, ...rest);
			return decision.reply.claimed ? { ...decision, lastSeenAt: event.claimedAt } : decision;
		}),
	},
	{
		fault: 'does not count up the attempt when it is resumed',
		topic: 'fencing',
		invariant: 2,
		rules: claimsBy((event, ...rest) => {
			const decision = RULES.claim(event, ...rest);
			const { attempt } = event;
			if (decision.reply.outcome !== 'resumed' || !decision.reply.claimed) return decision;
			return {
				...decision,
				event: { ...decision.event!, attempt },
				reply: { ...decision.reply, event: { ...decision.reply.event, attempt } },
			};
		}),
	},
	{
		fault: 'runs outdated versions',
		topic: 'ordering',
		invariant: 1,
		rules: claimsBy((event, command, delivery, now) =>
			RULES.claim(event, command, { ...delivery, isStale: false }, now),
		),
	},
];
