/** An estimate is made for this long. */
const GOOD_FOR_MS = 60_000;

/** This machine's two clocks differ by more: it was suspended, or set. */
const SUSPICIOUS_MS = 1000;

/**
 * The store's clock, without asking it each time: its last answer, and how long that is ago here. The estimate is behind by the time
 * that the answer took, and never ahead. It is good for what a holder writes down; nothing is taken from anybody on an estimate.
 */
export class StoreClock {
	private last?: { store: number; monotonic: number; wall: number };

	constructor(private readonly ask: () => Promise<number>) {}

	/** To be told of every answer that has the store's time in it. */
	observe(store: number): number {
		this.last = { store, monotonic: performance.now(), wall: Date.now() };
		return store;
	}

	async now(): Promise<number> {
		return this.estimate() ?? this.observe(await this.ask());
	}

	private estimate(): number | undefined {
		if (!this.last) return undefined;
		const { store, monotonic, wall } = this.last;
		const passed = performance.now() - monotonic;
		const isSuspicious = Math.abs(Date.now() - wall - passed) > SUSPICIOUS_MS;
		return passed > GOOD_FOR_MS || isSuspicious ? undefined : Math.floor(store + passed);
	}
}
