import { setTimeout as sleep } from 'node:timers/promises';

import { nextKey } from '../ledger/contestant';
import type { Row } from '../Report';
import { type Guard, type Peer, RESULT } from './Peer';

const KEYS = 20;
const STARTS = 20;

/** The starts of a key are spread over so many guards, each with connections of its own. */
export const GUARDS = 4;

/** Long enough for most starts to find the work under way. */
export const WORK_MS = 100;

/** Starts every key many times at once, and once more when all is over; counts how often the work was done. */
export async function race(peer: Peer): Promise<Row> {
	const work = new Map<string, number>();
	const guards: Guard[] = [];
	try {
		for (let i = 0; i < (peer.singleton ? 1 : GUARDS); i++) {
			guards.push(
				await peer.open(async (key) => {
					const time = (work.get(key) ?? 0) + 1;
					work.set(key, time);
					await sleep(WORK_MS);
					return { ...RESULT, time };
				}),
			);
		}
		const start = (key: string, i: number) => answer(guards[i % guards.length], key);
		const keys = Array.from({ length: KEYS }, () => nextKey());
		const answers = await Promise.all(keys.flatMap((key) => Array(STARTS).fill(key)).map(start));
		const worked = [...work.values()];
		const repeats = await Promise.all(keys.map(start));
		return {
			'work done (20 is right)': sum(worked),
			'keys worked on more than once': worked.filter((times) => times > 1).length,
			'what the 400 starts got': tally(answers),
			'what a repeat of each key got afterwards': tally(repeats),
			'work done again by the repeat': sum([...work.values()]) - sum(worked),
		};
	} finally {
		for (const guard of guards) await guard.close();
	}
}

async function answer(guard: Guard, key: string): Promise<string> {
	try {
		return (await guard.run(key)).got;
	} catch (error) {
		return (error as Error).name;
	}
}

function sum(numbers: number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

function tally(answers: string[]): string {
	return [...new Set(answers)]
		.sort()
		.map((one) => `${answers.filter((other) => other === one).length} × ${one}`)
		.join(', ');
}
