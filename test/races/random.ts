/** Random numbers that can be had again from their seed (mulberry32). */
export class Random {
	constructor(private state: number) {}

	/** From 0 to below 1. */
	fraction(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number, both ends included. */
	between(least: number, most: number): number {
		return least + Math.floor(this.fraction() * (most - least + 1));
	}

	chance(probability: number): boolean {
		return this.fraction() < probability;
	}

	pick<T>(list: T[]): T {
		return list[this.between(0, list.length - 1)];
	}

	shuffled<T>(list: T[]): T[] {
		const result = [...list];
		for (let i = result.length - 1; i > 0; i--) {
			const j = this.between(0, i);
			[result[i], result[j]] = [result[j], result[i]];
		}
		return result;
	}
}
