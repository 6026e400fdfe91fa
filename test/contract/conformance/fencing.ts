import { ClaimError, EventClosedError, EventNotFoundError } from '../../../ledger/errors';
import type { Case } from './Case';
import {
	ALICE,
	at,
	beginStep,
	BOB,
	claim,
	complete,
	expectFencedOff,
	fail,
	finishStep,
	HOUR,
	look,
	lose,
	ok,
	one,
	refused,
	review,
	takeOver,
	TOKEN_WRITES,
	unchanged,
	wait,
	win,
} from './helpers';

/** Who may write: the present holder and nobody else. */
export const fencing: Case[] = [
	{
		name: 'after a takeover every write of the old holder is refused and changes nothing',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await finishStep(fixture, 'k', first.token, 'step', 'output');
			await beginStep(fixture, 'k', first.token, 'other');
			const second = await takeOver(fixture, 'k');
			await expectFencedOff(fixture, 'k', first.token);
			await finishStep(fixture, 'k', second.token, 'other');
			expect((await complete(fixture, 'k', second.token, 'result')).repeated).toBe(false);
		},
	},
	{
		name: 'after being resumed the older token is refused and changes nothing',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await finishStep(fixture, 'k', first.token, 'step', 'output');
			const second = await win(fixture, 'k');
			const third = await win(fixture, 'k', { claimant: BOB, token: second.token });
			await expectFencedOff(fixture, 'k', first.token);
			await expectFencedOff(fixture, 'k', second.token);
			await complete(fixture, 'k', third.token);
		},
	},
	{
		name: 'after a retry the token of the failed attempt is refused and changes nothing',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await fail(fixture, 'k', first.token);
			const second = await win(fixture, 'k', { claimant: BOB });
			await expectFencedOff(fixture, 'k', first.token);
			await complete(fixture, 'k', second.token);
			await expectFencedOff(fixture, 'k', first.token);
		},
	},
	{
		name: 'a late write of a fenced holder does not keep the new claim alive',
		async run(fixture) {
			const first = await win(fixture, 'k');
			await takeOver(fixture, 'k');
			await fixture.expireLease(at(fixture, 'k'));
			await expectFencedOff(fixture, 'k', first.token);
			expect((await win(fixture, 'k', { onStopped: 'takeover' })).outcome).toBe('recovered');
		},
	},
	{
		name: 'the refusal says who has the event now',
		async run(fixture) {
			const first = await win(fixture, 'k');
			const second = await takeOver(fixture, 'k');
			for (const write of Object.values(TOKEN_WRITES)) {
				const result = await one(
					write(fixture.ledger, { ...at(fixture, 'k'), token: first.token }),
				);
				expect(result).toMatchObject({ ok: false, error: { event: second.event } });
				expect((result as { error: Error }).error.message).toContain('execution bob');
			}
		},
	},
	{
		name: 'an unknown token is refused in every state',
		async run(fixture) {
			const bring = { processing: async () => {}, wait, complete, fail, review };
			for (const [key, act] of Object.entries(bring)) {
				const { token } = await win(fixture, key);
				await act(fixture, key, token);
				await expectFencedOff(fixture, key, 'never issued');
				await expectFencedOff(fixture, key, `${token}x`);
			}
		},
	},
	{
		name: 'an event that does not exist, or not any more, is not found',
		async run(fixture) {
			await expectFencedOff(fixture, 'never', 'token', EventNotFoundError);
			const { token } = await win(fixture, 'expired');
			await complete(fixture, 'expired', token);
			await fixture.expireRecord(at(fixture, 'expired'));
			await expectFencedOff(fixture, 'expired', token, EventNotFoundError);
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
			const { token } = await win(fixture, 'k');
			await complete(fixture, 'k', token, 'result');
			const closed = ['begin', 'finish', 'fail', 'renew', 'release', 'requestApproval'];
			await expectFencedOff(fixture, 'k', token, EventClosedError, closed);
		},
	},
	{
		name: 'after failed or review, the holder can only repeat',
		async run(fixture) {
			for (const bring of [fail, review]) {
				const { token } = await win(fixture, bring.name);
				await bring(fixture, bring.name, token);
				const closed = ['begin', 'finish', 'complete', 'renew', 'requestApproval'];
				await expectFencedOff(fixture, bring.name, token, EventClosedError, closed);
			}
		},
	},
	{
		name: 'while a gate is pending, the holder works no further',
		async run(fixture) {
			const { token } = await win(fixture, 'k');
			await wait(fixture, 'k', token);
			const closed = ['begin', 'finish', 'complete', 'renew'];
			await expectFencedOff(fixture, 'k', token, EventClosedError, closed);
		},
	},
	{
		name: 'a slow holder that nobody replaced may go on',
		async run(fixture) {
			for (const [name, write] of Object.entries(TOKEN_WRITES)) {
				const { token } = await win(fixture, name);
				await fixture.expireLease(at(fixture, name));
				await ok(write(fixture.ledger, { ...at(fixture, name), token }));
			}
		},
	},
	{
		name: 'every write of the holder renews the lease',
		async run(fixture) {
			for (const name of ['begin', 'finish', 'renew']) {
				const { token, event } = await win(fixture, name, { leaseMs: 2 * HOUR });
				await fixture.expireLease(at(fixture, name));
				await ok(TOKEN_WRITES[name](fixture.ledger, { ...at(fixture, name), token }));
				const renewed = (await look(fixture, name)).event;
				expect(renewed.leaseUntil).toBeGreaterThanOrEqual(event.claimedAt + 2 * HOUR);
				expect(renewed.dueAt).toBe(renewed.leaseUntil);
				const lost = await lose(fixture, name, { claimant: BOB, onStopped: 'takeover' });
				expect(lost.outcome).toBe('in_progress');
			}
		},
	},
	{
		name: 'renewing extends the lease by what the claim asked for, or from now on by another',
		async run(fixture) {
			const { token, event } = await win(fixture, 'k', { leaseMs: HOUR });
			const held = { ...at(fixture, 'k'), token };
			const same = await ok(fixture.ledger.renewLeases([held]));
			expect(same).toMatchObject({ repeated: false, event: { state: 'processing', attempt: 1 } });
			expect(same.event.leaseUntil! - event.claimedAt).toBeGreaterThanOrEqual(HOUR);
			expect(same.event.leaseUntil! - event.claimedAt).toBeLessThan(1.5 * HOUR);
			const longer = await ok(fixture.ledger.renewLeases([{ ...held, leaseMs: 5 * HOUR }]));
			expect(longer.event.leaseUntil! - event.claimedAt).toBeGreaterThanOrEqual(5 * HOUR);
			const kept = (await beginStep(fixture, 'k', token, 'step')).event;
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
				const { token } = await win(fixture, key);
				await ok(act());
				for (const write of Object.values(TOKEN_WRITES)) {
					await unchanged(fixture, key, async () => {
						const result = await one(write(ledger, { ...at(fixture, key), token }));
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
			const tokens = new Map<string, string>([['missing', 'token']]);
			for (const key of ['a', 'stale', 'b', 'c']) tokens.set(key, (await win(fixture, key)).token);
			await takeOver(fixture, 'stale');
			const held = keys.map((key) => ({ ...at(fixture, key), token: tokens.get(key)! }));
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
