import { median } from '../measure';
import type { Part } from '../parts';
import { plot, type Series } from '../plot';
import type { Report } from '../Report';
import { Arena } from './Arena';
import { callWithNew, newEvents, post } from './call';
import { type Contestant, ours, removeDuplicates } from './contestants';

/** Items per call while filling, as a nightly import has them. */
const PORTION = 2_500;

const onPostgres = ours.find(({ name }) => name.endsWith('Postgres'))!;

const withDefaultHistory: Contestant = {
	...removeDuplicates,
	nodes: removeDuplicates.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, options: {} },
	})),
};

/** A call with one new event, when so many are remembered. */
export const growthPart: Part = {
	name: 'growth',
	async run(report, { quick }) {
		const sizes = quick ? [2_500, 5_000] : [2_500, 10_000, 50_000];
		const calls = quick ? 8 : 20;
		report.section('In n8n: one new event, when many are remembered');
		report.progress('n8n in regular mode: starting');
		const arena = await Arena.open('regular');
		try {
			const lines: Series[] = [];
			for (const contestant of [removeDuplicates, onPostgres]) {
				lines.push(await grow(report, arena, contestant, sizes, calls));
			}
			report.text(
				'Milliseconds until a call with one new event is answered, median; Remove Duplicates with a history size of a million:',
			);
			report.table(
				lines.map(({ name, points }) => ({
					'in the middle': name,
					...Object.fromEntries(
						points.map(([size, ms]) => [`${size.toLocaleString('en')} remembered`, ms.toFixed(1)]),
					),
				})),
			);
			report.picture(
				'growth-n8n.svg',
				'Time of a call by the number of remembered events',
				plot({
					title: 'A call with one new event, by the number that is remembered',
					x: 'remembered events',
					y: 'milliseconds',
					series: lines,
				}),
			);
			report.text(await untilItRefuses(arena));
		} finally {
			await arena.close();
		}
	},
};

async function grow(
	report: Report,
	arena: Arena,
	contestant: Contestant,
	sizes: number[],
	calls: number,
): Promise<Series> {
	const { name, url } = await arena.enter(contestant);
	const points: Series['points'] = [];
	let remembered = 0;
	for (const size of sizes) {
		report.progress(`${name} is to remember ${size.toLocaleString('en')}`);
		for (; remembered < size; remembered += PORTION) await callWithNew(url, PORTION);
		const times: number[] = [];
		for (let call = 0; call < calls; call++) {
			await arena.rest();
			times.push(await callWithNew(url, 1));
		}
		points.push([size, median(times)]);
	}
	return { name, points };
}

/** With the history size that Remove Duplicates has if nobody changes it. */
async function untilItRefuses(arena: Arena): Promise<string> {
	const { name, url } = await arena.enter(withDefaultHistory);
	for (let remembered = 0; remembered < 100_000; remembered += PORTION) {
		const { passed, status } = await post(url, newEvents(PORTION));
		if (!passed) {
			return (
				`With its default history, ${name} remembered ${remembered.toLocaleString('en')} events; the next call with ` +
				`${PORTION.toLocaleString('en')} new ones failed (status ${status}), and none of them came through.`
			);
		}
	}
	return `With its default history, ${name} still let new events through after 100,000.`;
}
