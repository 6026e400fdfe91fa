import { metIn } from '../../../../ledger/rules/claim';
import type { ClaimCommand } from '../../../../ledger/rules/commands';
import type { Event } from '../../../../ledger/rules/Event';
import { ALICE, approval, BOB, event, HOUR, NOW } from '../events';

const LIVE = { leaseUntil: NOW + 1 };
export const OVER = { leaseUntil: NOW };
export const DONE: Partial<Event> = { state: 'done', leaseUntil: undefined, dueAt: undefined };
export const FAILED: Partial<Event> = { state: 'failed', leaseUntil: undefined, dueAt: NOW };
const REVIEW: Partial<Event> = { state: 'review', leaseUntil: undefined, dueAt: NOW };
export const AT_GATE: Partial<Event> = {
	state: 'waiting',
	leaseUntil: undefined,
	approvals: [approval()],
};
const PAUSED: Partial<Event> = { state: 'waiting', isPaused: true, leaseUntil: NOW + 1 };

export const BY_BOB: Partial<ClaimCommand> = { holder: BOB, claimant: 'bob/node/0/0' };
export const REVIEWING: Partial<ClaimCommand> = { onStopped: 'review' };

export interface Row {
	what: string;
	found?: Partial<Event>;
	command?: Partial<ClaimCommand>;
	isStale?: true;
	outcome: string;
	state: Event['state'];
	/** The tally, if the record was met and counted before as it is counted in its state. */
	counts?: Record<string, number>;
}

