import { setTimeout as sleep } from 'node:timers/promises';

import type { ClaimRequest, Ledger } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { claimantOf, holderOf } from './executions';
import { labelOf } from './labels';
import { PLACES } from './places';
import { race } from './race';
import type { Worker } from './Worker';

const WORKERS = 16;
const EVENTS = 6;
const OWNER = 'owner';
/** Until all have got their orders. */
const HEAD_START_MS = 150;

/** Something that many try at once with the same events, and that only one of them may get. */
interface Prize {
	/** What the events have to be like. */
	before(ledger: Ledger, events: EventAddress[]): Promise<unknown>;
	/** What one of the workers gets, for each event. */
	reach(ledger: Ledger, events: EventAddress[], worker: Worker): Promise<string[]>;
	/** How that looks to the one who gets it, and to all others. */
	won: string;
	lost: string;
	/** What the history has of it. */
	kind?: string;
}

const PRIZES: Record<string, Prize> = {
	'an event that nobody has seen': {
		before: async () => {},
		reach: (ledger, events, worker) => claim(ledger, events, worker.name),
		won: 'new',
		lost: 'in_progress',
		kind: 'new',
	},
	'a lease that is over': {
		before: stop,
		reach: (ledger, events, worker) =>
			claim(ledger, events, worker.name, { onStopped: 'takeover' }),
		won: 'recovered',
		lost: 'in_progress',
		kind: 'recovered',
	},
	'an event that failed': {
		before: fail,
		reach: (ledger, events, worker) => claim(ledger, events, worker.name),
		won: 'retry',
		lost: 'in_progress',
		kind: 'retry',
	},
	'the claim of an execution that is retried by hand': {
		before: (ledger, events) => claim(ledger, events, OWNER),
		reach: (ledger, events, worker) =>
			claim(ledger, events, worker.name, { actsFor: holderOf(OWNER) }),
		won: 'resumed',
		lost: 'in_progress',
		kind: 'resumed',
	},
	'an event that is forgotten': {
		before: async (ledger, events) => {
			await claim(ledger, events, OWNER, { retentionMs: 1 });
			await ledger.completeEvents(events.map((event) => ({ ...event, ...holding() })));
			await sleep(5);
		},
		reach: (ledger, events, worker) => claim(ledger, events, worker.name),
		won: 'new',
		lost: 'in_progress',
		kind: 'new',
	},
	'a name that stands for one event': {
		before: async () => {},
		reach: async (ledger, events, worker) =>
			(
				await ledger.claimEvents(
					events.map(({ namespace, key }) => ({
						namespace,
						key: `${key} of ${worker.name}`,
						alias: key,
						claimant: claimantOf(worker.name),
					})),
				)
			).map(({ outcome }) => outcome),
		won: 'new',
		lost: 'in_progress',
	},
	'work that is handed out': {
		before: fail,
		reach: async (ledger, events, { name: by }) => {
			const [{ namespace }] = events;
			const taken = await ledger.take({ kinds: ['failed'], namespace, by });
			const keys = taken.map(({ event }) => event.key);
			return events.map(({ key }) => (keys.includes(key) ? 'taken' : 'left'));
		},
		won: 'taken',
		lost: 'left',
		kind: 'taken',
	},
	'steps to undo': {
		before: async (ledger, events) => {
			await claim(ledger, events, OWNER);
			const undo = { cancel: 'hotel' };
			await ledger.finishSteps(
				events.map((event) => ({ ...event, ...holding(), step: 'hotel', undo })),
			);
			await giveUp(ledger, events);
		},
		reach: async (ledger, events, { name: by }) =>
			(await ledger.takeUndos(events.map((event) => ({ ...event, by })))).map((result) =>
				result.ok ? `${result.value.steps.length} steps` : labelOf(result),
			),
		won: '1 steps',
		lost: '0 steps',
		kind: 'undo_taken',
	},
	'the right to notify the approvers': {
		before: (ledger, events) => claim(ledger, events, OWNER),
		reach: async (ledger, events) =>
			(
				await ledger.requestApprovals(
					events.map((event) => ({ ...event, gate: 'manager', fingerprint: 'content' })),
				)
			).map((result) => (result.ok ? `isNew: ${result.value.isNew}` : labelOf(result))),
		won: 'isNew: true',
		lost: 'isNew: false',
		kind: 'approval_requested',
	},
	'the decision about an event in review': {
		before: async (ledger, events) => {
			await claim(ledger, events, OWNER);
			await giveUp(ledger, events, 'review');
		},
		reach: async (ledger, events, { name: by }) =>
			(
				await ledger.releaseEvents(events.map((event) => ({ ...event, by, inState: 'review' })))
			).map(labelOf),
		won: 'ok',
		lost: 'EventChangedError',
		kind: 'released',
	},
	'an import': {
		before: async () => {},
		reach: (ledger, events) => ledger.importRecords(events),
		won: 'imported',
		lost: 'exists',
		kind: 'imported',
	},
	'a removal': {
		before: (ledger, events) => claim(ledger, events, OWNER),
		reach: (ledger, events, { name: by }) =>
			ledger.deleteEvents(events.map((event) => ({ ...event, by }))),
		won: 'deleted',
		lost: 'missing',
	},
};

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: of ${WORKERS} processes that reach for the same thing at once, one gets it`,
		open,
		async ({ ledger, crew, random }) => {
			const workers = await crew.hire(WORKERS, { task: 'serve' });
			for (const [name, prize] of Object.entries(PRIZES)) {
				const namespace = `${crew.namespace}: ${name}`;
				const events = Array.from({ length: EVENTS }, (_, i) => ({ namespace, key: `event-${i}` }));
				await prize.before(ledger, events);
				const at = Date.now() + HEAD_START_MS;
				const got = await Promise.all(
					workers.map(async (worker) => {
						// Each in an order of its own; half of them one by one.
						const own = random.shuffled(events);
						const found = await reach(prize, worker, own, at, worker.number % 2 === 0);
						return events.map((event) => found[own.indexOf(event)]);
					}),
				);

				for (const [i, event] of events.entries()) {
					const ends = got.map((found) => found[i]).sort();
					const expected = [prize.won, ...Array(WORKERS - 1).fill(prize.lost)].sort();
					expect([name, ends]).toEqual([name, expected]);
					if (prize.kind === undefined) continue;
					const history = await ledger.history(event);
					const entries = history.filter(({ kind }) => kind === prize.kind);
					expect([name, entries.length]).toEqual([name, 1]);
				}
			}
			await expectOneAttemptMore(ledger, crew.namespace);
		},
	);
}

async function reach(
	prize: Prize,
	worker: Worker,
	events: EventAddress[],
	at: number,
	isOneByOne: boolean,
): Promise<string[]> {
	const ledger = worker.ledgerAt(at);
	// What is handed out is not asked for by key.
	if (!isOneByOne || prize.kind === 'taken') return await prize.reach(ledger, events, worker);
	const found = events.map((event) => prize.reach(ledger, [event], worker));
	return (await Promise.all(found)).flat();
}

/** And all who were turned away are counted. */
async function expectOneAttemptMore(ledger: Ledger, prefix: string): Promise<void> {
	const namespace = `${prefix}: a lease that is over`;
	const { events } = await ledger.list({ namespace });
	const found = events.map(({ attempt, duplicates }) => ({ attempt, duplicates }));
	expect(found).toEqual(
		Array.from({ length: EVENTS }, () => ({ attempt: 2, duplicates: WORKERS - 1 })),
	);
	const { tallies } = await ledger.stats({ namespace });
	const sum = (kind: string) =>
		tallies.filter((tally) => tally.kind === kind).reduce((total, { count }) => total + count, 0);
	expect([sum('recovered'), sum('in_progress')]).toEqual([EVENTS, EVENTS * (WORKERS - 1)]);
}

function holding() {
	return { holder: holderOf(OWNER), attempt: 1 };
}

async function claim(
	ledger: Ledger,
	events: EventAddress[],
	executionId: string,
	options: Partial<ClaimRequest> = {},
): Promise<string[]> {
	const claimant = claimantOf(executionId);
	const results = await ledger.claimEvents(
		events.map((event) => ({ ...event, claimant, ...options })),
	);
	return results.map(({ outcome }) => outcome);
}

async function stop(ledger: Ledger, events: EventAddress[]): Promise<void> {
	await claim(ledger, events, OWNER, { leaseMs: 1 });
	await sleep(5);
}

async function fail(ledger: Ledger, events: EventAddress[]): Promise<void> {
	await claim(ledger, events, OWNER);
	await giveUp(ledger, events);
}

async function giveUp(
	ledger: Ledger,
	events: EventAddress[],
	as: 'failed' | 'review' = 'failed',
): Promise<void> {
	const results = await ledger.failEvents(
		events.map((event) => ({ ...event, ...holding(), as, reason: 'No luck' })),
	);
	expect(results.map(labelOf)).toEqual(events.map(() => 'ok'));
}
