import type { Ledger } from '../../ledger/Ledger';
import { duel, median, rate, spread } from '../measure';
import type { Report, Row } from '../Report';
import { BATCH, bareBatch, claim, type Contestant, nextItem } from './contestant';

/** The least ratio to the bare statement that we promise ourselves. */
const BARS: Record<string, { single: number; batch: number }> = {
	Embedded: { single: 0.95, batch: 0.95 },
	Postgres: { single: 0.9, batch: 0.9 },
	Redis: { single: 0.7, batch: 0.9 },
};

export interface Comparison {
	name: string;
	cases: Array<{ what: string; bare: number[]; ours: number[]; bar: number }>;
}

/** Claims per second through our contract, and of the bare statement, in turns. */
export async function compare(
	contestant: Contestant,
	ledger: Ledger,
	quick: boolean,
): Promise<Comparison> {
	const rounds = quick ? 5 : 15;
	const bar = BARS[contestant.name];
	const single = async (workers: number, total: number) =>
		await duel(
			() => rate(() => contestant.bareSingle(nextItem()), workers, total),
			() => rate(() => claim(ledger, 1), workers, total),
			rounds,
		);
	const batch = async () =>
		await duel(
			async () => BATCH * (await rate(() => bareBatch(contestant), 1, 5)),
			async () => BATCH * (await rate(() => claim(ledger, BATCH), 1, 5)),
			rounds,
		);
	const named = (
		what: string,
		{ one, other }: { one: number[]; other: number[] },
		least: number,
	) => ({ what, bare: one, ours: other, bar: least });
	return {
		name: contestant.name,
		cases: [
			named('one at a time', await single(1, 300), bar.single),
			named('16 at a time', await single(16, 1600), bar.single),
			named('batches of 1,000', await batch(), bar.batch),
		],
	};
}

export function reportComparisons(report: Report, comparisons: Comparison[]): void {
	report.section('Claims per second beside the bare statement of the same driver');
	report.text(
		'The bare statement stores namespace, key, owner and input. A claim keeps the full record, its history, the count of ' +
			'duplicates and all indexes. Medians of rounds in turns, ± half the distance of the quartiles.',
	);
	const figure = (numbers: number[]) =>
		`${Math.round(median(numbers)).toLocaleString('en')} ±${Math.round(100 * spread(numbers))}%`;
	report.table(
		comparisons.flatMap(({ name, cases }) =>
			cases.map(
				({ what, bare, ours }): Row => ({
					ledger: name,
					claims: what,
					bare: figure(bare),
					ours: figure(ours),
					ratio: (median(ours) / median(bare)).toFixed(2),
				}),
			),
		),
	);
	for (const { name, cases } of comparisons) {
		for (const { what, bare, ours, bar } of cases) {
			report.bar({
				what: `${name}, ${what}: claims per second, ours / bare`,
				value: median(ours) / median(bare),
				bar,
				bound: 'least',
			});
		}
	}
}
