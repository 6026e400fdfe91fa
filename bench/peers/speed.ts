import { isDeepStrictEqual } from 'node:util';

import { nextKey } from '../ledger/contestant';
import { interleave, median, rate, ratios, spread } from '../measure';
import type { Row } from '../Report';
import { type Guard, type Peer, RESULT } from './Peer';

export interface Amounts {
	rounds: number;
	/** How many runs are timed together, one at a time and 16 at a time. */
	alone: number;
	together: number;
}

/** How many keys are done before repeats are measured, which go through them in turn. */
const DONE_KEYS = 500;

/** Our rate divided by a peer's, round by round. */
export interface Standing {
	peer: string;
	kind: Kind;
	workers: number;
	ours: number[];
}

type Kind = 'new' | 'repeat';

/** How often per second each of them goes through the full cycle, with new keys and with keys that are done. The first is ours. */
export async function speed(
	peers: Peer[],
	{ rounds, alone, together }: Amounts,
): Promise<{ rows: Row[]; standings: Standing[] }> {
	const runners: Runner[] = [];
	const rows: Row[] = peers.map(({ name }) => ({ 'runs per second': name }));
	const standings: Standing[] = [];
	const measure = async (what: string, kind: Kind, workers: number, total: number) => {
		const rates = await interleave(
			runners.map((runner) => () => rate(() => runner[kind](), workers, total)),
			rounds,
		);
		rates.forEach((numbers, i) => {
			const figure = `${Math.round(median(numbers)).toLocaleString('en')} ${wavering(numbers)}`;
			const ours = ratios(rates[0], numbers);
			if (i > 0) standings.push({ peer: peers[i].name, kind, workers, ours });
			rows[i][what] =
				i === 0 ? figure : `${figure} (ours ${median(ours).toFixed(2)}× ${wavering(ours)})`;
		});
	};
	try {
		for (const peer of peers) runners.push(await Runner.open(peer));
		await measure('new key, 1 at a time', 'new', 1, alone);
		await measure('new key, 16 at a time', 'new', 16, together);
		for (const runner of runners) await runner.prepareRepeats();
		await measure('repeat, 1 at a time', 'repeat', 1, alone);
		await measure('repeat, 16 at a time', 'repeat', 16, together);
		for (const runner of runners) runner.check();
	} finally {
		for (const runner of runners) await runner.close();
	}
	return { rows, standings };
}

function wavering(numbers: number[]): string {
	return `±${Math.round(100 * spread(numbers))}%`;
}

/** Runs keys, and sees that every one was worked on once and every reply was the whole result. */
class Runner {
	private expected = 0;
	private worked = 0;
	private readonly done: string[] = [];
	private repeats = 0;
	private guard!: Guard;

	private constructor(private readonly name: string) {}

	static async open(peer: Peer): Promise<Runner> {
		const runner = new Runner(peer.name);
		runner.guard = await peer.open(async () => {
			runner.worked++;
			return RESULT;
		});
		return runner;
	}

	async new(key = nextKey()): Promise<void> {
		this.expected++;
		await this.run(key);
	}

	async prepareRepeats(): Promise<void> {
		while (this.done.length < DONE_KEYS) {
			const key = nextKey();
			await this.new(key);
			this.done.push(key);
		}
	}

	async repeat(): Promise<void> {
		await this.run(this.done[this.repeats++ % this.done.length]);
	}

	check(): void {
		if (this.worked === this.expected) return;
		throw new Error(`${this.name} worked ${this.worked} times on ${this.expected} keys`);
	}

	close(): Promise<void> {
		return this.guard.close();
	}

	private async run(key: string): Promise<void> {
		const reply = await this.guard.run(key);
		if (reply.got === 'result' && isDeepStrictEqual(reply.result, RESULT)) return;
		throw new Error(`${this.name} answered ${JSON.stringify(reply)}`);
	}
}
