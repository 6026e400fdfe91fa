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
 * Measures two contestants in turns, in changing order, so that a busy moment of the machine hits both alike. Rates are per item.
 */
export async function duel(
	one: () => Promise<number>,
	other: () => Promise<number>,
	rounds: number,
): Promise<{ one: number[]; other: number[] }> {
	const results: { one: number[]; other: number[] } = { one: [], other: [] };
	await one();
	await other();
	for (let round = 0; round < rounds; round++) {
		const order = round % 2 === 0 ? ['one', 'other'] : ['other', 'one'];
		for (const who of order) {
			if (who === 'one') results.one.push(await one());
			else results.other.push(await other());
		}
	}
	return results;
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

/** Half the distance between the quartiles, as a share of the median: how much the machine wavered. */
export function spread(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const quartile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
	return (quartile(0.75) - quartile(0.25)) / 2 / median(numbers);
}
