import type { TakeRequest } from '../../../ledger/Ledger';
import { AGO_MS } from '../backdoors';
import type { Case, Fixture } from './Case';
import {
	at,
	beginStep,
	BOB,
	complete,
	fail,
	finishStep,
	heldBy,
	history,
	HOUR,
	kinds,
	look,
	ok,
	review,
	untilPast,
	win,
} from './helpers';

const EVERYTHING = ['stuck', 'failed', 'review', 'expired_gate'] as const;

async function take(fixture: Fixture, request: Partial<TakeRequest> = {}) {
	const { ledger, namespace } = fixture;
	return await ledger.take({ kinds: [...EVERYTHING], namespace, by: 'taker', ...request });
}

async function takeKeys(fixture: Fixture, request: Partial<TakeRequest> = {}) {
	return (await take(fixture, request)).map(({ event }) => event.key);
}

async function ask(fixture: Fixture, key: string) {
	const { held } = await win(fixture, key);
	const gate = { ...at(fixture, key), ...held, gate: 'gate', fingerprint: 'content' };
	await ok(fixture.ledger.requestApprovals([{ ...gate, expiresInMs: HOUR }]));
}

/** One event of each kind of work, with the kind as its key. */
async function oneOfEach(fixture: Fixture): Promise<void> {
	await win(fixture, 'stuck', { input: 'in' });
	await fixture.expireLease(at(fixture, 'stuck'));
	await fail(fixture, 'failed', (await win(fixture, 'failed', { input: 'in' })).held);
	await review(fixture, 'review', (await win(fixture, 'review', { input: 'in' })).held);
	await ask(fixture, 'expired_gate');
	await fixture.expireApproval(at(fixture, 'expired_gate'), 'gate');
}

