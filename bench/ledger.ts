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

/** The same claims in a small and in a large ledger; the small one is the same, before it has grown. */
async function growth(contestant: Contestant, ledger: Ledger): Promise<void> {
	const size = async () => (await ledger.check()).entries;
	const measure = async () => ({
		single: median(await repeat(rounds, () => rate(() => claim(ledger, 1), 1, 50))),
		batch: median(await repeat(rounds, () => rate(() => claim(ledger, BATCH), 1, 1))),
	});
	await claim(ledger, BATCH);
	const from = await size();
	const small = await measure();
	const fillFrom = await size();
	const bytes = await contestant.bytes();
	while ((await size()) < large) {
		for (let i = 0; i < 20; i++) await claim(ledger, BATCH);
	}
	const to = await size();
	const perRecord = ((await contestant.bytes()) - bytes) / (to - fillFrom);
	const big = await measure();
	console.log(
		`   ${from.toLocaleString('en')} → ${to.toLocaleString('en')} records:` +
			` a single claim ${(small.single / big.single).toFixed(2)}×, a batch ${(small.batch / big.batch).toFixed(2)}× the time;` +
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
