import { StaleClaimError } from '../../../ledger/errors';
import type { ClaimRequest, Ledger } from '../../../ledger/Ledger';
import type { EventAddress } from '../../../ledger/records';
import { comparable } from '../comparable';
import type { Case, Fixture } from './Case';
import {
	ALICE,
	ask,
	at,
	begin,
	BOB,
	claimant,
	complete,
	decide,
	fail,
	failStep,
	finishStep,
	type Held,
	heldBy,
	HOUR,
	kinds,
	look,
	ok,
	one,
	pause,
	refused,
	review,
	sum,
	takeOver,
	win,
} from './helpers';
import { forgetful } from './wrapped';

interface Write {
	/** How the event comes to where the write finds it. */
	bring?(fixture: Fixture, key: string, held: Held): Promise<unknown>;
	write(ledger: Ledger, held: EventAddress & Held, fixture: Fixture): Promise<unknown>;
}

async function approvalId(fixture: Fixture, key: string): Promise<string> {
	return (await look(fixture, key)).approvals[0].id;
}

const gate = { gate: 'gate', fingerprint: 'content' };

/** Every write that is no claim, on an event that Alice has. */
const WRITES: Record<string, Write> = {
	'begins a step': {
		write: (ledger, held) => ledger.beginSteps([{ ...held, step: 's', claimant: ALICE }]),
	},
	'finds a step in doubt': {
		bring: (fixture, key, held) => begin(fixture, key, held),
		write: (ledger, held) => ledger.beginSteps([{ ...held, step: 'step', claimant: ALICE }]),
	},
	'finishes a step': {
		write: (ledger, held) => ledger.finishSteps([{ ...held, step: 's', output: 1 }]),
	},
	'fails a step': {
		write: (ledger, held) => ledger.finishSteps([{ ...held, step: 's', state: 'failed' }]),
	},
	'resolves a step': {
		bring: async (fixture, key, held) => {
			await begin(fixture, key, held);
			await fail(fixture, key, held);
		},
		write: (ledger, { namespace, key }) =>
			ledger.resolveSteps([
				{ namespace, key, step: 'step', by: 'olga', resolution: 'did_not_happen' },
			]),
	},
	completes: { write: (ledger, held) => ledger.completeEvents([{ ...held, result: 'result' }]) },
	'completes by an operator': {
		bring: review,
		write: (ledger, { namespace, key }) =>
			ledger.completeEvents([{ namespace, key, by: 'olga', result: 'result' }]),
	},
	'gives up': { write: (ledger, held) => ledger.failEvents([{ ...held, reason: 'why' }]) },
	'gives up by an operator': {
		write: (ledger, { namespace, key }) =>
			ledger.failEvents([{ namespace, key, by: 'olga', as: 'review', reason: 'why' }]),
	},
	renews: { write: (ledger, held) => ledger.renewLeases([{ ...held, leaseMs: 5 * HOUR }]) },
	pauses: { write: (ledger, held) => ledger.pauseEvents([{ ...held, forMs: HOUR }]) },
	'goes on after a pause': {
		bring: pause,
		write: (ledger, held) => ledger.renewLeases([held]),
	},
	'gives back': { write: (ledger, held) => ledger.releaseEvents([{ ...held, reason: 'why' }]) },
	'gives back by an operator': {
		bring: complete,
		write: (ledger, { namespace, key }) =>
			ledger.releaseEvents([{ namespace, key, by: 'olga', reason: 'why' }]),
	},
	'hands out undos': {
		bring: (fixture, key, held) =>
			fixture.ledger.finishSteps([{ ...at(fixture, key), ...held, step: 's', undo: 1 }]),
		write: (ledger, held) => ledger.takeUndos([held]),
	},
	'marks a step undone': {
		bring: (fixture, key, held) => finishStep(fixture, key, held, 's'),
		write: (ledger, held) => ledger.markUndone([{ ...held, step: 's' }]),
	},
	'asks for approval': { write: (ledger, held) => ledger.requestApprovals([{ ...held, ...gate }]) },
	'votes, and does not decide yet': {
		bring: (fixture, key, held) => ask(fixture, key, { ...held, required: 2 }),
		write: async (ledger, held, fixture) =>
			await ledger.decideApproval({
				...held,
				...gate,
				approvalId: await approvalId(fixture, held.key),
				decision: 'approved',
				by: 'olga',
			}),
	},
	decides: {
		bring: (fixture, key, held) => ask(fixture, key, held),
		write: async (ledger, held, fixture) =>
			await ledger.decideApproval({
				...held,
				...gate,
				approvalId: await approvalId(fixture, held.key),
				decision: 'rejected',
				by: 'olga',
			}),
	},
	notes: {
		bring: (fixture, key, held) => ask(fixture, key, held),
		write: async (ledger, held, fixture) =>
			await ledger.noteApproval({
				...held,
				...gate,
				approvalId: await approvalId(fixture, held.key),
				kind: 'approval_shown',
				by: 'olga',
				limit: 1,
			}),
	},
	'takes work': {
		bring: fail,
		write: async (ledger, { namespace }) =>
			await ledger.take({ kinds: ['failed'], namespace, by: 'taker', visibilityMs: HOUR }),
	},
	'fails all of an execution': {
		write: (ledger, { holder }) =>
			ledger.failByExecution({
				instance: holder.instance,
				executionId: holder.executionId,
				reason: 'why',
			}),
	},
};

