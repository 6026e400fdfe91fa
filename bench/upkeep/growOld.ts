import { setTimeout as sleep } from 'node:timers/promises';

import type { Ledger } from '../../ledger/Ledger';
import type { EventSummary } from '../../ledger/records';
import type { LedgerSettings } from '../../ledger/settings';
import { type Contestant, named } from '../ledger/contestant';
import { latencies } from '../measure';
import { openLedger } from '../product';
import type { Report } from '../Report';
import { addBacklog, addDone, addOpen } from './fill';
import { OPERATIONS, takeOfQuiet } from './operations';
import { type Purge, purgeUnderClaims } from './purge';
import { embeddedWitness } from './witness/embedded';
import { postgresWitness } from './witness/postgres';
import { redisWitness } from './witness/redis';
import type { Testimony, Witness } from './witness/witness';

const WITNESSES: Record<LedgerSettings['store'], Witness> = {
	embedded: embeddedWitness,
	postgres: postgresWitness,
	redis: redisWitness,
};

export interface Sizes {
	/** Events that are done. */
	small: number;
	large: number;
	/** How many of the large number expire; the others come first, and show how long the filling takes. */
	expiring: number;
	/** Events that are open, in both. */
	open: number;
	/** Claims on the bad day. */
	backlog: number;
	repetitions: number;
	/** How long the measuring takes at most, before the records expire. */
	measuringMs: number;
}

const QUICK: Sizes = {
	small: 1_000,
	large: 60_000,
	expiring: 50_000,
	open: 1_000,
	backlog: 5_000,
	repetitions: 10,
	measuringMs: 3_500,
};

const FULL: Sizes = {
	small: 1_000,
	large: 1_100_000,
	expiring: 500_000,
	open: 2_000,
	backlog: 20_000,
	repetitions: 25,
	measuringMs: 15_000,
};

/** A store that is filled may get slower: on disk its indexes outgrow what is cached. */
const SLOWER = 1.5;

/** How a store fared. Times in milliseconds. */
export interface Grown {
	name: string;
	sizes: Sizes;
	operations: Measured[];
	purge: Purge;
	backlog: Backlog;
}

export interface Measured {
	what: string;
	isSearch?: true;
	small: number[];
	large: number[];
	testimony: Testimony;
}

export interface Backlog {
	firstList: number;
	nextList: number;
	/** Taking the few of another namespace, before and after. */
	before: number[];
	after: number[];
}

/** The life of a ledger beside one that stays small: it grows, is looked into, is cleaned up, and has a bad day. */
export async function growOld(
	{ name, settings }: Contestant,
	report: Report,
	quick: boolean,
): Promise<Grown> {
	const sizes = quick ? QUICK : FULL;
	const [small, large] = [named(settings, 'small'), named(settings, 'large')];
	report.progress(`${name}: filling`);
	const { middles, expiresAt } = await withLedgers([small, large], (ledgers) =>
		fill(ledgers, sizes),
	);

	report.progress(`${name}: lists, statistics, taking`);
	const times = await withLedgers([small, large], async (ledgers) => {
		const measured: number[][][] = [];
		for (const { run } of OPERATIONS) {
			const both = ledgers.map((ledger, i) => () => run(ledger, middles[i]));
			measured.push(await latencies(both, { repetitions: sizes.repetitions, inARow: 5 }));
		}
		return measured;
	});
	const operations: Measured[] = [];
	for (const [i, operation] of OPERATIONS.entries()) {
		const testimony = await WITNESSES[settings.store](large, operation, middles[1]);
		const [inSmall, inLarge] = times[i];
		const { name: what, isSearch } = operation;
		operations.push({ what, isSearch, small: inSmall, large: inLarge, testimony });
	}

	if (Date.now() > expiresAt) throw new Error('The records expired before all was measured');
	await sleep(expiresAt - Date.now());
	return await withLedgers([large], async ([ledger]) => {
		report.progress(`${name}: removing what is expired`);
		const purge = await purgeUnderClaims(ledger, quick ? 1_000 : 4_000);
		report.progress(`${name}: a bad day`);
		const backlog = await haveBadDay(ledger, sizes);
		return { name, sizes, operations, purge, backlog };
	});
}

async function withLedgers<T>(
	settings: LedgerSettings[],
	work: (ledgers: Ledger[]) => Promise<T>,
): Promise<T> {
	const ledgers = await Promise.all(settings.map((one) => openLedger(one)));
	try {
		return await work(ledgers);
	} finally {
		await Promise.all(ledgers.map((ledger) => ledger.close()));
	}
}

/** Returns an event of each that about half of all are newer than, and when the large one's records expire. */
async function fill(
	[small, large]: Ledger[],
	{ small: few, large: many, expiring, measuringMs, open }: Sizes,
): Promise<{ middles: EventSummary[]; expiresAt: number }> {
	const middles = [await addDoneInHalves(small, few)];
	const start = performance.now();
	await addDone(large, many - expiring);
	const expected = ((performance.now() - start) * expiring) / (many - expiring);
	const expiresAt = Math.ceil(Date.now() + SLOWER * expected + measuringMs);
	middles.push(await addDoneInHalves(large, expiring, expiresAt));
	for (const ledger of [small, large]) await addOpen(ledger, open);
	return { middles, expiresAt };
}

/** Returns an event from between the halves. */
async function addDoneInHalves(
	ledger: Ledger,
	count: number,
	expiresAt?: number,
): Promise<EventSummary> {
	await addDone(ledger, count / 2, expiresAt);
	const halfway = Date.now() + 5;
	await sleep(10);
	await addDone(ledger, count / 2, expiresAt);
	const { events } = await ledger.list({ createdBefore: halfway, limit: 1 });
	return events[0];
}

/** Many claims at once, all of which fail. */
async function haveBadDay(ledger: Ledger, { backlog, repetitions }: Sizes): Promise<Backlog> {
	const take = async () => {
		const [times] = await latencies([() => takeOfQuiet(ledger)], { repetitions, inARow: 1 });
		return times;
	};
	const list = async () => {
		const start = performance.now();
		await ledger.list({});
		return performance.now() - start;
	};
	const before = await take();
	let [firstList, nextList] = [0, 0];
	await addBacklog(ledger, backlog, async () => {
		firstList = await list();
		nextList = await list();
	});
	return { firstList, nextList, before, after: await take() };
}
