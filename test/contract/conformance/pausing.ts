import { EventClosedError } from '../../../ledger/errors';
import type { Case, Fixture } from './Case';
import { expectFencedOff, HELD_WRITE_NAMES, HELD_WRITES } from './heldWrites';
import {
	ALICE,
	ask,
	at,
	begin,
	BOB,
	claim,
	complete,
	decide,
	fail,
	finishStep,
	history,
	HOUR,
	kinds,
	look,
	lose,
	ok,
	pause,
	refused,
	wait,
	win,
} from './helpers';

async function take({ ledger, namespace }: Fixture, kind: 'stuck' | 'expired_gate') {
	const taken = await ledger.take({ kinds: [kind], namespace, by: 'taker' });
	return taken.map(({ event }) => event.key);
}

/** An execution that waits, for something that is no gate: its events wait with it. */
export const pausing: Case[] = [
	{
		name: 'a pause: the event waits, without a lease, and is on record',
		async run(fixture) {
			const { held, event } = await win(fixture, 'k', { leaseMs: 1, input: 'in' });
			const paused = await pause(fixture, 'k', held);
			expect(paused.repeated).toBe(false);
			expect(paused.event).toEqual({
				...event,
				state: 'waiting',
				leaseUntil: undefined,
				dueAt: undefined,
			});
			expect(await look(fixture, 'k')).toMatchObject({ event: { state: 'waiting', input: 'in' } });
			expect((await history(fixture, 'k')).at(-1)).toMatchObject({
				kind: 'paused',
				attempt: 1,
				executionId: 'alice',
			});
			for (const by of [ALICE, BOB]) {
				const lost = await lose(fixture, 'k', { claimant: by, onStopped: 'takeover' });
				expect(lost.outcome).toBe('waiting');
			}
			expect(await take(fixture, 'stuck')).toEqual([]);
		},
	},
	{
		name: 'for a time: overdue when that and the lease are over',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { leaseMs: HOUR });
			const { event } = await pause(fixture, 'k', held, 5 * HOUR);
			const paused = (await history(fixture, 'k')).at(-1)!;
			expect(event.leaseUntil).toBe(paused.at + 6 * HOUR);
			expect(event.dueAt).toBe(event.leaseUntil);
			expect((await lose(fixture, 'k', { claimant: BOB })).outcome).toBe('waiting');
			await fixture.expirePause(at(fixture, 'k'));
			expect(await take(fixture, 'expired_gate')).toEqual([]);
			expect(await take(fixture, 'stuck')).toEqual(['k']);
			expect(await take(fixture, 'stuck')).toEqual([]);
		},
	},
	{
		name: 'overdue: taken over or to review, like what stopped',
		async run(fixture) {
			for (const outcome of ['recovered', 'review'] as const) {
				const { held } = await win(fixture, outcome, { maxAttempts: 5 });
				await pause(fixture, outcome, held, 0);
				await fixture.expirePause(at(fixture, outcome));
				const onStopped = outcome === 'recovered' ? 'takeover' : 'review';
				const next = await claim(fixture, outcome, { claimant: BOB, onStopped });
				expect(next.outcome).toBe(outcome);
				expect(next.event!.state).toBe(outcome === 'review' ? 'review' : 'processing');
				if (outcome === 'recovered') await expectFencedOff(fixture, outcome, held);
				else await expectFencedOff(fixture, outcome, held, EventClosedError, ['begin', 'renew']);
			}
		},
	},
	{
		name: "the holder's next write continues it, with a fresh lease",
		async run(fixture) {
			for (const name of HELD_WRITE_NAMES.filter((write) => write !== 'requestApproval')) {
				for (const isOverdue of [false, true]) {
					const key = `${name} ${isOverdue}`;
					const { held, event } = await win(fixture, key, { leaseMs: HOUR });
					await pause(fixture, key, held, HOUR);
					if (isOverdue) await fixture.expirePause(at(fixture, key));
					await ok(HELD_WRITES[name](fixture.ledger, { ...at(fixture, key), ...held }));
					const past = await kinds(fixture, key);
					expect(past.slice(0, 2)).toEqual(['new', 'paused']);
					// To give it up or back, nobody has to go on with it first.
					const isGivenUp = name === 'fail' || name === 'release';
					expect(past.filter((kind) => kind === 'continued')).toHaveLength(isGivenUp ? 0 : 1);
					const { event: after } = await look(fixture, key);
					if (after.state === 'processing') {
						expect(after.leaseUntil).toBeGreaterThanOrEqual(event.claimedAt + HOUR);
						expect(after.leaseUntil).toBeLessThan(event.claimedAt + 200 * HOUR);
					}
				}
			}
		},
	},
	{
		name: 'paused again: the newer pause counts, and both are on record',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await pause(fixture, 'k', held, HOUR);
			const { event } = await pause(fixture, 'k', held);
			expect(event.state).toBe('waiting');
			expect(event).not.toHaveProperty('leaseUntil');
			expect(event).not.toHaveProperty('dueAt');
			expect(await kinds(fixture, 'k')).toEqual(['new', 'paused', 'continued', 'paused']);
		},
	},
	{
		name: 'a decision about a gate does not end a pause; the gate keeps others away all the same',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k');
			// While a gate is pending, the holder may not write; one that is not its own does not make it wait.
			await refused(
				fixture.ledger.pauseEvents([{ ...at(fixture, 'waits'), ...(await waiting(fixture)) }]),
				EventClosedError,
			);
			await pause(fixture, 'k', held, HOUR);
			await decide(fixture, 'k', approval.id, 'approved');
			const { event } = await look(fixture, 'k');
			expect(event.state).toBe('waiting');
			expect(event.leaseUntil).toBeGreaterThan(event.claimedAt);
			expect((await begin(fixture, 'k', held)).event.state).toBe('processing');
			await finishStep(fixture, 'k', held, 'step');
			await complete(fixture, 'k', held);
		},
	},
	{
		name: 'asking while paused: from then on it is the gate that the event waits for',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await pause(fixture, 'k', held, HOUR);
			const approval = await wait(fixture, 'k', held);
			const { event } = await look(fixture, 'k');
			expect(event.state).toBe('waiting');
			expect(event).not.toHaveProperty('leaseUntil');
			await decide(fixture, 'k', approval.id, 'approved');
			expect((await look(fixture, 'k')).event.state).toBe('processing');
		},
	},
	{
		name: 'only the holder pauses, and only what it works on',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await expectFencedOff(fixture, 'k', { ...held, attempt: 2 }, undefined, ['pause']);
			await fail(fixture, 'k', held);
			await expectFencedOff(fixture, 'k', held, EventClosedError, ['pause']);
		},
	},
	{
		name: 'a paused event belongs to its execution: it fails with it, and an operator may end it',
		async run(fixture) {
			const executionId = `broken ${fixture.namespace}`;
			const by = { ...ALICE, executionId };
			const { held } = await win(fixture, 'fails', { claimant: by });
			await pause(fixture, 'fails', held);
			const failed = await fixture.ledger.failByExecution({
				instance: by.instance,
				executionId,
				reason: 'It broke',
			});
			expect(failed).toMatchObject([{ key: 'fails', state: 'failed' }]);
			const ended = await win(fixture, 'ends');
			await pause(fixture, 'ends', ended.held);
			const done = { ...at(fixture, 'ends'), by: 'olga' };
			expect(await ok(fixture.ledger.completeEvents([done]))).toMatchObject({
				event: { state: 'done' },
			});
		},
	},
];

async function waiting(fixture: Fixture) {
	const { held } = await win(fixture, 'waits');
	await wait(fixture, 'waits', held);
	return held;
}
