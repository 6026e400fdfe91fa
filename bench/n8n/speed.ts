import { median, rate, spread } from '../measure';
import type { Part } from '../parts';
import type { Report, Row } from '../Report';
import { Arena, type Racer } from './Arena';
import { callWithNew } from './call';
import {
	baseline,
	type Mode,
	oneStatement,
	ours,
	postgresNode,
	redisNode,
	removeDuplicates,
} from './contestants';
import { Timings } from './Timings';

const CONTESTANTS = [baseline, removeDuplicates, postgresNode, redisNode, oneStatement, ...ours];

/** How many items a call has, and how long to measure that. */
interface Stretch {
	items: number;
	seconds: number;
	/** Calls in a round to those that take all items at once: they are over so soon that a hiccup of the machine counts for more. */
	callsOfTheFast?: number;
}

/** From few items to many: the history of Remove Duplicates makes it slower as it grows. */
const STRETCHES: Stretch[] = [
	{ items: 1, seconds: 30 },
	{ items: 100, seconds: 10 },
	{ items: 1000, seconds: 55, callsOfTheFast: 3 },
	{ items: 5000, seconds: 20 },
];
const QUICK_STRETCHES: Stretch[] = [
	{ items: 1, seconds: 10 },
	{ items: 1000, seconds: 15 },
];
const LEAST_ROUNDS = 3;

/** Items of the calls with which code gets warm and connections are made; they count nowhere. */
const WARM_UP = [1, 1, 1, 100, 100, 1000, 1000];

const CALLERS = 16;
const CALLS = 16;
const LOAD_ROUNDS = 3;

/** What a batch with us may cost of what it costs with the best that n8n has built in. */
const BATCH_BAR = { items: 1000, ratio: 0.1 };

/** The same webhook with each contestant in the middle. */
export const n8nPart: Part = {
	name: 'n8n',
	async run(report, { quick }) {
		report.section('In n8n: what standing in the way of duplicates costs');
		for (const mode of quick ? (['regular'] as const) : (['regular', 'queue'] as const)) {
			report.progress(`n8n in ${mode} mode: starting`);
			const arena = await Arena.open(mode);
			try {
				if (mode === 'regular') explain(report, arena);
				await race(report, arena, mode, quick);
			} finally {
				await arena.close();
			}
		}
	},
};

function explain(report: Report, { description }: Arena): void {
	report.text(
		[
			'Webhook → Split Out → what is compared → Respond to Webhook, called over HTTP from the same machine; all events are new.',
			`${description}. n8n has its default settings: executions are saved, expressions run in its sandbox. In queue mode it`,
			'has two workers, each for 5 executions at once. One Postgres serves n8n itself (and so Remove Duplicates), the Postgres node',
			'and our ledger; one Redis serves the Redis node and our ledger. A call starts when the last execution is saved.',
		].join('\n'),
	);
	report.text(CONTESTANTS.map(({ name, means }) => `- **${name}**: ${means}`).join('\n'));
	report.text(
		[
			'The built-in nodes are used as one would at first, once per item, and all keep a durable record. In their favour: after the',
			'Postgres and the Redis node it takes a Filter to hold duplicates back (see the next section), and something to get back the',
			'item, of which they drop all but the id. Ours keep each item, and store it with a lease and a history. The statement by hand',
			'is no bar: it needs the same additions, and shows what one INSERT of nothing but the ids costs.',
		].join('\n'),
	);
}

async function race(report: Report, arena: Arena, mode: Mode, quick: boolean): Promise<void> {
	const racers: Racer[] = [];
	for (const contestant of CONTESTANTS.filter(({ modes }) => modes.includes(mode))) {
		racers.push(await arena.enter(contestant));
	}
	for (const racer of racers) await warmUp(arena, racer);

	const timings: Timings[] = [];
	for (const stretch of quick ? QUICK_STRETCHES : STRETCHES) {
		report.progress(`n8n in ${mode} mode: calls with ${count(stretch.items)}`);
		timings.push(await timeCalls(arena, racers, stretch));
	}
	report.text(`### ${mode === 'queue' ? 'Queue mode, two workers' : 'Regular mode'}`);
	if (mode === 'queue') {
		report.text('Without the embedded ledger, which is for one process and refused in queue mode.');
	}
	reportTimings(report, timings);
	judge(report, mode, timings);

	if (quick) return;
	report.progress(`n8n in ${mode} mode: ${CALLERS} callers at once`);
	report.text(
		`Executions per second with ${CALLERS} callers at once and 1 item per call, median of ${LOAD_ROUNDS} × ${CALLS} calls:`,
	);
	report.table(await load(arena, racers));
}

