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
import { approval, BOB, claimCommand, event, HOUR, NOW } from '../events';
import { AT_GATE, BY_BOB, DONE, FAILED, OVER, REVIEWING, TABLE } from './claimTable';

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
