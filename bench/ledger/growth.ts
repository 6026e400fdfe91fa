import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Ledger } from '../../ledger/Ledger';
import { latencies, percentile } from '../measure';
import { plot, type Series } from '../plot';
import type { Report, Row } from '../Report';
import { BATCH, bareBatch, claim, type Contestant, cycle, nextItem } from './contestant';

/** A ledger, and the bare table beside it, with so many records. Times in milliseconds. */
interface Stand {
	records: number;
	single: number[];
	batch: number[];
	/** Claim, begin, finish, complete. */
	cycle: number[];
	bareSingle: number[];
	bareBatch: number[];
	bytesPerRecord: number;
	/** What this process has on its heap after a collection, in bytes: it has made all the claims. */
	heap: number;
}

export interface Growth {
	name: string;
	stands: Stand[];
}

/** How many records there are each time that it is measured, and how often then. Who takes longer to get there is not measured. */
export interface Course {
	sizes: number[];
	repetitions: number;
	minutes?: number;
}

export const FULL: Course = { sizes: [1_000, 100_000, 1_000_000], repetitions: 500 };
export const QUICK: Course = { sizes: [1_000, 50_000], repetitions: 100 };

/**
 * The same claims in a ledger that grows; and the bare statement on a table that grows alike, because an index of random keys
 * costs more when it is large, whoever keeps it.
 */
export async function grow(
	contestant: Contestant,
	ledger: Ledger,
	{ sizes, repetitions, minutes = Infinity }: Course,
): Promise<Growth> {
	const stands: Stand[] = [];
	const empty = await contestant.bytes();
	const end = performance.now() + minutes * 60_000;
	let filled = 0;
	for (const records of sizes) {
		for (; filled < records && performance.now() < end; filled += BATCH) {
			await claim(ledger, BATCH);
			await bareBatch(contestant);
		}
		if (filled < records) break;
		const bytesPerRecord = ((await contestant.bytes()) - empty) / filled;
		const [single, bareSingle, cycles] = await latencies(
			[() => claim(ledger, 1), () => contestant.bareSingle(nextItem()), () => cycle(ledger)],
			{ repetitions, inARow: 50 },
		);
		const [batch, bareBatches] = await latencies(
			[() => claim(ledger, BATCH), () => bareBatch(contestant)],
			{ repetitions: repetitions / 25, inARow: 1 },
		);
		stands.push({
			records,
			single,
			batch,
			cycle: cycles,
			bareSingle,
			bareBatch: bareBatches,
			bytesPerRecord,
			heap: heapAfterCollection(),
		});
	}
	return { name: contestant.name, stands };
}

export function reportGrowth(report: Report, growths: Growth[], picture = 'growth.svg'): void {
	report.section('Growth: a claim in a ledger of many records');
	const time = (numbers: number[], share = 0.5) => percentile(numbers, share).toFixed(2);
	report.table(
		growths.flatMap(({ name, stands }) =>
			stands.map(
				(stand): Row => ({
					ledger: name,
					records: stand.records.toLocaleString('en'),
					'claim, ms': time(stand.single),
					'its 99th percentile': time(stand.single, 0.99),
					'bare, ms': time(stand.bareSingle),
					'full cycle, ms': time(stand.cycle),
					'batch of 1,000, ms': time(stand.batch),
					'bare batch, ms': time(stand.bareBatch),
					'bytes per record': Math.round(stand.bytesPerRecord),
					'heap, MB': (stand.heap / 2 ** 20).toFixed(1),
				}),
			),
		),
	);
	for (const { name, stands } of growths) {
		const [first, last] = [stands[0], stands[stands.length - 1]];
		const times = (of: (stand: Stand) => number[]) =>
			`${(percentile(of(last), 0.5) / percentile(of(first), 0.5)).toFixed(2)}×`;
		report.text(
			`${name}, ${first.records.toLocaleString('en')} → ${last.records.toLocaleString('en')} records: a claim takes ` +
				`${times(({ single }) => single)} the time (bare ${times(({ bareSingle }) => bareSingle)}), a full cycle ` +
				`${times(({ cycle: own }) => own)}, a batch ` +
				`${times(({ batch }) => batch)} (bare ${times(({ bareBatch: own }) => own)}).`,
		);
	}
	report.text(
		'A full cycle is claim, begin of a step, its end, and completion, one call after the other. The heap is that of the one process that has made all these claims, after a garbage collection.',
	);
	report.picture(
		picture,
		'Time of one claim by the number of records',
		plot({
			title: 'Time of one claim, by the number of records in the ledger',
			x: 'records',
			y: 'milliseconds',
			series: growths.flatMap(({ name, stands }) => [
				series(name, stands, ({ single }) => single),
				{
					...series(`${name}, bare statement`, stands, ({ bareSingle }) => bareSingle),
					dashed: true,
				},
			]),
		}),
	);
}

function series(name: string, stands: Stand[], times: (stand: Stand) => number[]): Series {
	return { name, points: stands.map((stand) => [stand.records, percentile(times(stand), 0.5)]) };
}

/** Asked for through V8 itself, so that nobody has to start the benchmark with a flag. */
function heapAfterCollection(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}