export const taking: Case[] = [
	{
		name: 'hands out stuck, failed, reviewable and expired work, each kind when asked for',
		async run(fixture) {
			await oneOfEach(fixture);
			for (const kind of EVERYTHING) {
				expect(await takeKeys(fixture, { kinds: [kind] })).toEqual([kind]);
				expect(await takeKeys(fixture, { kinds: [kind] })).toEqual([]);
			}
			expect(await takeKeys(fixture)).toEqual([]);
		},
	},
	{
		name: 'all kinds in one call, a kind that is named twice only once, and no kind: nothing',
		async run(fixture) {
			await oneOfEach(fixture);
			expect(await takeKeys(fixture, { kinds: [] })).toEqual([]);
			const twice = [...EVERYTHING, ...EVERYTHING];
			expect((await takeKeys(fixture, { kinds: twice })).sort()).toEqual([...EVERYTHING].sort());
		},
	},
	{
		name: 'never hands out live leases, decided or undecided gates, done or not yet due work',
		async run(fixture) {
			await win(fixture, 'live');
			await complete(fixture, 'done', (await win(fixture, 'done')).held);
			await ask(fixture, 'undecided');
			const forever = { gate: 'gate', fingerprint: 'content' };
			const waiting = { ...at(fixture, 'forever'), ...(await win(fixture, 'forever')).held };
			await ok(fixture.ledger.requestApprovals([{ ...waiting, ...forever }]));
			const { held } = await win(fixture, 'later');
			const later = { ...at(fixture, 'later'), ...held, reason: 'why', retryAfterMs: HOUR };
			await ok(fixture.ledger.failEvents([later]));
			await win(fixture, 'renewed');
			await fixture.expireLease(at(fixture, 'renewed'));
			await win(fixture, 'renewed', { claimant: BOB, onStopped: 'takeover' });
			expect(await takeKeys(fixture)).toEqual([]);
			await fixture.makeDue(at(fixture, 'later'));
			expect(await takeKeys(fixture)).toEqual(['later']);
		},
	},
	{
		name: 'once per visibility time-out, and again after it',
		async run(fixture) {
			await fail(fixture, 'k', (await win(fixture, 'k')).held);
			expect(await takeKeys(fixture, { visibilityMs: 2 * HOUR })).toEqual(['k']);
			const { event } = await look(fixture, 'k');
			const [, , taken] = await history(fixture, 'k');
			expect(event.dueAt).toBe(taken.at + 2 * HOUR);
			expect(await takeKeys(fixture)).toEqual([]);
			await fixture.makeDue(at(fixture, 'k'));
			expect(await takeKeys(fixture)).toEqual(['k']);
			expect(await takeKeys(fixture)).toEqual([]);
		},
	},
	{
		name: 'taking changes nothing but the due time, and says who took it',
		async run(fixture) {
			await oneOfEach(fixture);
			for (const key of EVERYTHING) {
				const before = await look(fixture, key);
				const past = await history(fixture, key);
				expect(await takeKeys(fixture, { kinds: [key], by: 'night shift' })).toEqual([key]);
				const after = await look(fixture, key);
				expect(after.event.dueAt).toBeGreaterThan(before.event.dueAt!);
				expect({ ...after.event, dueAt: 0 }).toEqual({ ...before.event, dueAt: 0 });
				expect(after.steps).toEqual(before.steps);
				expect(after.approvals).toEqual(before.approvals);
				const entries = await history(fixture, key);
				expect(entries.slice(0, past.length)).toEqual(past);
				expect(entries.slice(past.length).at(-1)).toMatchObject({
					kind: 'taken',
					by: 'night shift',
					attempt: 1,
				});
			}
		},
	},
	{
		name: 'hands out everything that is known: input, steps and gates',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { input: { order: 7 } });
			await finishStep(fixture, 'k', held, 'invoice', 'inv_7');
			await beginStep(fixture, 'k', held, 'email');
			await fixture.ledger.requestApprovals([
				{ ...at(fixture, 'k'), gate: 'gate', fingerprint: 'content', content: 'shown' },
			]);
			await fixture.expireLease(at(fixture, 'k'));
			const [details] = await take(fixture);
			expect(details).toMatchObject({
				event: { key: 'k', state: 'processing', input: { order: 7 } },
				steps: [
					{ name: 'invoice', output: 'inv_7' },
					{ name: 'email', state: 'started' },
				],
				approvals: [{ gate: 'gate', content: 'shown' }],
			});
		},
	},
	{
		name: 'most urgent first, no more than asked for',
		async run(fixture) {
			for (const key of ['b', 'a', 'd', 'c']) {
				const { held } = await win(fixture, key);
				const { event } = await (key === 'd' ? review : fail)(fixture, key, held);
				await untilPast(fixture, event.dueAt!);
			}
			expect(await takeKeys(fixture, { limit: 1 })).toEqual(['b']);
			expect(await takeKeys(fixture, { limit: 2 })).toEqual(['a', 'd']);
			expect(await takeKeys(fixture, { limit: 2 })).toEqual(['c']);
		},
	},
	{
		name: 'takers at the same time never get the same event, and together get all',
		async run(fixture) {
			const keys = Array.from({ length: 60 }, (_, i) => `k${i}`);
			const claims = await fixture.ledger.claimEvents(
				keys.map((key) => ({ ...at(fixture, key), claimant: BOB })),
			);
			await fixture.ledger.failEvents(
				claims.map((won, i) => ({
					...at(fixture, keys[i]),
					...heldBy(BOB, won.event!.attempt),
					reason: 'why',
				})),
			);
			const other = { ...fixture, ledger: await fixture.openAnother() };
			const taken: string[] = [];
			for (let round = 0; taken.length < keys.length && round < 60; round++) {
				const parts = await Promise.all(
					[fixture, other, fixture, other].map((taker) => takeKeys(taker, { limit: 7 })),
				);
				for (const part of parts) expect(part.length).toBeLessThanOrEqual(7);
				taken.push(...parts.flat());
			}
			expect(taken.sort()).toEqual([...keys].sort());
			expect(await takeKeys(fixture)).toEqual([]);
		},
	},
	{
		name: 'only of the namespace asked for, or of all',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			const kind = { kinds: ['review' as const], limit: 1000 };
			for (let i = 0; i < 100 && (await ledger.take({ ...kind, by: 'cleaner' })).length; i++);
			const elsewhere = { ...fixture, namespace: `${namespace} elsewhere` };
			await review(fixture, 'here', (await win(fixture, 'here')).held);
			await review(elsewhere, 'there', (await win(elsewhere, 'there')).held);
			expect(await takeKeys(fixture, kind)).toEqual(['here']);
			const all = await ledger.take({ ...kind, by: 'taker' });
			expect(all.map(({ event }) => event.key)).toEqual(['there']);
		},
	},
	{
		name: 'who wants to work on it has to claim it, which takes it from the shelf',
		async run(fixture) {
			await fail(fixture, 'k', (await win(fixture, 'k')).held);
			await take(fixture);
			const { held, outcome } = await win(fixture, 'k', { claimant: BOB });
			expect(outcome).toBe('retry');
			await fixture.makeDue(at(fixture, 'k'));
			await ok(fixture.ledger.renewLeases([{ ...at(fixture, 'k'), ...held }]));
			expect(await takeKeys(fixture)).toEqual([]);
			await fail(fixture, 'k', held);
			expect(await takeKeys(fixture)).toEqual(['k']);
			expect(await kinds(fixture, 'k')).toEqual([
				'new',
				'failed',
				'taken',
				'retry',
				'failed',
				'taken',
			]);
		},
	},
	{
		name: 'leaves work alone for a while after an attempt, and longer after each, up to a limit',
		async run(fixture) {
			let { held } = await win(fixture, 'k', { maxAttempts: 100 });
			const failAndMakeDue = async () => {
				await fail(fixture, 'k', held);
				await fixture.makeDue(at(fixture, 'k'));
			};
			await failAndMakeDue();
			expect(await takeKeys(fixture, { backoffMs: HOUR })).toEqual([]);
			expect(await takeKeys(fixture, { backoffMs: HOUR, maxBackoffMs: 1 })).toEqual(['k']);
			for (let attempt = 2; attempt <= 14; attempt++) {
				({ held } = await win(fixture, 'k', { maxAttempts: 100 }));
				await failAndMakeDue();
				if (attempt > 5) continue;
				expect(await takeKeys(fixture, { backoffMs: 1 })).toEqual(['k']);
			}
			// Doubled thirteen times by now: longer than the backdoor lets pass.
			const [first, longer] = [AGO_MS / 2 ** 13 - 1, AGO_MS / 2 ** 12].map(Math.floor);
			expect(await takeKeys(fixture, { backoffMs: longer })).toEqual([]);
			expect(await takeKeys(fixture, { backoffMs: first })).toEqual(['k']);
			await ok(fixture.ledger.releaseEvents([{ ...at(fixture, 'k'), by: 'olga' }]));
			expect(await takeKeys(fixture, { backoffMs: HOUR })).toEqual(['k']);
		},
	},
	{
		name: 'what stopped is left alone like what failed; for people nothing is held back',
		async run(fixture) {
			await oneOfEach(fixture);
			const taken = await takeKeys(fixture, { backoffMs: HOUR });
			expect(taken.sort()).toEqual(['expired_gate', 'review']);
		},
	},
	{
		name: 'only what is old enough, and was tried often enough',
		async run(fixture) {
			await fail(fixture, 'once', (await win(fixture, 'once')).held);
			await fail(fixture, 'twice', (await win(fixture, 'twice')).held);
			const { held, event } = await win(fixture, 'twice');
			await fail(fixture, 'twice', held);
			expect(await takeKeys(fixture, { minAgeMs: HOUR })).toEqual([]);
			expect(await takeKeys(fixture, { minAttempts: 3 })).toEqual([]);
			expect(await takeKeys(fixture, { minAttempts: 2 })).toEqual(['twice']);
			await untilPast(fixture, event.createdAt + 20);
			expect(await takeKeys(fixture, { minAgeMs: 5 })).toEqual(['once']);
		},
	},
];
