import type { EventState } from '../../../ledger/records';
import type { Case } from './Case';
import {
	at,
	BOB,
	claimant,
	complete,
	fail,
	type Held,
	history,
	kinds,
	look,
	lose,
	pause,
	release,
	review,
	untilPast,
	wait,
	win,
} from './helpers';

/** The same key with other content: nobody can know which is right, so both are kept for a person. */
export const conflicts: Case[] = [
	{
		name: 'another fingerprint: conflict in every state, and nothing changes but what is said of it',
		async run(fixture) {
			const bring: Record<EventState, (key: string, held: Held) => Promise<unknown>> = {
				processing: async () => {},
				waiting: (key, held) => wait(fixture, key, held),
				done: (key, held) => complete(fixture, key, held, 'result'),
				failed: (key, held) => fail(fixture, key, held),
				review: (key, held) => review(fixture, key, held),
			};
			for (const [state, act] of Object.entries(bring)) {
				const { held } = await win(fixture, state, { fingerprint: 'one', input: 'first' });
				await act(state, held);
				const before = await look(fixture, state);
				const past = await history(fixture, state);
				const lost = await lose(fixture, state, { fingerprint: 'two', onStopped: 'takeover' });
				expect(lost).toMatchObject({ outcome: 'conflict', event: { state, fingerprint: 'one' } });
				expect(lost.event!.result).toBe(state === 'done' ? 'result' : undefined);
				const after = await look(fixture, state);
				const { lastSeenAt } = lost.event!;
				expect(after).toEqual({
					...before,
					event: { ...before.event, duplicates: 1, conflicts: 1, lastSeenAt },
					conflicts: [{ at: lastSeenAt, executionId: 'alice', fingerprint: 'two' }],
				});
				const entry = { at: lastSeenAt, kind: 'conflict', attempt: 1, executionId: 'alice' };
				expect(await history(fixture, state)).toEqual([...past, entry]);
			}
		},
	},
	{
		name: 'the other content is kept, with who brought it',
		async run(fixture) {
			await win(fixture, 'k', { fingerprint: 'one', input: { amount: 100 } });
			const other = { claimant: BOB, fingerprint: 'two', input: { amount: 200 } };
			const lost = await lose(fixture, 'k', other);
			expect(lost.event).not.toHaveProperty('input');
			const { event, conflicts: kept } = await look(fixture, 'k');
			expect(event).toMatchObject({ input: { amount: 100 }, executionId: 'alice', conflicts: 1 });
			expect(kept).toEqual([
				{
					at: event.lastSeenAt,
					executionId: 'bob',
					fingerprint: 'two',
					input: { amount: 200 },
				},
			]);
			const [listed] = (await fixture.ledger.list({ namespace: fixture.namespace })).events;
			expect(listed.conflicts).toBe(1);
		},
	},
	{
		name: 'the newest five are kept, newest first, and all of them are counted',
		async run(fixture) {
			await win(fixture, 'k', { fingerprint: 'one' });
			for (let i = 1; i <= 7; i++) {
				const lost = await lose(fixture, 'k', {
					claimant: claimant(`execution ${i}`),
					fingerprint: `other ${i}`,
					input: i,
				});
				expect(lost.event).toMatchObject({ conflicts: i, duplicates: i });
				await untilPast(fixture, lost.event!.lastSeenAt);
			}
			const { event, conflicts: kept } = await look(fixture, 'k');
			expect(event).toMatchObject({ conflicts: 7, duplicates: 7, attempt: 1 });
			expect(kept.map(({ input }) => input)).toEqual([7, 6, 5, 4, 3]);
			expect((await kinds(fixture, 'k')).filter((kind) => kind === 'conflict')).toHaveLength(7);
		},
	},
	{
		name: 'several in one batch: each is kept, the last first',
		async run(fixture) {
			await win(fixture, 'k', { fingerprint: 'one' });
			await fixture.ledger.claimEvents(
				[1, 2, 3, 4, 5, 6].map((i) => ({
					...at(fixture, 'k'),
					claimant: claimant('bob', i),
					fingerprint: `other ${i}`,
				})),
			);
			const { event, conflicts: kept } = await look(fixture, 'k');
			expect(event).toMatchObject({ conflicts: 6, duplicates: 6 });
			expect(kept.map(({ fingerprint }) => fingerprint)).toEqual(
				[6, 5, 4, 3, 2].map((i) => `other ${i}`),
			);
		},
	},
	{
		name: 'conflicts stay with the event through retries, and go with it',
		async run(fixture) {
			const first = await win(fixture, 'k', { fingerprint: 'one' });
			await lose(fixture, 'k', { fingerprint: 'two' });
			await fail(fixture, 'k', first.held);
			const second = await win(fixture, 'k', { fingerprint: 'one' });
			expect(second.event.conflicts).toBe(1);
			await pause(fixture, 'k', second.held);
			await lose(fixture, 'k', { fingerprint: 'three' });
			await complete(fixture, 'k', second.held);
			await release(fixture, 'k');
			const third = await win(fixture, 'k');
			await complete(fixture, 'k', third.held);
			const found = await look(fixture, 'k');
			expect(found.event.conflicts).toBe(2);
			expect(found.conflicts.map(({ fingerprint }) => fingerprint)).toEqual(['three', 'two']);
			await fixture.expireRecord(at(fixture, 'k'));
			const { event } = await win(fixture, 'k', { fingerprint: 'two' });
			expect(event).not.toHaveProperty('conflicts');
			expect((await look(fixture, 'k')).conflicts).toEqual([]);
		},
	},
];
