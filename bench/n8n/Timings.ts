import { median, percentile } from '../measure';
import type { Racer } from './Arena';

/** How long the calls of every racer took, in milliseconds, for one number of items per call. */
export class Timings {
	private readonly calls: Map<Racer, number[]>;

	constructor(
		readonly items: number,
		readonly racers: Racer[],
	) {
		this.calls = new Map(racers.map((racer) => [racer, []]));
	}

	add(racer: Racer, ms: number): void {
		this.of(racer).push(ms);
	}

	/** Of whom there are the fewest, and of whom the most. */
	get callsPerRacer(): [least: number, most: number] {
		const counts = [...this.calls.values()].map(({ length }) => length);
		return [Math.min(...counts), Math.max(...counts)];
	}

	call(racer: Racer): number {
		return median(this.of(racer));
	}

	/** Half the distance of the quartiles. */
	spread(racer: Racer): number {
		return quartileDistance(this.of(racer)) / 2;
	}

	/** To the call with nothing in the middle. */
	added(racer: Racer): number {
		return this.call(racer) - this.call(this.racers.find(({ kind }) => kind === 'baseline')!);
	}

	get bestBuiltIn(): Racer {
		return this.racers
			.filter(({ kind }) => kind === 'built-in')
			.reduce((best, racer) => (this.call(racer) < this.call(best) ? racer : best));
	}

	/**
	 * How much longer the calls of `racer` took than those of `other` in the same round, of which each has one, and how far off that
	 * may be by chance: the 95 % interval of a median, estimated from the quartiles as in a notched box plot.
	 */
	compare(racer: Racer, other: Racer): { longer: number; noise: number } {
		const against = this.of(other);
		const differences = this.of(racer).map((ms, round) => ms - against[round]);
		return {
			longer: median(differences),
			noise: (1.57 * quartileDistance(differences)) / Math.sqrt(differences.length),
		};
	}

	private of(racer: Racer): number[] {
		return this.calls.get(racer)!;
	}
}

function quartileDistance(numbers: number[]): number {
	return percentile(numbers, 0.75) - percentile(numbers, 0.25);
}
