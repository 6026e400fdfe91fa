import { setTimeout as sleep } from 'node:timers/promises';

import { type Contestant, named } from '../ledger/contestant';
import { CONTESTANTS } from '../ledger/contestants';
import { median, ratios, spread } from '../measure';
import type { Part } from '../parts';
import type { Bar, Report, Row } from '../Report';
import { compileLedger } from './compile';
import { type Manner, type Operation, OPERATIONS, type Times } from './orders';
import { Side } from './Side';

interface Sizes {
	/** Events that each ledger has before it is measured. */
	records: number;
	rounds: number;
	manners: Manner[];
}

const FULL: Sizes = sizes(100_000, 15, { alone: 200, together: 1600, batched: 5000 });
const QUICK: Sizes = sizes(2_000, 5, { alone: 40, together: 320, batched: 1000 });

function sizes(
	records: number,
	rounds: number,
	events: { alone: number; together: number; batched: number },
): Sizes {
	const manners = [
		{ name: '1 at a time', batch: 1, workers: 1, events: events.alone },
		{ name: '16 at once', batch: 1, workers: 16, events: events.together },
		{ name: 'batches of 1,000', batch: 1000, workers: 1, events: events.batched },
	];
	return { records, rounds, manners };
}

/** What the new ledger may take of the old one's time, in the order of the manners. */
const BARS: Record<string, Partial<Record<Operation, number[]>>> = {
	Embedded: { claim: [1.05, 1.05, 1.05], cycle: [1, 1, 1] },
	Postgres: { claim: [1.05, 1.05, 1.05], cycle: [0.85, 0.6, 0.4] },
	Redis: { claim: [1.1, 1.1, 1.1], cycle: [0.85, 0.6, 0.4] },
};

/** In each round: the times of a turn. */
interface Measured {
	manner: Manner;
	old: Times[];
	new: Times[];
}

/** The ledger of another checkout beside that of this one: `--old <folder>`. */
export const versusPart: Part = {
	name: 'versus',
	resultsFile: 'RESULTS-versus.md',
	async run(report, { quick, old }) {
		if (old === undefined) throw new Error("Say which checkout is the old one: '--old <folder>'");
		const size = quick ? QUICK : FULL;
		const compiled = [await compileLedger(old), await compileLedger('.')];
		try {
			const versions = compiled.map(({ version }) => version);
			report.section(`The ledger of ${versions[1]} beside that of ${versions[0]}`);
			report.text(
				`Each in a process of its own, on the same server, in turns of changing order. Each ledger has ${count(size.records)} events ` +
					`before it is measured. In each of ${size.rounds} rounds a turn does every operation with ` +
					`${size.manners.map(({ name, events }) => `${count(events)} events ${name}`).join(', ')}. A *cycle* is claim, begin, ` +
					'finish and complete of an event (or a batch), one call after the other. Claims have a fingerprint and an input, steps an ' +
					'output, events a result; a *duplicate* is the claim of an event that is done.',
			);
			for (const create of CONTESTANTS) {
				const contestant = await create();
				try {
					await compare(
						report,
						contestant,
						compiled.map(({ open }) => open),
						size,
					);
				} finally {
					await contestant.stop();
				}
			}
		} finally {
			for (const { dispose } of compiled) dispose();
		}
	},
};

async function compare(
	report: Report,
	contestant: Contestant,
	opens: string[],
	size: Sizes,
): Promise<void> {
	const { name, server, settings } = contestant;
	const sides: Side[] = [];
	try {
		for (const [i, open] of opens.entries()) {
			sides.push(await Side.start({ open, settings: named(settings, ['old', 'new'][i]) }));
		}
		report.progress(`${name}: filling`);
		for (const side of sides) {
			await side.fill(size.records);
			await untilIdle(contestant);
		}
		const all: Measured[] = [];
		for (const manner of size.manners) {
			report.progress(`${name}: ${manner.name}`);
			all.push(await measure(contestant, sides, manner, size.rounds));
		}
		describe(report, name, server, all);
	} finally {
		for (const side of sides) await side.end();
	}
}

/** The first turn of each does not count. */
async function measure(
	contestant: Contestant,
	sides: Side[],
	manner: Manner,
	rounds: number,
): Promise<Measured> {
	const times: Times[][] = sides.map(() => []);
	for (let round = -1; round < rounds; round++) {
		for (const turn of sides.keys()) {
			const who = (Math.max(round, 0) + turn) % sides.length;
			const taken = await sides[who].turn(manner);
			await untilIdle(contestant);
			if (round >= 0) times[who].push(taken);
		}
	}
	return { manner, old: times[0], new: times[1] };
}

/** When the background work of the new Redis store, and of the old, begins. */
const LATER_MS = 1_200;

/** What a side has left to be done later must not be at the expense of the other. */
async function untilIdle({ serverCpu, settings: { store } }: Contestant): Promise<void> {
	if (store !== 'redis') return;
	await sleep(LATER_MS);
	for (let before = await serverCpu!(); ; ) {
		await sleep(200);
		const now = await serverCpu!();
		if (now - before < 5) return;
		before = now;
	}
}

function describe(report: Report, name: string, server: string, all: Measured[]): void {
	report.text(`### ${name}: ${server}`);
	report.text(
		'New time as a share of old, median of the rounds ± half the distance of the quartiles:',
	);
	const table = (cell: (measured: Measured, operation: Operation) => string) =>
		OPERATIONS.map(
			(operation): Row => ({
				operation,
				...Object.fromEntries(
					all.map((measured) => [measured.manner.name, cell(measured, operation)]),
				),
			}),
		);
	report.table(
		table((measured, operation) => {
			const shares = sharesOf(measured, operation);
			return `${median(shares).toFixed(2)} ±${(median(shares) * spread(shares)).toFixed(2)}`;
		}),
	);
	report.text('Microseconds per event, old → new, medians ± half the distance of the quartiles:');
	report.table(
		table((measured, operation) =>
			[measured.old, measured.new]
				.map((times) => figure(times.map((each) => 1000 * each[operation])))
				.join(' → '),
		),
	);
	for (const [operation, bars] of Object.entries(BARS[name]) as Array<[Operation, number[]]>) {
		for (const [i, measured] of all.entries()) {
			const bar: Bar = {
				what: `${name}, ${measured.manner.name}: ${operation}, new time / old time`,
				value: median(sharesOf(measured, operation)),
				bar: bars[i],
				bound: 'most',
			};
			report.bar(bar);
		}
	}
}

function sharesOf({ old, new: fresh }: Measured, operation: Operation): number[] {
	const of = (times: Times[]) => times.map((each) => each[operation]);
	return ratios(of(fresh), of(old));
}

function figure(numbers: number[]): string {
	return `${Math.round(median(numbers))} ±${Math.round(100 * spread(numbers))}%`;
}

function count(number: number): string {
	return number.toLocaleString('en');
}