async function warmUp(arena: Arena, racer: Racer): Promise<void> {
	for (const items of WARM_UP) await callWithNew(racer.url, items);
	const passed = await arena.itemsPassed(racer);
	if (passed !== WARM_UP.at(-1)) {
		throw new Error(`${racer.name} let ${passed} of ${WARM_UP.at(-1)} new events through`);
	}
}

/** Every racer is called in every round, each in an order of its own, so that a busy moment of the machine hits all alike. */
async function timeCalls(arena: Arena, racers: Racer[], stretch: Stretch): Promise<Timings> {
	const timings = new Timings(stretch.items, racers);
	const round = racers.flatMap((racer) =>
		Array<Racer>(racer.kind === 'built-in' ? 1 : (stretch.callsOfTheFast ?? 1)).fill(racer),
	);
	const end = performance.now() + stretch.seconds * 1000;
	await arena.rest();
	for (let rounds = 0; rounds < LEAST_ROUNDS || performance.now() < end; rounds++) {
		for (const racer of shuffled(round)) {
			timings.add(racer, await callWithNew(racer.url, stretch.items));
			await arena.rest();
		}
	}
	return timings;
}

async function load(arena: Arena, racers: Racer[]): Promise<Row[]> {
	const rates = new Map(racers.map((racer): [Racer, number[]] => [racer, []]));
	for (let round = 0; round < LOAD_ROUNDS; round++) {
		for (const racer of shuffled(racers)) {
			rates.get(racer)!.push(await rate(() => callWithNew(racer.url, 1), CALLERS, CALLS));
			await arena.rest();
		}
	}
	return [...rates].map(([{ name }, perSecond]) => ({
		'in the middle': name,
		'executions per second': `${median(perSecond).toFixed(1)} ±${Math.round(100 * spread(perSecond))}%`,
	}));
}

function shuffled<T>(list: T[]): T[] {
	const order = list.map((item) => ({ item, at: Math.random() }));
	return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

function reportTimings(report: Report, timings: Timings[]): void {
	const [{ racers }] = timings;
	const table = (who: Racer[], cell: (each: Timings, racer: Racer) => string): Row[] =>
		who.map((racer) => ({
			'in the middle': racer.name,
			...Object.fromEntries(timings.map((each) => [count(each.items), cell(each, racer)])),
		}));
	const calls = timings.map((each) => {
		const [least, most] = each.callsPerRacer;
		return `${least === most ? least : `${least} of the built-in ones and ${most} of the others`} with ${count(each.items)}`;
	});
	report.text(
		`Milliseconds until a call is answered, median ± half the distance of the quartiles (calls of each: ${calls.join(', ')}):`,
	);
	report.table(
		table(
			racers,
			(each, racer) => `${each.call(racer).toFixed(1)} ± ${each.spread(racer).toFixed(1)}`,
		),
	);
	report.text(
		'Milliseconds more than with nothing, and as a share of what the best built-in one adds:',
	);
	report.table(
		table(
			racers.filter(({ kind }) => kind !== 'baseline'),
			(each, racer) => {
				const share = each.added(racer) / each.added(each.bestBuiltIn);
				return `${each.added(racer).toFixed(1)} (${share.toFixed(2)})`;
			},
		),
	);
}

function judge(report: Report, mode: Mode, timings: Timings[]): void {
	for (const each of timings) {
		const best = each.bestBuiltIn;
		const judged = each.racers.filter(({ kind }) => kind === 'ours');
		const where = `n8n in ${mode} mode, ${count(each.items)}`;
		if (each.items === BATCH_BAR.items) {
			for (const racer of judged) {
				report.bar({
					what: `${where}: what ${racer.name} adds, as a share of what ${best.name} adds, the best built-in one`,
					value: each.added(racer) / each.added(best),
					bar: BATCH_BAR.ratio,
					bound: 'most',
				});
			}
		}
		if (each.items === 1) {
			for (const racer of judged) {
				const { longer, noise } = each.compare(racer, best);
				report.bar({
					what: `${where}: by how many milliseconds ${racer.name} is slower than ${best.name}, the best built-in one; the bar is the noise`,
					value: longer,
					bar: Number(noise.toFixed(2)),
					bound: 'most',
				});
			}
		}
	}
}

function count(items: number): string {
	return `${items.toLocaleString('en')} item${items === 1 ? '' : 's'}`;
}
