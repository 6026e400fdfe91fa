/**
 * `npm run bench:ledger [-- --quick] [-- postgres redis embedded]`
 *
 * The same claims in a ledger of 1,000 and of 1,000,000 records; then claims through our contract beside the same driver's bare
 * statement on the same server, in turns. Only ratios mean anything: absolute numbers are this machine's, at this moment.
 */
import { cpus } from 'node:os';

import type { Ledger } from '../ledger/Ledger';
import { openLedger } from '../ledger/open';
import { claim, type Contestant, nextItem } from './ledger/contestant';
import { embeddedContestant } from './ledger/embedded';
import { postgresContestant } from './ledger/postgres';
import { redisContestant } from './ledger/redis';
import { duel, median, rate, spread } from './measure';

const CONTESTANTS: Record<string, () => Promise<Contestant>> = {
	embedded: embeddedContestant,
	postgres: postgresContestant,
	redis: redisContestant,
};

/** The least ratio to the bare statement that we promise ourselves. */
const BARS: Record<string, { single: number; batch: number }> = {
	Embedded: { single: 0.6, batch: 0.6 },
	Postgres: { single: 0.8, batch: 0.5 },
	Redis: { single: 0.6, batch: 0.6 },
};

const BATCH = 1000;
const quick = process.argv.includes('--quick');
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const rounds = quick ? 5 : 15;
const large = quick ? 100_000 : 1_000_000;

async function main(): Promise<void> {
	console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0].model}`);
	console.log(`${rounds} rounds in turns, medians, ± half the distance of the quartiles\n`);
	for (const [name, create] of Object.entries(CONTESTANTS)) {
		if (chosen.length > 0 && !chosen.includes(name)) continue;
		const contestant = await create();
		const ledger = await openLedger(contestant.settings);
		try {
			console.log(
				`## ${contestant.name}: ${contestant.server}\n   against ${contestant.statement}`,
			);
			await growth(contestant, ledger);
			await beside(contestant, ledger);
			console.log();
		} finally {
			await ledger.close();
			await contestant.stop();
		}
	}
}

async function beside(contestant: Contestant, ledger: Ledger): Promise<void> {
	const bar = BARS[contestant.name];
	const single = (workers: number, total: number) =>
		duel(
			() => rate(() => contestant.bareSingle(nextItem()), workers, total),
			() => rate(() => claim(ledger, 1), workers, total),
			rounds,
		);
	report('single, 1 at a time', await single(1, 300), bar.single);
	report('single, 16 at a time', await single(16, 1600), bar.single);
	const batches = await duel(
		async () =>
			BATCH *
			(await rate(() => contestant.bareBatch(Array.from({ length: BATCH }, nextItem)), 1, 5)),
		async () => BATCH * (await rate(() => claim(ledger, BATCH), 1, 5)),
		rounds,
	);
	report('batches of 1,000', batches, bar.batch);
}

function report(
	what: string,
	{ one, other }: { one: number[]; other: number[] },
	bar: number,
): void {
	const ratio = median(other) / median(one);
	const figure = (numbers: number[]) =>
		`${Math.round(median(numbers)).toLocaleString('en')}/s ±${Math.round(100 * spread(numbers))}%`;
	console.log(
		`   ${what.padEnd(21)} bare ${figure(one).padEnd(17)} ours ${figure(other).padEnd(17)}` +
			` ratio ${ratio.toFixed(2)} (bar ${bar}) ${ratio >= bar ? 'met' : 'MISSED'}`,
	);
}

/**
 * The same claims in a small ledger, and in the same one after it has grown; and the bare statement on a table that grows
 * alike, because an index of random keys costs more when it is large, whoever keeps it.
 */
async function growth(contestant: Contestant, ledger: Ledger): Promise<void> {
	const bareBatch = () => contestant.bareBatch(Array.from({ length: BATCH }, nextItem));
	const time = async (action: () => Promise<unknown>, times: number) =>
		1 / median(await repeat(rounds, () => rate(action, 1, times)));
	const measure = async () => ({
		single: await time(() => claim(ledger, 1), 50),
		batch: await time(() => claim(ledger, BATCH), 1),
		bareSingle: await time(() => contestant.bareSingle(nextItem()), 50),
		bareBatch: await time(bareBatch, 1),
	});
	await claim(ledger, BATCH);
	await bareBatch();
	const small = await measure();
	const from = (await ledger.check()).entries;
	const bytes = await contestant.bytes();
	for (let filled = from; filled < large; filled += BATCH) await claim(ledger, BATCH);
	const to = (await ledger.check()).entries;
	const perRecord = ((await contestant.bytes()) - bytes) / (to - from);
	for (let filled = from; filled < large; filled += BATCH) await bareBatch();
	const big = await measure();
	const times = (name: keyof typeof small) => `${(big[name] / small[name]).toFixed(2)}×`;
	console.log(
		`   1,000 → ${to.toLocaleString('en')} records, the time of a single claim ${times('single')}` +
			` (bare ${times('bareSingle')}), of a batch ${times('batch')} (bare ${times('bareBatch')});` +
			` ${Math.round(perRecord)} bytes per record`,
	);
}

async function repeat(times: number, action: () => Promise<number>): Promise<number[]> {
	const results: number[] = [];
	for (let i = 0; i < times; i++) results.push(await action());
	return results;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
