import type { EventState, LosingOutcome } from '../../../ledger/records';
import type { Case, Fixture } from './Case';
import {
	ALICE,
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
	sum,
	takeOver,
	wait,
	win,
} from './helpers';
import { wrapped } from './wrapped';

const ALIAS = { alias: 'order 7' };

/** What a second delivery with the same alias is, by the state of the first. */
const OUTCOMES: Record<EventState, LosingOutcome> = {
	processing: 'in_progress',
	waiting: 'waiting',
	done: 'duplicate',
	failed: 'review',
	review: 'review',
};

async function tallies({ ledger, namespace }: Fixture) {
	return sum((await ledger.stats({ namespace })).tallies);
}

/** A second key of an event, such as the order that two deliveries are about: never a second claim. */
export const aliases: Case[] = [
	{
		name: 'a double submit gets the outcome of the event that has the alias, whatever its state',
		async run(fixture) {
			const bring: Record<EventState, (key: string, held: Held) => Promise<unknown>> = {
				processing: async () => {},
				waiting: (key, held) => wait(fixture, key, held),
				done: (key, held) => complete(fixture, key, held, { total: 12 }),
				failed: (key, held) => fail(fixture, key, held),
				review: (key, held) => review(fixture, key, held),
			};
			for (const [state, outcome] of Object.entries(OUTCOMES)) {
				const own = { alias: `order ${state}`, fingerprint: 'one', input: 'in' };
				const { held } = await win(fixture, state, own);
				await bring[state as EventState](state, held);
				const before = await look(fixture, state);
				const past = await history(fixture, state);
				// The same sender's second try: nothing of it could win a claim of its own.
				const second = { ...own, onStopped: 'takeover', actsFor: held.holder } as const;
				const lost = await lose(fixture, `${state} again`, second);
				expect(lost).toMatchObject({ outcome, isDoubleSubmit: true });
				expect(lost.event).toMatchObject({ key: state, state, attempt: 1, duplicates: 1 });
				expect(lost.event).not.toHaveProperty('input');
				expect(lost.event!.result).toEqual(state === 'done' ? { total: 12 } : undefined);
				const { lastSeenAt } = lost.event!;
				expect(await look(fixture, state)).toEqual({
					...before,
					event: { ...before.event, duplicates: 1, lastSeenAt },
				});
				expect(await history(fixture, state)).toEqual(past);
				expect(await fixture.ledger.get([at(fixture, `${state} again`)])).toEqual([undefined]);
			}
			const { new: fresh, retry, resumed, ...counts } = await tallies(fixture);
			expect({ fresh, retry, resumed }).toEqual({ fresh: 5, retry: undefined, resumed: undefined });
			expect(counts).toMatchObject({ in_progress: 1, waiting: 1, duplicate: 1 });
			// One was sent to review, one was turned away with it; a failed one needs a person for its double submits too.
			expect(counts.review).toBe(3);
		},
	},
	{
		name: 'an unfinished one says which delivery to run again',
		async run(fixture) {
			const { held } = await win(fixture, 'first', ALIAS);
			await fail(fixture, 'first', held, 'No connection');
			const lost = await lose(fixture, 'second', ALIAS);
			expect(lost.event!.reason).toContain("'first'");
			expect((await look(fixture, 'first')).event.reason).toBe('No connection');
		},
	},
	{
		name: 'an event that stopped or paused is not taken over by its double submit',
		async run(fixture) {
			const second = { ...ALIAS, onStopped: 'takeover' } as const;
			const { held } = await win(fixture, 'first', ALIAS);
			await fixture.expireLease(at(fixture, 'first'));
			expect(await lose(fixture, 'second', second)).toMatchObject({
				outcome: 'in_progress',
				isDoubleSubmit: true,
			});
			await pause(fixture, 'first', held);
			await fixture.expirePause(at(fixture, 'first'));
			expect((await lose(fixture, 'second', second)).outcome).toBe('waiting');
			expect((await look(fixture, 'first')).event).toMatchObject({ attempt: 1, duplicates: 2 });
		},
	},
	{
		name: 'other content, other versions: a double submit all the same',
		async run(fixture) {
			const ordering = (version: number) => ({ ordering: { object: 'o', version } });
			await win(fixture, 'first', { ...ALIAS, fingerprint: 'one', ...ordering(1) });
			const other = { ...ALIAS, fingerprint: 'two', ...ordering(2) };
			const lost = await lose(fixture, 'second', other);
			expect(lost).toMatchObject({ outcome: 'in_progress', isDoubleSubmit: true });
			expect((await look(fixture, 'first')).conflicts).toEqual([]);
		},
	},
	{
		name: 'in one batch the first is new, the others are its double submits',
		async run(fixture) {
			const keys = ['a', 'b', 'other', 'c', 'a'];
			const results = await fixture.ledger.claimEvents(
				keys.map((key, i) => ({
					...at(fixture, key),
					claimant: claimant('alice', i),
					alias: key === 'other' ? 'order 8' : 'order 7',
				})),
			);
			expect(results.map(({ outcome }) => outcome)).toEqual([
				'new',
				'in_progress',
				'new',
				'in_progress',
				'in_progress',
			]);
			expect(results.map(({ event }) => event!.key)).toEqual(['a', 'a', 'other', 'a', 'a']);
			const doubles = results.map((result) => !result.claimed && result.isDoubleSubmit);
			// The last one has the event's own key.
			expect(doubles).toEqual([false, true, false, true, undefined]);
			expect((await look(fixture, 'a')).event).toMatchObject({ ...ALIAS, duplicates: 3 });
		},
	},
	{
		name: 'of many concurrent deliveries with different keys and one alias exactly one is new',
		async run(fixture) {
			const ledgers = [fixture.ledger, await fixture.openAnother(), await fixture.openAnother()];
			for (let round = 0; round < 5; round++) {
				const results = await Promise.all(
					Array.from({ length: 24 }, (_, i) =>
						ledgers[i % 3].claimEvents([
							{
								...at(fixture, `delivery ${round} ${i}`),
								claimant: claimant(`execution ${i}`),
								alias: `order ${round}`,
							},
						]),
					),
				);
				const outcomes = results.map(([result]) => result.outcome).sort();
				expect(outcomes).toEqual([...Array<string>(23).fill('in_progress'), 'new']);
				const winner = results.find(([result]) => result.claimed)![0].event!;
				expect(winner).toMatchObject({ alias: `order ${round}` });
				for (const [result] of results) expect(result.event!.key).toBe(winner.key);
				expect((await look(fixture, winner.key)).event.duplicates).toBe(23);
				expect((await fixture.ledger.list({ namespace: fixture.namespace })).events).toHaveLength(
					round + 1,
				);
			}
		},
	},
	{
		name: 'the owner itself is retried, resumed and taken over as ever',
		async run(fixture) {
			const first = await win(fixture, 'k', ALIAS);
			expect(first.event).toMatchObject(ALIAS);
			expect(await win(fixture, 'k', ALIAS)).toMatchObject({ outcome: 'resumed', event: ALIAS });
			// A retry that does not know the alias does not take it away.
			const third = await takeOver(fixture, 'k');
			expect(third.event).toMatchObject(ALIAS);
			await fail(fixture, 'k', third.held);
			const fourth = await win(fixture, 'k', ALIAS);
			expect(fourth).toMatchObject({ outcome: 'retry', event: { ...ALIAS, attempt: 4 } });
			await complete(fixture, 'k', fourth.held, 'result');
			expect(await lose(fixture, 'k', ALIAS)).not.toHaveProperty('isDoubleSubmit');
			expect(await lose(fixture, 'again', ALIAS)).toMatchObject({
				outcome: 'duplicate',
				isDoubleSubmit: true,
				event: { key: 'k', result: 'result' },
			});
			await release(fixture, 'k');
			expect((await lose(fixture, 'again', ALIAS)).outcome).toBe('review');
		},
	},
	{
		name: 'the alias of an event that is forgotten is free again',
		async run(fixture) {
			const { held } = await win(fixture, 'first', { ...ALIAS, input: 'in' });
			await complete(fixture, 'first', held, 'old');
			await fixture.expireRecord(at(fixture, 'first'));
			const second = await win(fixture, 'second', { ...ALIAS, claimant: BOB });
			expect(second).toMatchObject({ outcome: 'new', event: { key: 'second', ...ALIAS } });
			const late = await lose(fixture, 'first', { ...ALIAS, claimant: claimant('late') });
			expect(late).toMatchObject({ isDoubleSubmit: true, event: { key: 'second' } });
			while ((await fixture.ledger.purge()).more);
			// It was forgotten once, turned away nobody, and nobody deleted it.
			expect(await tallies(fixture)).toEqual({ new: 2, completed: 1, purged: 1, in_progress: 1 });
		},
	},
	{
		name: 'who gave its alias up is not counted for those who have it now',
		async run(fixture) {
			for (let i = 0; i < 5; i++) {
				const [first, second, alias] = [`first ${i}`, `second ${i}`, `order ${i}`];
				await complete(fixture, first, (await win(fixture, first, { alias })).held);
				await fixture.expireRecord(at(fixture, first));
				// The old key comes again, and does not know the alias any more.
				await win(fixture, first, { claimant: BOB });
				expect((await win(fixture, second, { alias })).outcome).toBe('new');
				expect((await look(fixture, first)).event.duplicates).toBe(0);
				expect(await lose(fixture, `third ${i}`, { alias })).toMatchObject({
					event: { key: second },
				});
			}
			expect(await tallies(fixture)).toMatchObject({ new: 15, in_progress: 5 });
		},
	},
	{
		name: 'the alias of an event that was erased is free again',
		async run(fixture) {
			await win(fixture, 'first', ALIAS);
			await fixture.ledger.deleteEvents([{ ...at(fixture, 'first'), by: 'olga' }]);
			expect(await win(fixture, 'second', ALIAS)).toMatchObject({ outcome: 'new', event: ALIAS });
			expect(await lose(fixture, 'first', ALIAS)).toMatchObject({ event: { key: 'second' } });
		},
	},
	{
		name: 'an expired owner that is claimed again at that very moment is not lost',
		async run(fixture) {
			const { held } = await win(fixture, 'first', ALIAS);
			await complete(fixture, 'first', held);
			await fixture.expireRecord(at(fixture, 'first'));
			const other = await fixture.openAnother();
			const { store } = fixture;
			let meanwhile: Promise<unknown> | undefined;
			// Right after a delivery met the expired owner of its alias, another one claims that owner anew.
			const ledger = fixture.ledgerOn(
				wrapped(store, {
					insert: async (insertions) => {
						const inserted = await store.insert(insertions);
						meanwhile ??= other.claimEvents([{ ...at(fixture, 'first'), claimant: BOB, ...ALIAS }]);
						await meanwhile;
						return inserted;
					},
				}),
			);
			const [late] = await ledger.claimEvents([
				{ ...at(fixture, 'second'), claimant: ALICE, ...ALIAS },
			]);
			expect(late).toMatchObject({ outcome: 'in_progress', event: { key: 'first' } });
			expect((await look(fixture, 'first')).event).toMatchObject({
				state: 'processing',
				executionId: 'bob',
			});
			expect(await kinds(fixture, 'first')).toEqual(['new']);
		},
	},
	{
		name: "an alias is no key, and another namespace's alias is another",
		async run(fixture) {
			await win(fixture, 'order 7');
			expect((await win(fixture, 'k', ALIAS)).outcome).toBe('new');
			expect((await win(fixture, 'plain')).event).not.toHaveProperty('alias');
			const elsewhere = { ...fixture, namespace: `${fixture.namespace} elsewhere` };
			expect((await win(elsewhere, 'other', ALIAS)).outcome).toBe('new');
			expect(await fixture.ledger.importRecords([at(fixture, 'imported')])).toEqual(['imported']);
		},
	},
	{
		name: 'an event never gets the alias that another one has',
		async run(fixture) {
			const plain = await win(fixture, 'plain');
			await fail(fixture, 'plain', plain.held);
			await win(fixture, 'owner', ALIAS);
			const retried = await win(fixture, 'plain', ALIAS);
			const { event } = await look(fixture, 'plain');
			expect(event).not.toHaveProperty('alias');
			expect(retried.event).toEqual(event);
			expect(await lose(fixture, 'third', ALIAS)).toMatchObject({ event: { key: 'owner' } });
			await fail(fixture, 'plain', retried.held);
			expect((await look(fixture, 'plain')).event).not.toHaveProperty('alias');
		},
	},
	{
		name: 'a forgotten event with a key of its own does not take the alias of a live one',
		async run(fixture) {
			const { held } = await win(fixture, 'old');
			await complete(fixture, 'old', held);
			await fixture.expireRecord(at(fixture, 'old'));
			await win(fixture, 'owner', ALIAS);
			// The old delivery comes again, for the same order as the one that is in progress.
			const lost = await lose(fixture, 'old', { ...ALIAS, claimant: BOB });
			expect(lost).toMatchObject({
				outcome: 'in_progress',
				isDoubleSubmit: true,
				event: { key: 'owner' },
			});
			expect((await look(fixture, 'owner')).event).toMatchObject({ ...ALIAS, attempt: 1 });
		},
	},
];
