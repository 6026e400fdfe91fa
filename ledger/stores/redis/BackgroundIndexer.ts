import { indexSome, purgeSome } from './indexes';
import { workOffReleased } from './released';
import type { Shards } from './Shards';

/** How long after a write it begins. By then most records are done, and are entered once instead of twice. */
const PAUSE_MS = 1000;

/** So few that nobody notices. */
const RECORDS_PER_CALL = 100;

/** It rests for so many times as long as a call took. */
const REST = 4;

/** Records that expired a moment ago may be about to be replaced. */
const EXPIRED_FOR_MS = 10_000;

/**
 * Brings the indexes up to date when nobody waits for it, so that whoever lists or counts records finds few that are missing there.
 * Removes expired records too, so that their memory is given back without a purge.
 */
export class BackgroundIndexer {
	private timer?: NodeJS.Timeout;
	/** Or about to be. */
	private isAtWork = false;
	private isClosed = false;
	private awake = new Set<string>();

	constructor(private readonly shards: Shards) {}

	/** To be told of every write. */
	wake(shard: string): void {
		this.awake.add(shard);
		if (!this.isAtWork && !this.isClosed) this.start();
	}

	close(): void {
		this.isClosed = true;
		clearTimeout(this.timer);
	}

	private start(): void {
		this.isAtWork = true;
		void this.rest(PAUSE_MS)
			.then(() => this.work())
			// The next write wakes it again; whoever lists records is told what is wrong.
			.catch(() => {})
			.then(() => {
				this.isAtWork = false;
				if (this.awake.size > 0 && !this.isClosed) this.start();
			});
	}

	/** Never ends when the indexer is closed. n8n may end whenever it likes. */
	private rest(ms: number): Promise<void> {
		return new Promise((resolve) => {
			this.timer = setTimeout(resolve, ms);
			this.timer.unref();
		});
	}

	private async work(): Promise<void> {
		const { shards } = this;
		const awake = [...this.awake];
		this.awake.clear();
		for (const shard of awake) {
			let waiting = Infinity;
			await this.repeat(async () => {
				const { taken, left } = await indexSome(shards, shard, RECORDS_PER_CALL);
				waiting = Math.min(waiting - taken, left);
				// What was written meanwhile has time until the next round.
				if (left > 0) this.awake.add(shard);
				return waiting > 0;
			});
			const options = { limit: RECORDS_PER_CALL, expiredForMs: EXPIRED_FOR_MS };
			await this.repeat(async () => (await purgeSome(shards, shard, options)) === RECORDS_PER_CALL);
			await workOffReleased(shards, shard);
		}
	}

	/** Makes calls with pauses in between, as long as there is more to do. */
	private async repeat(call: () => Promise<boolean>): Promise<void> {
		for (let isMore = true; isMore && !this.isClosed; ) {
			const start = performance.now();
			isMore = await call();
			if (isMore) await this.rest(REST * (performance.now() - start));
		}
	}
}
