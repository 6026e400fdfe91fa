import { EventChangedError, EventClosedError, UnfinishedStepsError } from '../../../ledger/errors';
import type { EventState, JsonValue } from '../../../ledger/records';
import type { Case, Fixture } from './Case';
import {
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
	ok,
	refused,
	review,
	takeOver,
	unchanged,
	wait,
	win,
} from './helpers';

async function done(fixture: Fixture, key: string, token: string) {
	await complete(fixture, key, token, 'result');
}

/** Brings one event into each state; its key is the state. */
async function oneOfEach(fixture: Fixture): Promise<EventState[]> {
	const bring = { processing: async () => {}, waiting: wait, done, failed: fail, review };
	for (const [state, act] of Object.entries(bring)) {
		const { token } = await win(fixture, state, { input: 'in' });
		await act(fixture, state, token);
		expect((await look(fixture, state)).event.state).toBe(state);
	}
	return Object.keys(bring) as EventState[];
}

export const events: Case[] = [
	{
		name: 'completing: done, with its result, and without lease, due time and input',
		async run(fixture) {
			const { token, event } = await win(fixture, 'k', { input: 'in', retentionMs: 9 * HOUR });
			const request = { ...at(fixture, 'k'), token, result: { ok: 1 }, externalId: 'inv_1' };
			const done = await ok(fixture.ledger.completeEvents([request]));
			expect(done.repeated).toBe(false);
			const expected = {
				...event,
				state: 'done',
				doneAt: done.event.doneAt,
				expiresAt: done.event.doneAt! + 9 * HOUR,
				externalId: 'inv_1',
				leaseUntil: undefined,
				dueAt: undefined,
			};
			expect(done.event).toEqual(expected);
			expect(done.event.doneAt).toBeGreaterThanOrEqual(event.claimedAt);
			expect((await look(fixture, 'k')).event).toEqual({ ...expected, result: { ok: 1 } });
			expect(await history(fixture, 'k')).toMatchObject([
				{ kind: 'new' },
				{ kind: 'completed', attempt: 1, at: done.event.doneAt },
			]);
		},
	},
	{
		name: 'the input survives failures, and the end only when it is kept on purpose',
		async run(fixture) {
			const { token } = await win(fixture, 'k', { input: 'in' });
			await fail(fixture, 'k', token);
			expect((await look(fixture, 'k')).event.input).toBe('in');
			const second = await win(fixture, 'k', { keepInput: true });
			await complete(fixture, 'k', second.token);
			expect((await look(fixture, 'k')).event.input).toBe('in');
		},
	},
	{
		name: 'no result, null, false, zero and empty text are different results',
		async run(fixture) {
			const results: Array<JsonValue | undefined> = [undefined, null, false, 0, ''];
			for (const [i, result] of results.entries()) {
				const { token } = await win(fixture, `k${i}`);
				await complete(fixture, `k${i}`, token, result);
				const { event } = await lose(fixture, `k${i}`);
				expect(event!.result).toBe(result);
				expect(event!.state).toBe('done');
			}
		},
	},
	{
		name: 'completing again changes nothing and says what is stored',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			await complete(fixture, 'k', token, 'first');
			await unchanged(fixture, 'k', async () => {
				const again = await complete(fixture, 'k', token, 'second');
				expect(again).toMatchObject({ repeated: true, result: 'first' });
				const operator = { ...at(fixture, 'k'), by: 'olga', result: 'third' };
				const repeated = await ok(fixture.ledger.completeEvents([operator]));
				expect(repeated).toMatchObject({ repeated: true, result: 'first' });
			});
		},
	},
	{
		name: 'completing is refused while a step is started and not finished',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			for (const step of ['zeta', 'done', 'alpha', 'failed']) {
				await beginStep(fixture, 'k', token, step);
			}
			await finishStep(fixture, 'k', token, 'done');
			const request = { ...at(fixture, 'k'), token, result: 'result' };
			const failed = { ...at(fixture, 'k'), token, step: 'failed', state: 'failed' as const };
			await ok(fixture.ledger.finishSteps([failed]));
			const before = await look(fixture, 'k');
			const error = await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
			expect(error.steps).toEqual(['zeta', 'alpha']);
			const { event, steps } = await look(fixture, 'k');
			expect(event).toMatchObject({ state: 'processing', attempt: 1 });
			expect(event).not.toHaveProperty('result');
			expect(steps).toEqual(before.steps);
			await finishStep(fixture, 'k', token, 'zeta');
			await finishStep(fixture, 'k', token, 'alpha');
			expect((await complete(fixture, 'k', token, 'result')).repeated).toBe(false);
		},
	},
	{
		name: 'completing is refused for a step that an earlier attempt left unfinished',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await beginStep(fixture, 'k', first.token, 'email');
			const { token } = await takeOver(fixture, 'k');
			const request = { ...at(fixture, 'k'), token };
			await refused(fixture.ledger.completeEvents([request]), UnfinishedStepsError);
		},
	},
	{
		name: 'failing: failed, with its reason, and due when asked for',
		async run(fixture) {
			const { token, event } = await win(fixture, 'k');
			const request = { ...at(fixture, 'k'), token, reason: 'No answer', retryAfterMs: 5 * HOUR };
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
				expect(await fail(fixture, 'k', token, 'Other')).toMatchObject({ repeated: true });
				expect(await review(fixture, 'k', token)).toMatchObject({ repeated: true });
			});
			expect((await win(fixture, 'k', { claimant: BOB })).outcome).toBe('retry');
		},
	},
	{
		name: 'failing into review: a person has to decide',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			const { event, repeated } = await review(fixture, 'k', token);
			expect(repeated).toBe(false);
			expect(event).toMatchObject({ state: 'review', reason: 'Look at it' });
			expect(event).not.toHaveProperty('leaseUntil');
			expect(await kinds(fixture, 'k')).toEqual(['new', 'review']);
			await unchanged(fixture, 'k', async () => {
				expect((await fail(fixture, 'k', token)).repeated).toBe(true);
			});
		},
	},
	{
		name: 'an event that waits at a gate can be failed by its holder',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			await wait(fixture, 'k', token);
			expect((await fail(fixture, 'k', token)).event.state).toBe('failed');
			expect((await win(fixture, 'k', { claimant: BOB })).outcome).toBe('retry');
		},
	},
	{
		name: 'an operator may complete an event in any state, whatever its steps',
		async run(fixture) {
			const { token } = await win(fixture, 'unfinished');
			await beginStep(fixture, 'unfinished', token, 'email');
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
				const { token } = await win(fixture, key);
				if (waits) await wait(fixture, key, token);
				const request = { ...at(fixture, key), token, reason: 'Shutting down' };
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
		name: 'completed again after a release: the new result counts, also when there is none',
		async run(fixture) {
			for (const result of ['new', undefined]) {
				const key = `result ${result}`;
				const first = await win(fixture, key);
				await complete(fixture, key, first.token, 'old');
				await ok(fixture.ledger.releaseEvents([{ ...at(fixture, key), by: 'olga' }]));
				const second = await win(fixture, key);
				await complete(fixture, key, second.token, result);
				expect((await look(fixture, key)).event.result).toBe(result);
				const lost = await lose(fixture, key);
				expect(lost).toMatchObject({ outcome: 'duplicate', event: { attempt: 2 } });
				expect(lost.event!.result).toBe(result);
			}
		},
	},
	{
		name: 'after a release the attempts count from zero, the attempt number goes on',
		async run(fixture) {
			for (let attempt = 1; attempt <= 2; attempt++) {
				const { token } = await win(fixture, 'k', { maxAttempts: 2 });
				await fail(fixture, 'k', token);
			}
			expect((await look(fixture, 'k')).event.state).toBe('review');
			await ok(fixture.ledger.releaseEvents([{ ...at(fixture, 'k'), by: 'olga' }]));
			for (const state of ['failed', 'review']) {
				const { token } = await win(fixture, 'k', { maxAttempts: 2 });
				expect((await fail(fixture, 'k', token)).event.state).toBe(state);
			}
			expect((await look(fixture, 'k')).event.attempt).toBe(4);
		},
	},
	{
		name: 'failing by execution: all claims it holds, and nothing else',
		async run(fixture) {
			const executionId = `broken ${fixture.namespace}`;
			const mine = { claimant: claimant(executionId) };
			await win(fixture, 'processing', mine);
			await wait(fixture, 'waiting', (await win(fixture, 'waiting', mine)).token);
			await win(fixture, 'last attempt', { ...mine, maxAttempts: 1 });
			await win(fixture, 'elsewhere', { ...mine, namespace: `${fixture.namespace} 2` });
			await complete(fixture, 'done', (await win(fixture, 'done', mine)).token);
			await fail(fixture, 'failed', (await win(fixture, 'failed', mine)).token, 'Before');
			await review(fixture, 'review', (await win(fixture, 'review', mine)).token);
			await win(fixture, 'taken over', mine);
			await takeOver(fixture, 'taken over');
			await win(fixture, 'other', { claimant: BOB });

			const request = { executionId, reason: 'The workflow broke' };
			const failed = await fixture.ledger.failByExecution(request);
			expect(failed.map(({ key, state }) => `${key}: ${state}`).sort()).toEqual([
				'elsewhere: failed',
				'last attempt: review',
				'processing: failed',
				'waiting: failed',
			]);
			for (const { key, reason } of failed) {
				expect(reason).toContain('The workflow broke');
				if (key !== 'elsewhere') {
					expect((await look(fixture, key)).event.reason).toBe(reason);
				}
			}
			expect((await kinds(fixture, 'processing')).at(-1)).toBe('failed');
			expect((await look(fixture, 'failed')).event.reason).toBe('Before');
			for (const key of ['taken over', 'other']) {
				expect((await look(fixture, key)).event.state).toBe('processing');
			}
			expect(await fixture.ledger.failByExecution(request)).toEqual([]);
			expect(await fixture.ledger.failByExecution({ ...request, executionId: 'none' })).toEqual([]);
		},
	},
	{
		name: 'failing by execution into review',
		async run(fixture) {
			const executionId = `broken ${fixture.namespace}`;
			await win(fixture, 'k', { claimant: claimant(executionId) });
			const failed = await fixture.ledger.failByExecution({
				executionId,
				as: 'review',
				reason: 'Look',
			});
			expect(failed).toMatchObject([{ key: 'k', state: 'review', reason: 'Look' }]);
			expect(await kinds(fixture, 'k')).toEqual(['new', 'review']);
		},
	},
	{
		name: 'an operator may say in which state the event has to be, so that the first decision holds',
		async run(fixture) {
			const { ledger } = fixture;
			for (const key of ['a', 'b', 'c'])
				await review(fixture, key, (await win(fixture, key)).token);
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
