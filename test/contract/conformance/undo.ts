import {
	EventClosedError,
	EventInUseError,
	EventNotFoundError,
	StaleClaimError,
	StepNotDoneError,
} from '../../../ledger/errors';
import type { TakeUndosRequest } from '../../../ledger/Ledger';
import type { Case, Fixture } from './Case';
import {
	at,
	beginStep,
	BOB,
	complete,
	fail,
	type Held,
	kinds,
	look,
	ok,
	refused,
	takeOver,
	unchanged,
	untilPast,
	wait,
	win,
} from './helpers';

const OLGA = { by: 'olga' };

async function doneWithUndo(fixture: Fixture, key: string, held: Held, step: string) {
	const request = {
		...at(fixture, key),
		...held,
		step,
		output: `${step} out`,
		undo: { cancel: step },
	};
	const { step: done } = await ok(fixture.ledger.finishSteps([request]));
	// So that the order of ends is one of time too.
	await untilPast(fixture, done.finishedAt!);
}

/** A failed event with two steps that can be undone, one that cannot, one in doubt and one that failed. */
async function saga(fixture: Fixture, key = 'k'): Promise<Held> {
	const { held } = await win(fixture, key);
	await beginStep(fixture, key, held, 'hotel');
	await doneWithUndo(fixture, key, held, 'flight');
	await doneWithUndo(fixture, key, held, 'hotel');
	await ok(fixture.ledger.finishSteps([{ ...at(fixture, key), ...held, step: 'mail' }]));
	const failed = { ...at(fixture, key), ...held, step: 'car', state: 'failed' as const, undo: 1 };
	await ok(fixture.ledger.finishSteps([failed]));
	await beginStep(fixture, key, held, 'in doubt');
	await fail(fixture, key, held);
	return held;
}

async function take(fixture: Fixture, request: Partial<TakeUndosRequest> = OLGA, key = 'k') {
	const asked = { ...at(fixture, key), ...request } as TakeUndosRequest;
	const { steps } = await ok(fixture.ledger.takeUndos([asked]));
	return steps.map(({ name }) => name);
}

async function markUndone(fixture: Fixture, step: string) {
	return await ok(
		fixture.ledger.markUndone([{ ...at(fixture, 'k'), step, ...OLGA, reason: 'No car' }]),
	);
}

