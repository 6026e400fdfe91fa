/** Runs `action` in `workers` parallel loops until it has run `total` times; returns how often per second. */
export async function rate(
	action: () => Promise<unknown>,
	workers: number,
	total: number,
): Promise<number> {
	let left = total;
	const start = performance.now();
	await Promise.all(
		Array.from({ length: workers }, async () => {
			while (left-- > 0) await action();
		}),
	);
	return (total * 1000) / (performance.now() - start);
}

/**
 * Measures contestants in turns, in changing order, so that a busy moment of the machine hits all alike. The first time of each
 * does not count. Rates are per item.
 */
export async function interleave(
	contestants: Array<() => Promise<number>>,
	rounds: number,
): Promise<number[][]> {
	for (const contestant of contestants) await contestant();
	const rates: number[][] = contestants.map(() => []);
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < contestants.length; turn++) {
			const who = (round + turn) % contestants.length;
			rates[who].push(await contestants[who]());
		}
	}
	return rates;
}

export async function duel(
	one: () => Promise<number>,
	other: () => Promise<number>,
	rounds: number,
): Promise<{ one: number[]; other: number[] }> {
	const [rates, otherRates] = await interleave([one, other], rounds);
	return { one: rates, other: otherRates };
}

/**
 * The time of each call in milliseconds, for each action. They take turns after so many calls, so that a busy moment of the machine
 * hits all alike.
 */
export async function latencies(
	actions: Array<() => Promise<unknown>>,
	{ repetitions, inARow }: { repetitions: number; inARow: number },
): Promise<number[][]> {
	const times = actions.map((): number[] => []);
	for (let done = 0; done < repetitions; done += inARow) {
		for (const [i, action] of actions.entries()) {
			for (let j = 0; j < inARow; j++) {
				const start = performance.now();
				await action();
				times[i].push(performance.now() - start);
			}
		}
	}
	return times;
}

export function percentile(numbers: number[], share: number): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** One rate to another, round by round: what disturbed a round hit both sides of its ratio. */
export function ratios(rates: number[], others: number[]): number[] {
	return rates.map((rate, round) => rate / others[round]);
}

/** Half the distance between the quartiles, as a share of the median: how much the machine wavered. */
export function spread(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const quartile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
	return (quartile(0.75) - quartile(0.25)) / 2 / median(numbers);
}
