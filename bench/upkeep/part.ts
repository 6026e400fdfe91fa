import { CONTESTANTS } from '../ledger/contestants';
import { percentile } from '../measure';
import type { Part } from '../parts';
import type { Report, Row } from '../Report';
import { type Grown, growOld, type Measured } from './growOld';

/** What it costs to look after a ledger that has become large: lists, statistics, handing out work, removing what is expired. */
export const upkeepPart: Part = {
	name: 'upkeep',
	async run(report, { quick }) {
		const all: Grown[] = [];
		for (const create of CONTESTANTS) {
			const contestant = await create();
			try {
				all.push(await growOld(contestant, report, quick));
			} finally {
				await contestant.stop();
			}
		}
		for (const grown of all) reportOperations(report, grown);
		reportPurge(report, all);
		reportBadDay(report, all);
	},
};

const count = (number: number) => number.toLocaleString('en');
const ms = (numbers: number[], share = 0.5) => percentile(numbers, share).toFixed(2);

function reportOperations(report: Report, { name, sizes, operations }: Grown): void {
	const [small, large] = [count(sizes.small), count(sizes.large)];
	report.section(`Upkeep: ${name} with ${small} and with ${large} events that are done`);
	report.text(`Besides, each has ${count(sizes.open)} events that are open. Medians, in turns.`);
	report.table(
		operations.map(
			(measured): Row => ({
				operation: measured.what,
				[`ms with ${small}`]: ms(measured.small),
				[`ms with ${large}`]: ms(measured.large),
				ratio: ratio(measured).toFixed(2),
				[`read with ${large}`]: measured.testimony.read,
			}),
		),
	);
	report.bar({
		what: `${name}: the operation that suffers most from ${large} events (the search aside) takes so many times as long`,
		value: Math.max(...operations.filter(({ isSearch }) => !isSearch).map(ratio)),
		bar: 2,
		bound: 'most',
	});
	const fullScans = operations.flatMap(({ testimony }) => testimony.fullScans ?? []);
	if (fullScans.length === 0) return;
	report.bar({
		what: `${name}: full scans of events`,
		value: fullScans.reduce((sum, each) => sum + each),
		bar: 0,
		bound: 'most',
	});
}

function ratio({ small, large }: Measured): number {
	return percentile(large, 0.5) / percentile(small, 0.5);
}

function reportBadDay(report: Report, all: Grown[]): void {
	const size = count(all[0].sizes.backlog);
	report.section(`Upkeep: after ${size} claims, and when all of them have failed`);
	report.table(
		all.map(
			({ name, backlog }): Row => ({
				ledger: name,
				'first list, ms': backlog.firstList.toFixed(0),
				'the next, ms': backlog.nextList.toFixed(2),
				'take the few of a namespace, ms': ms(backlog.before),
				[`beside ${size} of another, ms`]: ms(backlog.after),
			}),
		),
	);
}

function reportPurge(report: Report, all: Grown[]): void {
	report.section('Upkeep: removing what is expired, while claims go on one after the other');
	report.table(
		all.map(
			({ name, purge }): Row => ({
				ledger: name,
				removed: count(purge.purged),
				seconds: purge.seconds.toFixed(1),
				'calls of up to 1,000, ms': ms(purge.calls),
				'longest, ms': ms(purge.calls, 1),
				'claims meanwhile': count(purge.claimsMeanwhile.length),
				'claim, ms': ms(purge.claimsMeanwhile),
				'99th percentile': ms(purge.claimsMeanwhile, 0.99),
				'longest claim': ms(purge.claimsMeanwhile, 1),
				'claim without, ms': ms(purge.claimsAlone),
				'99th percentile without': ms(purge.claimsAlone, 0.99),
			}),
		),
	);
}