export const undo: Case[] = [
	{
		name: 'hands out finished steps that can be undone, the one that was finished last first',
		async run(fixture) {
			await saga(fixture);
			const { steps, event } = await ok(
				fixture.ledger.takeUndos([{ ...at(fixture, 'k'), ...OLGA }]),
			);
			// The hotel was begun first and finished last.
			expect(steps).toMatchObject([
				{ name: 'hotel', state: 'done', output: 'hotel out', undo: { cancel: 'hotel' } },
				{ name: 'flight', state: 'done', output: 'flight out', undo: { cancel: 'flight' } },
			]);
			expect(steps).toEqual(expect.arrayContaining((await look(fixture, 'k')).steps.slice(0, 2)));
			expect(event.state).toBe('failed');
			expect((await kinds(fixture, 'k')).at(-1)).toBe('undo_taken');
		},
	},
	{
		name: 'to one caller at a time, and again after the time-out, what is not undone by then',
		async run(fixture) {
			await saga(fixture);
			const other = { ...fixture, ledger: await fixture.openAnother() };
			const takers = [fixture, other, fixture, other];
			const got = await Promise.all(takers.map((taker) => take(taker)));
			expect(got.filter(({ length }) => length > 0)).toEqual([['hotel', 'flight']]);
			await unchanged(fixture, 'k', async () => expect(await take(fixture)).toEqual([]));
			await markUndone(fixture, 'hotel');
			expect(await take(fixture)).toEqual([]);

			await saga(fixture, 'later');
			await take(fixture, { ...OLGA, visibilityMs: 1 }, 'later');
			const { event } = await look(fixture, 'later');
			await untilPast(fixture, event.claimedAt + 50);
			const undone = { ...at(fixture, 'later'), step: 'hotel', ...OLGA };
			await ok(fixture.ledger.markUndone([undone]));
			expect(await take(fixture, OLGA, 'later')).toEqual(['flight']);
		},
	},
	{
		name: 'a step that was undone is recorded, once, and may be run again',
		async run(fixture) {
			await saga(fixture);
			expect(await markUndone(fixture, 'flight')).toMatchObject({
				repeated: false,
				step: { name: 'flight', state: 'undone', undo: { cancel: 'flight' } },
			});
			await unchanged(fixture, 'k', async () => {
				expect(await markUndone(fixture, 'flight')).toMatchObject({
					repeated: true,
					step: { state: 'undone' },
				});
			});
			expect((await fixture.ledger.history(at(fixture, 'k'))).at(-1)).toMatchObject({
				kind: 'step_undone',
				step: 'flight',
				by: 'olga',
				reason: 'No car',
			});
			const { held } = await win(fixture, 'k', { claimant: BOB });
			expect(await beginStep(fixture, 'k', held, 'flight')).toMatchObject({ outcome: 'run' });
			expect(await beginStep(fixture, 'k', held, 'hotel')).toMatchObject({ outcome: 'done' });
			await doneWithUndo(fixture, 'k', held, 'flight');
			expect(await take(fixture, { ...held })).toEqual(['flight', 'hotel']);
		},
	},
	{
		name: 'what is not finished cannot be undone',
		async run(fixture) {
			await saga(fixture);
			for (const step of ['in doubt', 'car', 'nothing']) {
				const request = { ...at(fixture, 'k'), step, ...OLGA };
				await unchanged(fixture, 'k', async () => {
					await refused(fixture.ledger.markUndone([request]), StepNotDoneError);
				});
			}
		},
	},
	{
		name: 'the holder may undo, which renews its lease; an operator only what nobody is working on',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await doneWithUndo(fixture, 'k', held, 'flight');
			const asked = { ...at(fixture, 'k'), step: 'flight' };
			const byOlga = { ...asked, ...OLGA };
			await unchanged(fixture, 'k', async () => {
				await refused(fixture.ledger.takeUndos([byOlga]), EventInUseError);
				await refused(fixture.ledger.markUndone([byOlga]), EventInUseError);
			});
			const before = (await look(fixture, 'k')).event.leaseUntil!;
			expect(await take(fixture, { ...held })).toEqual(['flight']);
			expect((await look(fixture, 'k')).event.leaseUntil).toBeGreaterThan(before);
			await ok(fixture.ledger.markUndone([{ ...asked, ...held }]));

			await doneWithUndo(fixture, 'k', held, 'hotel');
			await fixture.expireLease(at(fixture, 'k'));
			expect(await take(fixture)).toEqual(['hotel']);
			await takeOver(fixture, 'k');
			await refused(fixture.ledger.takeUndos([{ ...asked, ...held }]), StaleClaimError);
			await refused(fixture.ledger.markUndone([{ ...asked, ...held }]), StaleClaimError);
		},
	},
	{
		name: 'not while it waits for a decision, nor by a holder whose event is over',
		async run(fixture) {
			const { held } = await win(fixture, 'waiting');
			await wait(fixture, 'waiting', held);
			const waiting = at(fixture, 'waiting');
			await refused(fixture.ledger.takeUndos([{ ...waiting, ...OLGA }]), EventInUseError);
			await refused(fixture.ledger.takeUndos([{ ...waiting, ...held }]), EventClosedError);
			const done = await win(fixture, 'done');
			await doneWithUndo(fixture, 'done', done.held, 'flight');
			await complete(fixture, 'done', done.held);
			const byHolder = { ...at(fixture, 'done'), ...done.held };
			await refused(fixture.ledger.takeUndos([byHolder]), EventClosedError);
			expect(await take(fixture, OLGA, 'done')).toEqual(['flight']);
			const missing = { ...at(fixture, 'missing'), step: 's', ...OLGA };
			await refused(fixture.ledger.takeUndos([missing]), EventNotFoundError);
			await refused(fixture.ledger.markUndone([missing]), EventNotFoundError);
		},
	},
	{
		name: 'who took over gets at once what the run before had, and one run gets it once',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await doneWithUndo(fixture, 'k', held, 'flight');
			expect(await take(fixture, { ...held })).toEqual(['flight']);
			expect(await take(fixture, { ...held })).toEqual([]);
			const { held: next } = await takeOver(fixture, 'k');
			expect(await take(fixture, { ...next })).toEqual(['flight']);
			expect(await take(fixture, { ...next })).toEqual([]);
			await fail(fixture, 'k', next);
			expect(await take(fixture)).toEqual([]);
		},
	},
	{
		name: 'an event that nobody touched since its claim has nothing to undo',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			expect(await take(fixture, { ...held })).toEqual([]);
		},
	},
];
