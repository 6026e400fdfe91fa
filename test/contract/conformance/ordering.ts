import type { Case, Fixture } from './Case';
import {
	ALICE,
	at,
	BOB,
	claim,
	claimant,
	complete,
	fail,
	heldBy,
	kinds,
	look,
	lose,
	refused,
	win,
} from './helpers';
import { EventNotFoundError } from '../../../ledger/errors';

function version(number: number, object = 'customer 7') {
	return { ordering: { object, version: number } };
}

async function outcome(fixture: Fixture, key: string, number: number, object?: string) {
	return (await claim(fixture, key, { claimant: BOB, ...version(number, object) })).outcome;
}

/** What is older than what its object already has is `stale`. */
export const ordering: Case[] = [
	{
		name: 'older than what the object has: stale, and no record is made',
		async run(fixture) {
			expect(await outcome(fixture, 'v2', 2)).toBe('new');
			const lost = await lose(fixture, 'v1', version(1));
			expect(lost).toEqual({ claimed: false, outcome: 'stale' });
			expect(await fixture.ledger.get([at(fixture, 'v1')])).toEqual([undefined]);
			const late = { ...at(fixture, 'v1'), ...heldBy(ALICE, 1), reason: 'late' };
			await refused(fixture.ledger.failEvents([late]), EventNotFoundError);
		},
	},
	{
		name: 'equal or newer is not stale, and other objects do not matter',
		async run(fixture) {
			expect(await outcome(fixture, 'a', 5)).toBe('new');
			expect(await outcome(fixture, 'b', 5)).toBe('new');
			expect(await outcome(fixture, 'c', 1, 'customer 8')).toBe('new');
			expect(await outcome(fixture, 'd', 6)).toBe('new');
			expect(await outcome(fixture, 'e', 5)).toBe('stale');
			expect((await claim(fixture, 'f')).outcome).toBe('new');
		},
	},
	{
		name: 'the object of another namespace is another object',
		async run(fixture) {
			const elsewhere = { namespace: `${fixture.namespace} elsewhere` };
			await win(fixture, 'a', { ...version(9), ...elsewhere });
			expect(await outcome(fixture, 'b', 1)).toBe('new');
		},
	},
	{
		name: 'versions are compared exactly: large, broken and negative numbers',
		async run(fixture) {
			const pairs = [
				[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1],
				[1763251200000.25, 1763251200000],
				[0.30000000000000004, 0.3],
				[-1, -2],
				[1.7e308, 1.6e308],
			];
			for (const [newer, older] of pairs) {
				const object = `object ${newer}`;
				expect(await outcome(fixture, `${newer}`, newer, object)).toBe('new');
				expect(await outcome(fixture, `${older}`, older, object)).toBe('stale');
				expect(await outcome(fixture, `${newer} again`, newer, object)).toBe('new');
			}
		},
	},
	{
		name: 'within one batch, versions count in the order of the items',
		async run(fixture) {
			const versions = [3, 2, 4, 3, 4];
			const results = await fixture.ledger.claimEvents(
				versions.map((number, i) => ({
					...at(fixture, `k${i}`),
					claimant: claimant('x', i),
					...version(number),
				})),
			);
			expect(results.map((result) => result.outcome)).toEqual([
				'new',
				'stale',
				'new',
				'stale',
				'new',
			]);
		},
	},
	{
		name: 'a failed event that became too old is superseded: done, and never retried',
		async run(fixture) {
			const first = await win(fixture, 'v1', { ...version(1), input: 'in' });
			await fail(fixture, 'v1', first.held);
			await win(fixture, 'v2', version(2));
			const lost = await lose(fixture, 'v1', version(1));
			expect(lost).toMatchObject({
				outcome: 'stale',
				event: { state: 'done', attempt: 1, duplicates: 1 },
			});
			expect(lost.event!.expiresAt).toBe(lost.event!.doneAt! + 30 * 24 * 60 * 60 * 1000);
			expect(lost.event).not.toHaveProperty('dueAt');
			expect((await look(fixture, 'v1')).event).not.toHaveProperty('input');
			expect(await kinds(fixture, 'v1')).toEqual(['new', 'failed', 'superseded']);
			expect((await lose(fixture, 'v1', version(1))).outcome).toBe('duplicate');
		},
	},
	{
		name: 'a stopped event that became too old is superseded instead of taken over',
		async run(fixture) {
			await win(fixture, 'v1', version(1));
			await win(fixture, 'v2', version(2));
			await fixture.expireLease(at(fixture, 'v1'));
			const lost = await lose(fixture, 'v1', {
				claimant: BOB,
				onStopped: 'takeover',
				...version(1),
			});
			expect(lost).toMatchObject({ outcome: 'stale', event: { state: 'done', attempt: 1 } });
			expect(lost.event).not.toHaveProperty('leaseUntil');
			expect(await kinds(fixture, 'v1')).toEqual(['new', 'superseded']);
		},
	},
	{
		name: 'work that somebody is doing is not superseded, unless it is the same claimant again',
		async run(fixture) {
			await win(fixture, 'v1', version(1));
			await win(fixture, 'v2', version(2));
			expect(await outcome(fixture, 'v1', 1)).toBe('in_progress');
			expect((await lose(fixture, 'v1', { claimant: ALICE, ...version(1) })).outcome).toBe('stale');
			expect((await look(fixture, 'v1')).event.state).toBe('done');
		},
	},
	{
		name: 'what is done stays a duplicate, with its result',
		async run(fixture) {
			const { held } = await win(fixture, 'v1', version(1));
			await complete(fixture, 'v1', held, 'result');
			await win(fixture, 'v2', version(2));
			expect(await lose(fixture, 'v1', version(1))).toMatchObject({
				outcome: 'duplicate',
				event: { result: 'result' },
			});
		},
	},
];
