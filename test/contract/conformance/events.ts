import { EventChangedError, EventClosedError } from '../../../ledger/errors';
import type { EventState } from '../../../ledger/records';
import type { Case, Fixture } from './Case';
import {
	at,
	beginStep,
	BOB,
	complete,
	fail,
	type Held,
	history,
	HOUR,
	kinds,
	look,
	lose,
	ok,
	refused,
	review,
	unchanged,
	wait,
	win,
} from './helpers';

async function done(fixture: Fixture, key: string, held: Held) {
	await complete(fixture, key, held, 'result');
}

/** Brings one event into each state; its key is the state. */
async function oneOfEach(fixture: Fixture): Promise<EventState[]> {
	const bring = { processing: async () => {}, waiting: wait, done, failed: fail, review };
	for (const [state, act] of Object.entries(bring)) {
		const { held } = await win(fixture, state, { input: 'in' });
		await act(fixture, state, held);
		expect((await look(fixture, state)).event.state).toBe(state);
	}
	return Object.keys(bring) as EventState[];
}

export const events: Case[] = [
	{
		name: 'failing: failed, with its reason, and due when asked for',
		async run(fixture) {
			const { held, event } = await win(fixture, 'k');
			const request = { ...at(fixture, 'k'), ...held, reason: 'No answer', retryAfterMs: 5 * HOUR };
			const failed = await ok(fixture.ledger.failEvents([request]));
			expect(failed).toMatchObject({ repeated: false, event: { state: 'failed', attempt: 1 } });
			expect(failed.event.reason).toBe('No answer');
			expect(failed.event).not.toHaveProperty('leaseUntil');
			expect(failed.event.dueAt! - event.claimedAt).toBeGreaterThanOrEqual(5 * HOUR);
			expect((await history(fixture, 'k'))[1]).toMatchObject({
				kind: 'failed',
				attempt: 1,
				executionId: 'alice',
				reason: 'No answer',
			});
			await unchanged(fixture, 'k', async () => {
				expect(await fail(fixture, 'k', held, 'Other')).toMatchObject({ repeated: true });
				expect(await review(fixture, 'k', held)).toMatchObject({ repeated: true });
			});
			expect((await win(fixture, 'k', { claimant: BOB })).outcome).toBe('retry');
		},
	},
	{
		name: 'failing into review: a person has to decide',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { event, repeated } = await review(fixture, 'k', held);
			expect(repeated).toBe(false);
			expect(event).toMatchObject({ state: 'review', reason: 'Look at it' });
			expect(event).not.toHaveProperty('leaseUntil');
			expect(await kinds(fixture, 'k')).toEqual(['new', 'review']);
			await unchanged(fixture, 'k', async () => {
				expect((await fail(fixture, 'k', held)).repeated).toBe(true);
			});
		},
	},
	{
		name: 'an event that waits at a gate can be failed by its holder',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await wait(fixture, 'k', held);
			expect((await fail(fixture, 'k', held)).event.state).toBe('failed');
			expect((await win(fixture, 'k', { claimant: BOB })).outcome).toBe('retry');
		},
	},
	{
		name: 'an operator may complete an event in any state, whatever its steps',
		async run(fixture) {
			const { held } = await win(fixture, 'unfinished');
			await beginStep(fixture, 'unfinished', held, 'email');
			for (const state of [...(await oneOfEach(fixture)), 'unfinished']) {
				const address = at(fixture, state);
				const done = await ok(
					fixture.ledger.completeEvents([
						{ ...address, by: 'olga', result: 'by hand', reason: 'Checked' },
					]),
				);
				expect(done).toMatchObject({ repeated: state === 'done', event: { state: 'done' } });
				expect(done.event).not.toHaveProperty('leaseUntil');
				expect(done.event).not.toHaveProperty('dueAt');
				expect(done.event).not.toHaveProperty('reason');
				if (state === 'done') continue;
				expect((await look(fixture, state)).event).toMatchObject({ result: 'by hand' });
				expect((await history(fixture, state)).at(-1)).toMatchObject({
					kind: 'completed',
					by: 'olga',
					reason: 'Checked',
				});
				expect((await lose(fixture, state, { claimant: BOB })).outcome).toBe('duplicate');
			}
		},
	},
	{
		name: 'an operator may fail an event in any state but done',
		async run(fixture) {
			for (const state of await oneOfEach(fixture)) {
				const request = { ...at(fixture, state), by: 'olga', as: 'review', reason: 'Hm' } as const;
				if (state === 'done') {
					await unchanged(fixture, state, async () => {
						await refused(fixture.ledger.failEvents([request]), EventClosedError);
					});
					continue;
				}
				const failed = await ok(fixture.ledger.failEvents([request]));
				expect(failed).toMatchObject({ repeated: false, event: { state: 'review', reason: 'Hm' } });
				const last = (await history(fixture, state)).at(-1);
				expect(last).toMatchObject({ kind: 'review', by: 'olga', reason: 'Hm' });
				expect((await look(fixture, state)).event.input).toBe('in');
			}
		},
	},
	{
		name: 'an operator may release an event in any state: failed, due at once, claimable',
		async run(fixture) {
			for (const state of await oneOfEach(fixture)) {
				const released = await ok(
					fixture.ledger.releaseEvents([{ ...at(fixture, state), by: 'olga' }]),
				);
				expect(released).toMatchObject({
					repeated: false,
					event: { state: 'failed', attempt: 1, reason: 'Released' },
				});
				expect(released.event).not.toHaveProperty('leaseUntil');
				expect(released.event).not.toHaveProperty('expiresAt');
				expect(released.event.dueAt).toBeLessThan(released.event.createdAt + HOUR);
				expect((await history(fixture, state)).at(-1)).toMatchObject({
					kind: 'released',
					by: 'olga',
				});
				const won = await win(fixture, state, { claimant: BOB });
				expect(won).toMatchObject({ outcome: 'retry', event: { attempt: 2 } });
				// What an earlier attempt left is not the new claim's.
				for (const value of ['reason', 'result', 'input']) {
					expect(won.event).not.toHaveProperty(value);
				}
			}
		},
	},
	{
		name: 'the holder may release what it holds, with a reason',
		async run(fixture) {
			for (const waits of [false, true]) {
				const key = `waits ${waits}`;
				const { held } = await win(fixture, key);
				if (waits) await wait(fixture, key, held);
				const request = { ...at(fixture, key), ...held, reason: 'Shutting down' };
				const released = await ok(fixture.ledger.releaseEvents([request]));
				expect(released).toMatchObject({
					repeated: false,
					event: { state: 'failed', reason: 'Shutting down' },
				});
				await unchanged(fixture, key, async () => {
					expect(await ok(fixture.ledger.releaseEvents([request]))).toMatchObject({
						repeated: true,
					});
				});
			}
		},
	},
	{
		name: 'after a release the attempts count from zero, the attempt number goes on',
		async run(fixture) {
			for (let attempt = 1; attempt <= 2; attempt++) {
				const { held } = await win(fixture, 'k', { maxAttempts: 2 });
				await fail(fixture, 'k', held);
			}
			expect((await look(fixture, 'k')).event.state).toBe('review');
			await ok(fixture.ledger.releaseEvents([{ ...at(fixture, 'k'), by: 'olga' }]));
			for (const state of ['failed', 'review']) {
				const { held } = await win(fixture, 'k', { maxAttempts: 2 });
				expect((await fail(fixture, 'k', held)).event.state).toBe(state);
			}
			expect((await look(fixture, 'k')).event.attempt).toBe(4);
		},
	},
	{
		name: 'an operator may say in which state the event has to be, so that the first decision holds',
		async run(fixture) {
			const { ledger } = fixture;
			for (const key of ['a', 'b', 'c']) await review(fixture, key, (await win(fixture, key)).held);
			const decided = (key: string) => ({
				...at(fixture, key),
				by: 'olga',
				reason: 'why',
				inState: 'review' as const,
			});
			await ok(ledger.completeEvents([decided('a')]));
			await ok(ledger.releaseEvents([decided('b')]));
			await ok(ledger.failEvents([{ ...decided('c'), as: 'review' }]));
			for (const key of ['a', 'b']) {
				await unchanged(fixture, key, async () => {
					await refused(ledger.releaseEvents([decided(key)]), EventChangedError);
					await refused(ledger.failEvents([decided(key)]), EventChangedError);
				});
			}
			await refused(ledger.completeEvents([decided('b')]), EventChangedError);
			expect(await ok(ledger.completeEvents([decided('a')]))).toMatchObject({ repeated: true });
		},
	},
];
