import {
	type Delivery,
	decideClaim,
	importedEvent,
	metIn,
	newEvent,
	shownKind,
} from '../../../../ledger/rules/claim';
import type { ClaimCommand } from '../../../../ledger/rules/commands';
import type { Event } from '../../../../ledger/rules/Event';
import { ALICE, approval, BOB, claimCommand, event, HOUR, NOW } from '../events';

const LIVE = { leaseUntil: NOW + 1 };
const OVER = { leaseUntil: NOW };
const DONE: Partial<Event> = { state: 'done', leaseUntil: undefined, dueAt: undefined };
const FAILED: Partial<Event> = { state: 'failed', leaseUntil: undefined, dueAt: NOW };
const REVIEW: Partial<Event> = { state: 'review', leaseUntil: undefined, dueAt: NOW };
const AT_GATE: Partial<Event> = {
	state: 'waiting',
	leaseUntil: undefined,
	approvals: [approval()],
};
const PAUSED: Partial<Event> = { state: 'waiting', isPaused: true, leaseUntil: NOW + 1 };

const BY_BOB: Partial<ClaimCommand> = { holder: BOB, claimant: 'bob/node/0/0' };
const REVIEWING: Partial<ClaimCommand> = { onStopped: 'review' };

interface Row {
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
const TABLE: Row[] = [
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

const WON = ['resumed', 'recovered', 'retry'];

describe('A claim that meets a record', () => {
	test.each(TABLE)(
		'$what: $outcome',
		({ found, command, isStale, outcome, state, counts = {} }) => {
			const before = event(found);
			const countedAs = isStale ? 'stale' : metIn(before.state);
			const delivery: Delivery = { countedAs, isStale: isStale === true };
			const decision = decideClaim(before, claimCommand(command), delivery, NOW);
			const { reply } = decision;
			expect(reply).toMatchObject({ claimed: WON.includes(outcome), outcome });
			expect(reply.event!.state).toBe(state);
			expect((decision.event ?? before).state).toBe(state);
			// A decision that changes nothing is no write.
			if (Object.keys(counts).length === 0 && outcome !== 'conflict')
				expect(decision.event).toBeUndefined();
			expect(Object.fromEntries(decision.counts.map(({ kind, n }) => [kind, n]))).toEqual(counts);
			if (WON.includes(outcome)) {
				expect(decision.event).toMatchObject({ attempt: before.attempt + 1, outcome });
				// It was counted as turned away when it met the record.
				expect([decision.duplicates, decision.lastSeenAt]).toEqual([-1, NOW]);
			}
			// What it was given is as it was.
			expect(before).toEqual(event(found));
		},
	);

	test.each(TABLE)(
		'$what: all in all it is counted once',
		({ found, command, isStale, outcome }) => {
			const before = event(found);
			for (const countedAs of [undefined, isStale ? 'stale' : metIn(before.state)]) {
				const delivery: Delivery = { countedAs, isStale: isStale === true };
				const decision = decideClaim(before, claimCommand(command), delivery, NOW);
				const sums = new Map<string, number>(countedAs === undefined ? [] : [[countedAs, 1]]);
				for (const { kind, n } of decision.counts) sums.set(kind, (sums.get(kind) ?? 0) + n);
				const shown = [...sums].filter(([kind, n]) => n !== 0 && kind !== 'superseded');
				expect(shown.map(([kind, n]) => [shownKind(kind), n])).toEqual([[outcome, 1]]);
				// One that is behind its object was not counted on the record.
				const met = countedAs === undefined || countedAs === 'stale' ? 0 : 1;
				expect(met + decision.duplicates).toBe(WON.includes(outcome) ? 0 : 1);
			}
		},
	);

	test('whose answer was lost is the same claim again, whatever happened since', () => {
		for (const change of [{}, OVER, FAILED, DONE, AT_GATE]) {
			const before = event({ claimCall: 'this call', outcome: 'retry', attempt: 4, ...change });
			const delivery = { countedAs: metIn(before.state), isStale: false };
			const { reply, counts, duplicates } = decideClaim(before, claimCommand(), delivery, NOW);
			expect(reply).toMatchObject({ claimed: true, outcome: 'retry', event: { attempt: 4 } });
			expect([counts, duplicates]).toEqual([[{ kind: metIn(before.state), n: -1 }], -1]);
		}
	});

	test('takes over what it asks for, and keeps what belongs to the event', () => {
		const before = event({
			...FAILED,
			attempt: 2,
			attemptsSince: 1,
			reason: 'It broke',
			fingerprint: 'one',
			alias: 'order 7',
			externalId: 'ch_1',
			conflicts: 2,
			duplicates: 5,
			steps: 3,
			openSteps: 1,
			entries: 40,
			approvals: [approval({ state: 'approved' })],
			calls: ['earlier'],
			object: 'o',
			version: 1,
		});
		const asked = {
			...BY_BOB,
			leaseMs: 5 * HOUR,
			retentionMs: HOUR,
			maxAttempts: 9,
			onStopped: 'review',
			keepInput: true,
			input: '"new"',
			alias: 'another',
			workflowId: 'w',
		} as const;
		const { event: after, input } = decideClaim(
			before,
			claimCommand(asked),
			{ countedAs: 'met_failed', isStale: false },
			NOW,
		);
		const { createdAt, duplicates, entries, calls } = before;
		expect(after).toMatchObject({
			...{ attempt: 3, claimedAt: NOW, leaseUntil: NOW + 5 * HOUR, dueAt: NOW + 5 * HOUR },
			...{ executionId: 'bob', nonce: BOB.nonce, claimant: 'bob/node/0/0', workflowId: 'w' },
			...{ leaseMs: 5 * HOUR, retentionMs: HOUR, maxAttempts: 9, onStopped: 'review' },
			...{ fingerprint: 'one', alias: 'order 7', externalId: 'ch_1', conflicts: 2 },
			...{ steps: 3, openSteps: 1, attemptsSince: 1, object: 'o', version: 1 },
			...{ createdAt, duplicates, entries, calls, keepInput: true },
			approvals: [{ state: 'approved' }],
		});
		expect(after!.reason).toBeUndefined();
		expect(input).toBe('"new"');
	});

	test('leaves the input as it is if it brings none, and drops it if it is superseded', () => {
		const delivery = { countedAs: 'met_failed', isStale: false };
		expect(decideClaim(event(FAILED), claimCommand(), delivery, NOW).input).toBeUndefined();
		const stale = { countedAs: 'stale', isStale: true };
		expect(decideClaim(event(FAILED), claimCommand(), stale, NOW).input).toBeNull();
		const kept = event({ ...FAILED, keepInput: true });
		expect(decideClaim(kept, claimCommand(), stale, NOW).input).toBeUndefined();
	});

	test('says why it is in review', () => {
		const why = (found: Partial<Event>, command: Partial<ClaimCommand> = {}) => {
			const before = event(found);
			const delivery = { countedAs: metIn(before.state), isStale: false };
			return decideClaim(before, claimCommand(command), delivery, NOW).event!.reason;
		};
		expect(why(OVER, REVIEWING)).toBe('Attempt 1 of execution alice stopped before it finished');
		expect(why({ ...OVER, attempt: 3 })).toBe('All 3 attempts are used up');
		const failed = { ...FAILED, attempt: 3, reason: 'No answer' };
		expect(why(failed)).toBe('All 3 attempts are used up; last: No answer');
		// What counts is what this claim allows.
		expect(why(failed, { maxAttempts: 2 })).toContain('All 2 attempts');
	});

	test('keeps the content of a conflict, and says whose it was', () => {
		const before = event({ fingerprint: 'one', conflicts: 3 });
		const command = claimCommand({ ...BY_BOB, fingerprint: 'two', input: '"other"' });
		const delivery = { countedAs: 'met_processing', isStale: false };
		const { event: after, conflict, history } = decideClaim(before, command, delivery, NOW);
		expect(after).toMatchObject({ conflicts: 4, fingerprint: 'one', attempt: 1 });
		expect(conflict).toEqual({ at: NOW, executionId: 'bob', fingerprint: 'two', input: '"other"' });
		expect(history).toMatchObject([{ kind: 'conflict', executionId: 'bob', attempt: 1 }]);
	});
});

describe('A new event', () => {
	test('is what the claim asked for', () => {
		expect(newEvent(claimCommand({ input: '1', alias: 'a' }), NOW)).toMatchObject({
			...{ namespace: 'ns', key: 'k', state: 'processing', attempt: 1, outcome: 'new', alias: 'a' },
			...{
				createdAt: NOW,
				claimedAt: NOW,
				lastSeenAt: NOW,
				leaseUntil: NOW + HOUR,
				dueAt: NOW + HOUR,
			},
			...{
				executionId: 'alice',
				instance: 'n8n',
				nonce: "alice's nonce",
				claimant: 'alice/node/0/0',
			},
			...{ duplicates: 0, attemptsSince: 0, steps: 0, openSteps: 0, approvals: [] },
		});
	});

	test('that is imported is done, and nobody has it', () => {
		const command = { namespace: 'ns', key: 'k', retentionMs: HOUR, call: 'c', doneAt: 7 };
		const imported = importedEvent(command, NOW);
		expect(imported).toMatchObject({ state: 'done', attempt: 0, doneAt: 7, expiresAt: NOW + HOUR });
		expect(imported).toMatchObject({ createdAt: NOW, lastSeenAt: NOW });
		for (const name of ['executionId', 'leaseUntil', 'dueAt', 'claimant'] as const)
			expect(imported[name]).toBeUndefined();
		expect(importedEvent({ ...command, doneAt: undefined }, NOW).doneAt).toBe(NOW);
	});
});