/** How an event comes to where each kind of claim is won, and which answer is lost on the way. */
const CLAIMS: Record<string, [(fixture: Fixture) => Promise<unknown>, Partial<ClaimRequest>]> = {
	new: [async () => {}, { input: 1 }],
	resumed: [(fixture) => win(fixture, 'k'), {}],
	recovered: [
		async (fixture) => {
			const { held } = await win(fixture, 'k');
			await finishStep(fixture, 'k', held, 'step', 'sent');
			await fixture.expireLease(at(fixture, 'k'));
		},
		{ claimant: BOB, onStopped: 'takeover' },
	],
	retry: [
		async (fixture) => await fail(fixture, 'k', (await win(fixture, 'k')).held),
		{ claimant: BOB, input: 2 },
	],
};

/** A ledger on the fixture's store that loses the first answer to each of its calls. */
function losing(fixture: Fixture, meanwhile?: () => Promise<void>): Ledger {
	return fixture.ledgerOn(forgetful(fixture.store, { meanwhile }));
}

/**
 * A lost answer is harmless: a store repeats a call when a connection breaks, and may have carried it out already. Whatever it was, the
 * ledger answers as if it had been one call.
 */
export const replays: Case[] = [
	...Object.entries(WRITES).map(
		([name, { bring, write }]): Case => ({
			name: `an answer is lost while somebody ${name}`,
			async run(fixture) {
				const seen: unknown[] = [];
				for (const ledger of [fixture.ledger, losing(fixture)]) {
					const there = { ...fixture, namespace: `${fixture.namespace} ${seen.length}` };
					const by = claimant(there.namespace);
					const { held } = await win(there, 'k', { claimant: by });
					await bring?.(there, 'k', held);
					const reply = await write(ledger, { ...at(there, 'k'), ...held }, there);
					const after = await look(there, 'k');
					const past = await there.ledger.history(at(there, 'k'));
					const { events, tallies } = await there.ledger.stats({ namespace: there.namespace });
					const rename = (text: string) => text.replaceAll(there.namespace, 'here');
					seen.push(comparable({ reply, after, past, events, counts: sum(tallies) }, rename));
				}
				expect(seen[1]).toEqual(seen[0]);
			},
		}),
	),
	...Object.entries(CLAIMS).map(
		([outcome, [bring, request]]): Case => ({
			name: `an answer is lost while somebody claims: ${outcome}, once, and holds it`,
			async run(fixture) {
				await bring(fixture);
				const past = await kinds(fixture, 'k');
				const by = request.claimant ?? ALICE;
				const claim = { ...at(fixture, 'k'), claimant: by, ...request };
				// A delivery that met a record is counted by every call; what it wins is not.
				const store = forgetful(fixture.store, {
					calls: outcome === 'new' ? ['insert'] : ['swap'],
				});
				const won = await one(fixture.ledgerOn(store).claimEvents([claim]));
				expect(won.outcome).toBe(outcome);
				const { event, steps } = await look(fixture, 'k');
				expect(won).toMatchObject({ claimed: true, steps });
				expect({ ...event, input: undefined }).toEqual(won.event);
				expect(event.duplicates).toBe(0);
				expect(await kinds(fixture, 'k')).toEqual([...past, outcome]);
				const counts = sum((await fixture.ledger.stats(fixture)).tallies);
				expect(counts[outcome]).toBe(1);
				expect(counts).not.toHaveProperty('in_progress');
				await complete(fixture, 'k', heldBy(by, event.attempt));
			},
		}),
	),
	{
		name: 'an answer to a batch of claims is lost: the same ones are won',
		async run(fixture) {
			await win(fixture, 'b', { claimant: BOB });
			const results = await losing(fixture).claimEvents(
				['a', 'b', 'c', 'c'].map((key, i) => ({
					...at(fixture, key),
					claimant: claimant('alice', i),
				})),
			);
			expect(results.map(({ outcome }) => outcome)).toEqual([
				'new',
				'in_progress',
				'new',
				'in_progress',
			]);
			for (const key of ['a', 'c']) expect(await kinds(fixture, key)).toEqual(['new']);
		},
	},
	{
		name: 'a claim whose answer was lost is not stale because of itself',
		async run(fixture) {
			const claim = { ...at(fixture, 'k'), claimant: ALICE };
			const ordering = { object: 'o', version: 5 };
			const won = await one(losing(fixture).claimEvents([{ ...claim, ordering }]));
			expect(won.outcome).toBe('new');
		},
	},
	{
		name: 'an expired record is replaced once, also when the answer is lost',
		async run(fixture) {
			await complete(fixture, 'k', (await win(fixture, 'k')).held, 'old');
			await fixture.expireRecord(at(fixture, 'k'));
			const claim = { ...at(fixture, 'k'), claimant: BOB };
			const won = await one(losing(fixture).claimEvents([claim]));
			expect(won).toMatchObject({ outcome: 'new', event: { attempt: 1, executionId: 'bob' } });
			const { event } = await look(fixture, 'k');
			expect(event).toEqual(won.event);
			const counts = sum((await fixture.ledger.stats(fixture)).tallies);
			expect(counts).toEqual({ new: 2, completed: 1, purged: 1 });
		},
	},
	{
		name: 'a claim does not win a second time when somebody took over before it was repeated',
		async run(fixture) {
			const ledger = losing(fixture, async () => {
				if ((await fixture.ledger.get([at(fixture, 'k')]))[0]?.event.executionId === 'alice')
					await takeOver(fixture, 'k');
			});
			const late = await one(ledger.claimEvents([{ ...at(fixture, 'k'), claimant: ALICE }]));
			expect(late).toMatchObject({ claimed: false, outcome: 'in_progress' });
			expect((await look(fixture, 'k')).event).toMatchObject({ attempt: 2, executionId: 'bob' });
		},
	},
	{
		name: 'a write whose answer was lost is answered as it was, also when somebody took over meanwhile',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			await failStep(fixture, 'k', held, 'step');
			const ledger = losing(fixture, async () => {
				if ((await look(fixture, 'k')).event.attempt === 1) await takeOver(fixture, 'k');
			});
			const request = { ...at(fixture, 'k'), ...held, step: 'step', claimant: ALICE };
			expect(await ok(ledger.beginSteps([request]))).toMatchObject({
				outcome: 'run',
				step: { state: 'started', attempt: 1, tries: 2 },
			});
			expect(await kinds(fixture, 'k')).toEqual([
				'new',
				'step_failed',
				'step_started',
				'recovered',
			]);
			await refused(ledger.finishSteps([request]), StaleClaimError);
		},
	},
	{
		name: 'a vote that is sent again gets the answer that it got, and is counted once',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { approval } = await ask(fixture, 'k', { ...held, required: 2 });
			const first = await decide(fixture, 'k', approval.id, 'approved');
			expect(first.outcome).toBe('voted');
			expect(await decide(fixture, 'k', approval.id, 'approved')).toEqual(first);
			const second = await decide(fixture, 'k', approval.id, 'approved', { by: 'paul' });
			expect(second.outcome).toBe('decided');
			expect(second.approval!.votes.map(({ by }) => by)).toEqual(['olga', 'paul']);
		},
	},
	{
		name: 'an import whose answer was lost is an import',
		async run(fixture) {
			const imports = ['a', 'b', 'a'].map((key) => ({ ...at(fixture, key), result: 1 }));
			expect(await losing(fixture).importRecords(imports)).toEqual([
				'imported',
				'imported',
				'exists',
			]);
			expect(await kinds(fixture, 'a')).toEqual(['imported']);
			expect(await losing(fixture).importRecords(imports.slice(0, 1))).toEqual(['exists']);
			const counts = sum((await fixture.ledger.stats(fixture)).tallies);
			expect(counts).toEqual({ imported: 2 });
		},
	},
	{
		name: 'a secret is the same, whichever answer was lost',
		async run(fixture) {
			const name = `secret of ${fixture.namespace}`;
			expect(await losing(fixture).secret(name)).toBe(await fixture.ledger.secret(name));
		},
	},
];
