import { type EventAddress, HISTORY_LIMIT } from '../../../ledger/records';
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
	look,
	lose,
	review,
	sum,
	takeOver,
	wait,
	win,
} from './helpers';

/** Reads of single events, and the counts over all of them. Lists are in lists.ts. */
export const reads: Case[] = [
	{
		name: 'get answers in the order of the addresses, with a gap for what is not there',
		async run(fixture) {
			await win(fixture, 'a', { input: 1 });
			await win(fixture, 'b', { input: 2 });
			const keys = ['b', 'nothing', 'a', 'b'];
			const found = await fixture.ledger.get(keys.map((key) => at(fixture, key)));
			expect(found.map((details) => details?.event.input)).toEqual([2, undefined, 1, 2]);
			expect(found[1]).toBeUndefined();
			const elsewhere = { namespace: `${fixture.namespace} 2`, key: 'a' };
			expect(await fixture.ledger.get([elsewhere])).toEqual([undefined]);
		},
	},
	{
		name: 'history: oldest first, with who and what, and none for an unknown event',
		async run(fixture) {
			expect(await history(fixture, 'k')).toEqual([]);
			const { token } = await win(fixture, 'k');
			await beginStep(fixture, 'k', token, 'email');
			await finishStep(fixture, 'k', token, 'email');
			const bob = await takeOver(fixture, 'k');
			await complete(fixture, 'k', bob.token);
			const entries = await history(fixture, 'k');
			expect(entries).toMatchObject([
				{ kind: 'new', attempt: 1, executionId: 'alice' },
				{ kind: 'step_started', attempt: 1, executionId: 'alice', step: 'email' },
				{ kind: 'step_done', attempt: 1, step: 'email' },
				{ kind: 'recovered', attempt: 2, executionId: 'bob' },
				{ kind: 'completed', attempt: 2 },
			]);
			const times = entries.map((entry) => entry.at);
			expect(times).toEqual([...times].sort((a, b) => a - b));
		},
	},
	{
		name: 'history keeps the newest 100 entries',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const starts = HISTORY_LIMIT + 20;
			const begin = {
				...at(fixture, 'k'),
				token,
				step: 'step',
				claimant: ALICE,
				whenInDoubt: 'repeat' as const,
			};
			for (let i = 0; i < 2; i++) {
				await fixture.ledger.beginSteps(Array(starts / 2).fill(begin));
			}
			await finishStep(fixture, 'k', token, 'step');
			const entries = await history(fixture, 'k');
			expect(entries).toHaveLength(HISTORY_LIMIT);
			expect(entries.at(-1)!.kind).toBe('step_done');
			expect(entries[0].kind).toBe('step_started');
			expect((await look(fixture, 'k')).steps[0].tries).toBe(starts);
		},
	},
	{
		name: 'stats count every new event of a batch, of one namespace and of several',
		async run(fixture) {
			const other = `${fixture.namespace} other`;
			const claims = (...addresses: EventAddress[]) =>
				fixture.ledger.claimEvents(addresses.map((address) => ({ ...address, claimant: ALICE })));
			await claims(at(fixture, 'a'), at(fixture, 'b'), at(fixture, 'c'));
			await claims(
				at(fixture, 'd'),
				{ namespace: other, key: 'a' },
				{ namespace: other, key: 'b' },
			);
			const newIn = async (namespace: string) => {
				const { tallies } = await fixture.ledger.stats({ namespace });
				return sum(tallies);
			};
			expect(await newIn(fixture.namespace)).toEqual({ new: 4 });
			expect(await newIn(other)).toEqual({ new: 2 });
		},
	},
	{
		name: 'stats count what is there and what was done',
		async run(fixture) {
			const mine = { namespace: fixture.namespace };
			const empty = await fixture.ledger.stats(mine);
			const none = { processing: 0, waiting: 0, done: 0, failed: 0, review: 0 };
			expect(empty).toEqual({ events: none, tallies: [] });

			await win(fixture, 'processing', { fingerprint: 'fp' });
			await lose(fixture, 'processing', { claimant: BOB });
			await lose(fixture, 'processing', { fingerprint: 'other' });
			await wait(fixture, 'waiting', (await win(fixture, 'waiting')).token);
			await lose(fixture, 'waiting');
			const done = await win(fixture, 'done');
			await beginStep(fixture, 'done', done.token, 'email');
			await finishStep(fixture, 'done', done.token, 'email');
			await complete(fixture, 'done', done.token);
			await complete(fixture, 'done', done.token);
			await lose(fixture, 'done');
			await lose(fixture, 'done');
			await fail(fixture, 'failed', (await win(fixture, 'failed')).token);
			await fail(fixture, 'failed', (await win(fixture, 'failed')).token);
			await review(fixture, 'review', (await win(fixture, 'review')).token);
			await lose(fixture, 'review');
			await win(fixture, 'stopped');
			await fixture.expireLease(at(fixture, 'stopped'));
			await lose(fixture, 'stopped', { claimant: BOB });
			await win(fixture, 'taken over');
			await takeOver(fixture, 'taken over');
			await win(fixture, 'taken over', { claimant: BOB });
			await fixture.ledger.importRecords([at(fixture, 'imported'), at(fixture, 'imported')]);

			const { events, tallies } = await fixture.ledger.stats(mine);
			expect(events).toEqual({ processing: 2, waiting: 1, done: 2, failed: 1, review: 2 });
			expect(sum(tallies)).toEqual({
				new: 7,
				in_progress: 1,
				conflict: 1,
				approval_requested: 1,
				waiting: 1,
				step_started: 1,
				step_done: 1,
				completed: 1,
				duplicate: 2,
				failed: 2,
				retry: 1,
				review: 3,
				recovered: 1,
				resumed: 1,
				imported: 1,
			});
			const day = /^\d{4}-\d\d-\d\d$/;
			for (const tally of tallies) {
				expect(tally).toMatchObject({ ...mine, day: expect.stringMatching(day) });
			}
			const all = await fixture.ledger.stats();
			expect(all.tallies).toEqual(expect.arrayContaining(tallies));
			expect(all.events.review).toBeGreaterThanOrEqual(2);
		},
	},
	{
		name: 'stats count what is superseded, forgotten and turned away without a record',
		async run(fixture) {
			const ordering = (version: number) => ({ ordering: { object: 'o', version } });
			const old = await win(fixture, 'v1', ordering(1));
			await fail(fixture, 'v1', old.token);
			await win(fixture, 'v2', ordering(2));
			await lose(fixture, 'v1', ordering(1));
			await lose(fixture, 'v0', ordering(0));
			const { token } = await win(fixture, 'expired');
			await complete(fixture, 'expired', token);
			await fixture.expireRecord(at(fixture, 'expired'));
			await win(fixture, 'expired', { claimant: claimant('again') });
			const { events, tallies } = await fixture.ledger.stats({ namespace: fixture.namespace });
			expect(events).toMatchObject({ processing: 2, done: 1, failed: 0 });
			expect(sum(tallies)).toEqual({
				new: 4,
				failed: 1,
				stale: 2,
				superseded: 1,
				completed: 1,
				purged: 1,
			});
		},
	},
];

/** Over all days, in case it is midnight. */
