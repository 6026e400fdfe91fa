import { type EventAddress } from '../../../ledger/records';
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
	lose,
	review,
	sum,
	takeOver,
	wait,
	win,
} from './helpers';

/** The counts over all events. */
export const stats: Case[] = [
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
			await wait(fixture, 'waiting', (await win(fixture, 'waiting')).held);
			await lose(fixture, 'waiting');
			const done = await win(fixture, 'done');
			await beginStep(fixture, 'done', done.held, 'email');
			await finishStep(fixture, 'done', done.held, 'email');
			await complete(fixture, 'done', done.held);
			await complete(fixture, 'done', done.held);
			await lose(fixture, 'done');
			await lose(fixture, 'done');
			await fail(fixture, 'failed', (await win(fixture, 'failed')).held);
			await fail(fixture, 'failed', (await win(fixture, 'failed')).held);
			await review(fixture, 'review', (await win(fixture, 'review')).held);
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
			await fail(fixture, 'v1', old.held);
			await win(fixture, 'v2', ordering(2));
			await lose(fixture, 'v1', ordering(1));
			await lose(fixture, 'v0', ordering(0));
			const { held } = await win(fixture, 'expired');
			await complete(fixture, 'expired', held);
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