/** DESIGN §3, row by row: what a claim finds, and what comes of it. */
export const TABLE: Row[] = [
	// Live, and the same claimant or an execution that acts for it.
	{
		what: 'the same claimant',
		outcome: 'resumed',
		state: 'processing',
		counts: { met_processing: -1, resumed: 1 },
	},
	{
		what: 'the same claimant, attempts used up',
		found: { attempt: 9 },
		outcome: 'resumed',
		state: 'processing',
		counts: { met_processing: -1, resumed: 1 },
	},
	{
		what: 'who acts for the holder',
		command: { ...BY_BOB, actsFor: ALICE },
		outcome: 'resumed',
		state: 'processing',
		counts: { met_processing: -1, resumed: 1 },
	},
	// Live, and somebody else.
	{ what: 'somebody else', command: BY_BOB, outcome: 'in_progress', state: 'processing' },
	{
		what: 'another node, run or item',
		command: { claimant: 'alice/node/1/0' },
		outcome: 'in_progress',
		state: 'processing',
	},
	{
		what: 'the same number of another instance',
		command: { holder: { ...ALICE, instance: 'other' } },
		outcome: 'in_progress',
		state: 'processing',
	},
	{
		what: "a clone's execution",
		command: { holder: { ...ALICE, nonce: 'other' } },
		outcome: 'in_progress',
		state: 'processing',
	},
	{
		what: 'who acts for somebody else',
		command: { ...BY_BOB, actsFor: { ...ALICE, nonce: 'other' } },
		outcome: 'in_progress',
		state: 'processing',
	},
	{
		what: 'somebody else, one millisecond before the lease is over',
		found: LIVE,
		command: BY_BOB,
		outcome: 'in_progress',
		state: 'processing',
	},
	// The lease is over.
	{
		what: 'lease over, take over',
		found: OVER,
		command: BY_BOB,
		outcome: 'recovered',
		state: 'processing',
		counts: { met_processing: -1, recovered: 1 },
	},
	{
		what: 'lease over, take over, same claimant',
		found: OVER,
		outcome: 'recovered',
		state: 'processing',
		counts: { met_processing: -1, recovered: 1 },
	},
	{
		what: 'lease over, policy review',
		found: OVER,
		command: REVIEWING,
		outcome: 'review',
		state: 'review',
		counts: { met_processing: -1, met_review: 1 },
	},
	{
		what: 'lease over, attempts used up',
		found: { ...OVER, attempt: 3 },
		outcome: 'review',
		state: 'review',
		counts: { met_processing: -1, met_review: 1 },
	},
	{
		what: 'lease over, the last attempt but one',
		found: { ...OVER, attempt: 2 },
		outcome: 'recovered',
		state: 'processing',
		counts: { met_processing: -1, recovered: 1 },
	},
	{
		what: 'lease over, counted from the last release',
		found: { ...OVER, attempt: 7, attemptsSince: 5 },
		outcome: 'recovered',
		state: 'processing',
		counts: { met_processing: -1, recovered: 1 },
	},
	// Failed.
	{
		what: 'failed',
		found: FAILED,
		command: REVIEWING,
		outcome: 'retry',
		state: 'processing',
		counts: { met_failed: -1, retry: 1 },
	},
	{
		what: 'failed, not due yet',
		found: { ...FAILED, dueAt: NOW + HOUR },
		outcome: 'retry',
		state: 'processing',
		counts: { met_failed: -1, retry: 1 },
	},
	{
		what: 'failed, attempts used up',
		found: { ...FAILED, attempt: 3 },
		outcome: 'review',
		state: 'review',
		counts: { met_failed: -1, met_review: 1 },
	},
	// Waiting.
	{
		what: 'waiting at a gate, also the same claimant',
		found: AT_GATE,
		outcome: 'waiting',
		state: 'waiting',
	},
	{
		what: 'waiting at a gate, its lease long over',
		found: { ...AT_GATE, leaseUntil: NOW - HOUR },
		command: BY_BOB,
		outcome: 'waiting',
		state: 'waiting',
	},
	{ what: 'paused', found: PAUSED, command: BY_BOB, outcome: 'waiting', state: 'waiting' },
	{
		what: 'paused for as long as it takes',
		found: { ...PAUSED, leaseUntil: undefined },
		command: BY_BOB,
		outcome: 'waiting',
		state: 'waiting',
	},
	{
		what: 'paused, and overdue',
		found: { ...PAUSED, ...OVER },
		command: BY_BOB,
		outcome: 'recovered',
		state: 'processing',
		counts: { met_waiting: -1, recovered: 1 },
	},
	{
		what: 'paused, overdue, policy review',
		found: { ...PAUSED, ...OVER },
		command: { ...BY_BOB, ...REVIEWING },
		outcome: 'review',
		state: 'review',
		counts: { met_waiting: -1, met_review: 1 },
	},
	{
		what: 'paused, overdue, and a gate is pending',
		found: { ...PAUSED, ...OVER, approvals: [approval()] },
		command: BY_BOB,
		outcome: 'waiting',
		state: 'waiting',
	},
	// Over.
	{ what: 'done', found: DONE, outcome: 'duplicate', state: 'done' },
	{ what: 'in review', found: REVIEW, outcome: 'review', state: 'review' },
	// Other content, in every state.
	...[{}, OVER, DONE, FAILED, REVIEW, AT_GATE, PAUSED].map(
		(found, i): Row => ({
			what: `other content (${i})`,
			found: { fingerprint: 'one', ...found },
			command: { fingerprint: 'two' },
			outcome: 'conflict',
			state: event(found).state,
			counts: { [metIn(event(found).state)]: -1, conflict: 1 },
		}),
	),
	{
		what: 'no fingerprint on one side',
		found: { fingerprint: 'one' },
		outcome: 'resumed',
		state: 'processing',
		counts: { met_processing: -1, resumed: 1 },
	},
	// Behind the newest version of its object.
	{
		what: 'an old version, failed',
		found: FAILED,
		isStale: true,
		outcome: 'stale',
		state: 'done',
		counts: { superseded: 1 },
	},
	{
		what: 'an old version, stopped',
		found: OVER,
		isStale: true,
		outcome: 'stale',
		state: 'done',
		counts: { superseded: 1 },
	},
	{
		what: 'an old version that somebody works on',
		command: BY_BOB,
		isStale: true,
		outcome: 'in_progress',
		state: 'processing',
		counts: { stale: -1, met_processing: 1 },
	},
	{
		what: 'an old version that is done',
		found: DONE,
		isStale: true,
		outcome: 'duplicate',
		state: 'done',
		counts: { stale: -1, met_done: 1 },
	},
	// Another key, the same alias.
	...(
		[
			[{}, 'in_progress'],
			[OVER, 'in_progress'],
			[AT_GATE, 'waiting'],
			[DONE, 'duplicate'],
			[REVIEW, 'review'],
		] as const
	).map(
		([found, outcome]): Row => ({
			what: `a double submit (${outcome})`,
			found: { key: 'the first', ...found },
			command: { fingerprint: 'other', actsFor: ALICE },
			outcome,
			state: event(found).state,
		}),
	),
	{
		what: 'a double submit of what failed',
		found: { key: 'the first', ...FAILED },
		outcome: 'review',
		state: 'failed',
		counts: { met_failed: -1, met_review: 1 },
	},
];
