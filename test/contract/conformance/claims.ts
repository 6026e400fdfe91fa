import type { Case } from './Case';
import {
	ALICE,
	at,
	beginStep,
	BOB,
	claimant,
	complete,
	fail,
	finishStep,
	history,
	HOUR,
	kinds,
	look,
	lose,
	takeOver,
	untilPast,
	win,
} from './helpers';

/** Who wins a claim: the first rows of the table in DESIGN §3. What is turned away is in turnedAway.ts. */
export const claims: Case[] = [
	{
		name: 'nothing there: new, and the record says what was claimed',
		async run(fixture) {
			const won = await win(fixture, 'order-1', {
				workflowId: 'workflow',
				fingerprint: 'fp',
				leaseMs: HOUR,
				maxAttempts: 3,
				input: { order: 1 },
			});
			expect(won).toMatchObject({ outcome: 'new', steps: [] });
			const { event, ...rest } = await look(fixture, 'order-1');
			expect(event).toEqual({ ...won.event, input: { order: 1 } });
			expect(event).toEqual({
				...at(fixture, 'order-1'),
				state: 'processing',
				attempt: 1,
				maxAttempts: 3,
				fingerprint: 'fp',
				executionId: 'alice',
				workflowId: 'workflow',
				createdAt: event.claimedAt,
				claimedAt: event.claimedAt,
				leaseUntil: event.claimedAt + HOUR,
				dueAt: event.claimedAt + HOUR,
				duplicates: 0,
				lastSeenAt: event.claimedAt,
				input: { order: 1 },
			});
			expect(rest).toEqual({ steps: [], approvals: [], conflicts: [] });
			expect(await history(fixture, 'order-1')).toEqual([
				{ at: event.claimedAt, kind: 'new', attempt: 1, executionId: 'alice' },
			]);
		},
	},
	{
		name: 'defaults: a lease of 30 minutes, 30 days of memory, 5 attempts',
		async run(fixture) {
			const { event, held } = await win(fixture, 'k');
			expect(event.maxAttempts).toBe(5);
			expect(event.leaseUntil! - event.claimedAt).toBe(HOUR / 2);
			const done = (await complete(fixture, 'k', held)).event;
			expect(done.expiresAt! - done.doneAt!).toBe(30 * 24 * HOUR);
		},
	},
	{
		name: 'names that look alike or contain separators are different events',
		async run(fixture) {
			const { namespace } = fixture;
			const names = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'a:b', '{a}', 'a}b{c', 'a%', 'a_', "a'"];
			const addresses = [
				...names.map((key) => ({ namespace, key })),
				...names.map((name) => ({ namespace: `${namespace}${name}`, key: 'a' })),
				{ namespace: `${namespace}:x`, key: 'y' },
				{ namespace, key: 'x:y' },
				{ namespace: `${namespace}/x`, key: 'y' },
				{ namespace, key: 'x/y' },
			];
			const requests = addresses.map((address) => ({ ...address, claimant: ALICE }));
			for (const result of await fixture.ledger.claimEvents(requests)) {
				expect(result.outcome).toBe('new');
			}
			const found = await fixture.ledger.get(addresses);
			expect(found.map((details) => details?.event)).toEqual(
				addresses.map((address) => expect.objectContaining(address)),
			);
		},
	},
	{
		name: 'of many concurrent claims exactly one is new',
		async run(fixture) {
			const ledgers = [fixture.ledger, await fixture.openAnother(), await fixture.openAnother()];
			const results = await Promise.all(
				Array.from({ length: 30 }, (_, i) =>
					ledgers[i % 3].claimEvents([
						{ ...at(fixture, 'k'), claimant: claimant(`execution ${i}`) },
					]),
				),
			);
			const outcomes = results.map(([result]) => result.outcome);
			expect(outcomes.sort()).toEqual([...Array<string>(29).fill('in_progress'), 'new']);
			const { event } = await look(fixture, 'k');
			expect(event).toMatchObject({ attempt: 1, duplicates: 29 });
			const winner = results.find(([result]) => result.claimed)![0];
			expect(event.executionId).toBe(winner.event!.executionId);
		},
	},
	{
		name: 'lease live, somebody else: in_progress, counted, without the input',
		async run(fixture) {
			const { event } = await win(fixture, 'k', { input: 'secret' });
			const lost = await lose(fixture, 'k', { claimant: BOB, input: 'other' });
			expect(lost.outcome).toBe('in_progress');
			expect(lost.event).toEqual({
				...event,
				duplicates: 1,
				lastSeenAt: expect.any(Number),
			});
			expect(lost.event!.lastSeenAt).toBeGreaterThanOrEqual(event.lastSeenAt);
			const stored = (await look(fixture, 'k')).event;
			expect(stored).toEqual({ ...lost.event, input: 'secret' });
			expect(await kinds(fixture, 'k')).toEqual(['new']);
		},
	},
	{
		name: 'lease live, same execution but another node, run or item: in_progress',
		async run(fixture) {
			await win(fixture, 'k');
			const others = [{ nodeId: 'other' }, { runIndex: 1 }, { itemIndex: 1 }];
			for (const other of others) {
				const lost = await lose(fixture, 'k', { claimant: { ...ALICE, ...other } });
				expect(lost.outcome).toBe('in_progress');
			}
			expect((await look(fixture, 'k')).event.duplicates).toBe(3);
		},
	},
	{
		name: 'two items with one key in one batch: the first is new, the second in_progress',
		async run(fixture) {
			const keys = ['a', 'twice', 'b', 'twice', 'c'];
			const results = await fixture.ledger.claimEvents(
				keys.map((key, i) => ({ ...at(fixture, key), claimant: claimant('alice', i) })),
			);
			expect(results.map(({ outcome }) => outcome)).toEqual([
				'new',
				'new',
				'new',
				'in_progress',
				'new',
			]);
			expect(results.map(({ event }) => event?.key)).toEqual(keys);
			expect((await look(fixture, 'twice')).event).toMatchObject({ attempt: 1, duplicates: 1 });
		},
	},
	{
		name: 'lease live, same claimant: resumed, attempt + 1, with the finished steps',
		async run(fixture) {
			const first = await win(fixture, 'k', { input: 1, fingerprint: 'fp' });
			await finishStep(fixture, 'k', first.held, 'email', 'sent');
			const second = await win(fixture, 'k', { leaseMs: 2 * HOUR, maxAttempts: 9 });
			expect(second.outcome).toBe('resumed');
			expect(second.event).toMatchObject({ attempt: 2, maxAttempts: 9, fingerprint: 'fp' });
			expect(second.event.leaseUntil! - second.event.claimedAt).toBe(2 * HOUR);
			expect(second.event.createdAt).toBe(first.event.createdAt);
			expect(second.steps).toMatchObject([{ name: 'email', state: 'done', output: 'sent' }]);
			const { event } = await look(fixture, 'k');
			expect(event).toMatchObject({ attempt: 2, duplicates: 0, input: 1 });
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_done', 'resumed']);
		},
	},
	{
		name: 'every claim says when it came, also one that is won',
		async run(fixture) {
			const { event: first } = await win(fixture, 'k');
			await untilPast(fixture, first.lastSeenAt);
			const { event: resumed, held } = await win(fixture, 'k');
			expect(resumed.lastSeenAt).toBeGreaterThan(first.lastSeenAt);
			expect(resumed.lastSeenAt).toBe(resumed.claimedAt);
			expect((await look(fixture, 'k')).event.lastSeenAt).toBe(resumed.lastSeenAt);
			await untilPast(fixture, resumed.lastSeenAt);
			const { event: failed } = await fail(fixture, 'k', held);
			expect(failed.lastSeenAt).toBe(resumed.lastSeenAt);
			const { event: retried } = await win(fixture, 'k', { claimant: BOB });
			expect(retried.lastSeenAt).toBe(retried.claimedAt);
			expect(retried.duplicates).toBe(0);
		},
	},
	{
		name: 'resuming is not limited by the number of attempts: the work never stopped',
		async run(fixture) {
			await win(fixture, 'k', { maxAttempts: 1 });
			const second = await win(fixture, 'k', { maxAttempts: 1 });
			expect(second).toMatchObject({ outcome: 'resumed', event: { attempt: 2 } });
		},
	},
	{
		name: 'lease over, policy take over: recovered, with what the earlier attempt left',
		async run(fixture) {
			const first = await win(fixture, 'k', { input: { n: 1 } });
			await finishStep(fixture, 'k', first.held, 'invoice', { id: 7 });
			await beginStep(fixture, 'k', first.held, 'email');
			const second = await takeOver(fixture, 'k');
			expect(second.event).toMatchObject({
				attempt: 2,
				executionId: 'bob',
				createdAt: first.event.createdAt,
			});
			expect(second.steps).toMatchObject([
				{ name: 'invoice', state: 'done', output: { id: 7 }, attempt: 1 },
				{ name: 'email', state: 'started', attempt: 1, tries: 1 },
			]);
			expect((await look(fixture, 'k')).event.input).toEqual({ n: 1 });
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_done', 'step_started', 'recovered']);
		},
	},
	{
		name: 'lease over, same claimant: recovered or review like anybody else',
		async run(fixture) {
			await win(fixture, 'a');
			await fixture.expireLease(at(fixture, 'a'));
			expect((await win(fixture, 'a', { onStopped: 'takeover' })).outcome).toBe('recovered');
			const { held } = await win(fixture, 'b');
			await fixture.expireLease(at(fixture, 'b'));
			expect((await lose(fixture, 'b', { actsFor: held.holder })).outcome).toBe('review');
		},
	},
	{
		name: 'lease over, policy review (the default): review, and why',
		async run(fixture) {
			await win(fixture, 'k', { claimant: claimant('17') });
			await fixture.expireLease(at(fixture, 'k'));
			const lost = await lose(fixture, 'k', { claimant: BOB });
			expect(lost).toMatchObject({
				outcome: 'review',
				event: {
					state: 'review',
					attempt: 1,
					executionId: '17',
					duplicates: 1,
					reason: 'Attempt 1 of execution 17 stopped before it finished',
				},
			});
			expect(lost.event!.leaseUntil).toBeUndefined();
			expect(lost.event!.dueAt).toBeLessThanOrEqual(lost.event!.lastSeenAt);
			expect(await history(fixture, 'k')).toMatchObject([
				{ kind: 'new', attempt: 1 },
				{ kind: 'review', attempt: 1, reason: lost.event!.reason },
			]);
			const again = await lose(fixture, 'k', { claimant: BOB, onStopped: 'takeover' });
			expect(again).toMatchObject({
				outcome: 'review',
				event: { duplicates: 2, reason: lost.event!.reason },
			});
			expect(await kinds(fixture, 'k')).toEqual(['new', 'review']);
		},
	},
	{
		name: 'lease over, policy take over, attempts used up: review, and why',
		async run(fixture) {
			await win(fixture, 'k', { maxAttempts: 2 });
			await fixture.expireLease(at(fixture, 'k'));
			const limits = { maxAttempts: 2, onStopped: 'takeover' } as const;
			await win(fixture, 'k', { ...limits, claimant: BOB });
			await fixture.expireLease(at(fixture, 'k'));
			const lost = await lose(fixture, 'k', { ...limits, claimant: claimant('carol') });
			expect(lost).toMatchObject({
				outcome: 'review',
				event: { state: 'review', attempt: 2, reason: 'All 2 attempts are used up' },
			});
		},
	},
	{
		name: 'failed, attempts left: retry, with the finished steps and without the reason',
		async run(fixture) {
			const first = await win(fixture, 'k', { input: 'first', fingerprint: 'fp' });
			await finishStep(fixture, 'k', first.held, 'invoice', 7);
			await fail(fixture, 'k', first.held);
			const second = await win(fixture, 'k', { claimant: BOB, input: 'second' });
			expect(second).toMatchObject({
				outcome: 'retry',
				event: { state: 'processing', attempt: 2, executionId: 'bob', fingerprint: 'fp' },
				steps: [{ name: 'invoice', state: 'done', output: 7 }],
			});
			expect(second.event.reason).toBeUndefined();
			const { event } = await look(fixture, 'k');
			expect(event).toEqual({ ...second.event, input: 'second' });
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_done', 'failed', 'retry']);
		},
	},
	{
		name: 'attempts used up by failures: review instead of another retry',
		async run(fixture) {
			for (const outcome of ['new', 'retry', 'retry']) {
				const won = await win(fixture, 'k', { maxAttempts: 3 });
				expect(won.outcome).toBe(outcome);
				await fail(fixture, 'k', won.held, 'No connection');
			}
			const { event } = await look(fixture, 'k');
			expect(event).toMatchObject({ state: 'review', attempt: 3 });
			expect(event.reason).toContain('No connection');
			const lost = await lose(fixture, 'k', { maxAttempts: 3 });
			expect(lost).toMatchObject({ outcome: 'review', event: { attempt: 3, duplicates: 1 } });
			expect(await kinds(fixture, 'k')).toEqual([
				'new',
				'failed',
				'retry',
				'failed',
				'retry',
				'review',
			]);
		},
	},
];
