import { ClaimError, EventClosedError, EventNotFoundError } from '../../../ledger/errors';
import type { Case } from './Case';
import { expectFencedOff, HELD_WRITES, type HeldWriteName } from './heldWrites';
import {
	ALICE,
	at,
	beginStep,
	BOB,
	claim,
	complete,
	fail,
	finishStep,
	type Held,
	heldBy,
	HOUR,
	kinds,
	look,
	lose,
	ok,
	one,
	refused,
	review,
	takeOver,
	unchanged,
	untilPast,
	wait,
	win,
} from './helpers';

/** Who may write: the present holder and nobody else. */
export const fencing: Case[] = [
	{
		name: 'after a takeover every write of the old holder is refused and changes nothing',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await finishStep(fixture, 'k', first.held, 'step', 'output');
			await beginStep(fixture, 'k', first.held, 'other');
			const second = await takeOver(fixture, 'k');
			await expectFencedOff(fixture, 'k', first.held);
			await finishStep(fixture, 'k', second.held, 'other');
			expect((await complete(fixture, 'k', second.held, 'result')).repeated).toBe(false);
		},
	},
	{
		name: 'after being resumed the older attempt is refused and changes nothing',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await finishStep(fixture, 'k', first.held, 'step', 'output');
			const second = await win(fixture, 'k');
			await expectFencedOff(fixture, 'k', first.held);
			const third = await win(fixture, 'k', { claimant: BOB, actsFor: second.held.holder });
			await expectFencedOff(fixture, 'k', first.held);
			await expectFencedOff(fixture, 'k', second.held);
			await complete(fixture, 'k', third.held);
		},
	},
	{
		name: 'after a retry the failed attempt is refused and changes nothing',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await fail(fixture, 'k', first.held);
			const second = await win(fixture, 'k', { claimant: BOB });
			await expectFencedOff(fixture, 'k', first.held);
			await complete(fixture, 'k', second.held);
			await expectFencedOff(fixture, 'k', first.held);
		},
	},
	{
		name: 'a late write of a fenced holder does not keep the new claim alive',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await takeOver(fixture, 'k');
			await fixture.expireLease(at(fixture, 'k'));
			await expectFencedOff(fixture, 'k', first.held);
			expect((await win(fixture, 'k', { onStopped: 'takeover' })).outcome).toBe('recovered');
		},
	},
	{
		name: 'the refusal says who has the event now',
		async run(fixture) {
			const first = await win(fixture, 'k');
			const second = await takeOver(fixture, 'k');
			for (const write of Object.values(HELD_WRITES)) {
				const result = await one(write(fixture.ledger, { ...at(fixture, 'k'), ...first.held }));
				expect(result).toMatchObject({ ok: false, error: { event: second.event } });
				expect((result as { error: Error }).error.message).toContain('execution bob');
			}
		},
	},
	{
		name: 'an event that does not exist, or not any more, is not found',
		async run(fixture) {
			await expectFencedOff(fixture, 'never', heldBy(ALICE, 1), EventNotFoundError);
			const { held } = await win(fixture, 'expired');
			await complete(fixture, 'expired', held);
			await fixture.expireRecord(at(fixture, 'expired'));
			await expectFencedOff(fixture, 'expired', held, EventNotFoundError);
			const address = at(fixture, 'expired');
			const operator = { ...address, by: 'olga', reason: 'why' };
			await refused(fixture.ledger.completeEvents([operator]), EventNotFoundError);
			await refused(fixture.ledger.failEvents([operator]), EventNotFoundError);
			await refused(fixture.ledger.releaseEvents([operator]), EventNotFoundError);
			const question = { ...address, gate: 'gate', fingerprint: 'content' };
			await refused(fixture.ledger.requestApprovals([question]), EventNotFoundError);
			expect(await fixture.ledger.get([address])).toEqual([undefined]);
		},
	},
	{
		name: 'after done, the holder can only repeat',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await complete(fixture, 'k', held, 'result');
			const closed: HeldWriteName[] = [
				'begin',
				'finish',
				'fail',
				'renew',
				'pause',
				'release',
				'requestApproval',
			];
			await expectFencedOff(fixture, 'k', held, EventClosedError, closed);
		},
	},
	{
		name: 'after failed or review, the holder can only repeat',
		async run(fixture) {
			for (const bring of [fail, review]) {
				const { held } = await win(fixture, bring.name);
				await bring(fixture, bring.name, held);
				const closed: HeldWriteName[] = [
					'begin',
					'finish',
					'complete',
					'renew',
					'pause',
					'requestApproval',
				];
				await expectFencedOff(fixture, bring.name, held, EventClosedError, closed);
			}
		},
	},
	{
		name: 'while a gate is pending, the holder works no further',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await wait(fixture, 'k', held);
			const closed: HeldWriteName[] = ['begin', 'finish', 'complete', 'renew', 'pause'];
			await expectFencedOff(fixture, 'k', held, EventClosedError, closed);
		},
	},
	{
		name: 'a slow holder that nobody replaced may go on',
		async run(fixture) {
			for (const [name, write] of Object.entries(HELD_WRITES)) {
				const { held } = await win(fixture, name);
				await fixture.expireLease(at(fixture, name));
				await ok(write(fixture.ledger, { ...at(fixture, name), ...held }));
			}
		},
	},
	{
		name: 'every write of the holder renews the lease',
		async run(fixture) {
			for (const name of ['begin', 'finish', 'renew', 'takeUndos'] as const) {
				const { held, event } = await win(fixture, name, { leaseMs: 2 * HOUR });
				await fixture.expireLease(at(fixture, name));
				await ok(HELD_WRITES[name](fixture.ledger, { ...at(fixture, name), ...held }));
				const renewed = (await look(fixture, name)).event;
				expect(renewed.leaseUntil).toBeGreaterThanOrEqual(event.claimedAt + 2 * HOUR);
				expect(renewed.dueAt).toBeLessThanOrEqual(renewed.leaseUntil!);
				const lost = await lose(fixture, name, { claimant: BOB, onStopped: 'takeover' });
				expect(lost.outcome).toBe('in_progress');
			}
		},
	},
	{
		name: 'a renewed lease moves what is known of the claim, and not when somebody looks at it next',
		async run(fixture) {
			const { held, event } = await win(fixture, 'k', { leaseMs: HOUR });
			await untilPast(fixture, event.lastSeenAt);
			const renewed = (await beginStep(fixture, 'k', held, 'step')).event;
			expect(renewed.leaseUntil).toBeGreaterThan(event.leaseUntil!);
			expect(renewed.dueAt).toBe(event.dueAt);
			await fixture.makeDue(at(fixture, 'k'));
			const { ledger, namespace } = fixture;
			expect(await ledger.take({ kinds: ['stuck'], namespace, by: 'taker' })).toEqual([]);
			// Whoever looked has put it right, and nobody else has to look before the lease is over.
			const { event: found } = await look(fixture, 'k');
			expect(found).toEqual({ ...renewed, dueAt: renewed.leaseUntil });
			expect(await kinds(fixture, 'k')).toEqual(['new', 'step_started']);
			// A shorter lease is looked at sooner.
			const request = { ...at(fixture, 'k'), ...held, leaseMs: 1000 };
			const shorter = (await ok(ledger.renewLeases([request]))).event;
			expect(shorter.dueAt).toBe(shorter.leaseUntil);
			expect(shorter.dueAt).toBeLessThan(found.dueAt!);
		},
	},
	{
		name: 'renewing extends the lease by what the claim asked for, or from now on by another',
		async run(fixture) {
			const { held, event } = await win(fixture, 'k', { leaseMs: HOUR });
			const request = { ...at(fixture, 'k'), ...held };
			const same = await ok(fixture.ledger.renewLeases([request]));
			expect(same).toMatchObject({ repeated: false, event: { state: 'processing', attempt: 1 } });
			expect(same.event.leaseUntil! - event.claimedAt).toBeGreaterThanOrEqual(HOUR);
			expect(same.event.leaseUntil! - event.claimedAt).toBeLessThan(1.5 * HOUR);
			const longer = await ok(fixture.ledger.renewLeases([{ ...request, leaseMs: 5 * HOUR }]));
			expect(longer.event.leaseUntil! - event.claimedAt).toBeGreaterThanOrEqual(5 * HOUR);
			const kept = (await beginStep(fixture, 'k', held, 'step')).event;
			expect(kept.leaseUntil! - event.claimedAt).toBeGreaterThanOrEqual(5 * HOUR);
		},
	},
	{
		name: "an operator's act ends the claim: the old holder changes nothing any more",
		async run(fixture) {
			const { ledger } = fixture;
			const acts = {
				complete: () => ledger.completeEvents([{ ...at(fixture, 'complete'), by: 'olga' }]),
				fail: () => ledger.failEvents([{ ...at(fixture, 'fail'), by: 'olga', reason: 'why' }]),
				release: () => ledger.releaseEvents([{ ...at(fixture, 'release'), by: 'olga' }]),
			};
			for (const [key, act] of Object.entries(acts)) {
				const { held } = await win(fixture, key);
				await ok(act());
				for (const write of Object.values(HELD_WRITES)) {
					await unchanged(fixture, key, async () => {
						const result = await one(write(ledger, { ...at(fixture, key), ...held }));
						if (result.ok) expect(result.value).toMatchObject({ repeated: true });
						else expect(result.error).toBeInstanceOf(ClaimError);
					});
				}
			}
		},
	},
	{
		name: 'one refused item does not disturb the others of its batch',
		async run(fixture) {
			const keys = ['a', 'stale', 'b', 'missing', 'c'];
			const claims = new Map<string, Held>([['missing', heldBy(ALICE, 1)]]);
			for (const key of ['a', 'stale', 'b', 'c']) claims.set(key, (await win(fixture, key)).held);
			await takeOver(fixture, 'stale');
			const held = keys.map((key) => ({ ...at(fixture, key), ...claims.get(key)! }));
			const expected = [true, false, true, false, true];
			const { ledger } = fixture;
			const batches = [
				() => ledger.beginSteps(held.map((item) => ({ ...item, step: 's', claimant: ALICE }))),
				() => ledger.finishSteps(held.map((item) => ({ ...item, step: 's' }))),
				() => ledger.renewLeases(held),
				() =>
					ledger.requestApprovals(held.map((item) => ({ ...item, gate: 'g', fingerprint: 'f' }))),
				() => ledger.failEvents(held.map((item) => ({ ...item, reason: item.key }))),
			];
			for (const batch of batches) expect((await batch()).map((item) => item.ok)).toEqual(expected);
			const reasons = (await fixture.ledger.get(held)).map((found) => found?.event.reason);
			expect(reasons).toEqual(['a', undefined, 'b', undefined, 'c']);
			expect((await claim(fixture, 'a')).outcome).toBe('retry');
		},
	},
];
