import { sleep } from './sleep';

/** Lets requests begin one after the other, not more than so many in a second. */
export class Pace {
	private nextAt = 0;

	constructor(private readonly perSecond: number) {}

	/** Waits for one's turn; false if it was interrupted. */
	async turn(signal: AbortSignal | undefined): Promise<boolean> {
		if (this.perSecond <= 0) return true;
		const now = Date.now();
		const at = Math.max(now, this.nextAt);
		this.nextAt = at + 1000 / this.perSecond;
		return await sleep(at - now, signal);
	}
}
