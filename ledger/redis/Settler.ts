import type { Shards } from './Shards';

/** How long after a claim it begins, and goes on. */
const PAUSE_MS = 1000;

/** How many calls it makes then, each for some fifty events. */
const CALLS = 10;

/**
 * Gives fresh events their places in the indexes when nobody waits for it, so that who lists or counts events finds few that are
 * fresh, however many were claimed since somebody did last. About five hundred a second, which takes some hundredths of the server's
 * time; after a burst of more it takes a while.
 */
export class Settler {
	private timer?: NodeJS.Timeout;
	private isClosed = false;
	/** How far it has come in each shard. */
	private readonly cursors = new Map<string, string>();

	constructor(private readonly shards: Shards) {}

	/** To be told of every claim. */
	wake(): void {
		if (this.timer || this.isClosed) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			// It is tried again after the next claim, and by whoever lists events next, who is also told what is wrong.
			this.settle().catch(() => {});
		}, PAUSE_MS);
		// n8n may end whenever it likes.
		this.timer.unref();
	}

	close(): void {
		this.isClosed = true;
		clearTimeout(this.timer);
	}

	private async settle(): Promise<void> {
		const callsPerShard = Math.ceil(CALLS / this.shards.all.length);
		for (const shard of this.shards.all) {
			let left = Infinity;
			for (let call = 0; call < callsPerShard && left > 0 && !this.isClosed; call++) {
				const cursor = this.cursors.get(shard) ?? '0';
				const values = await this.shards.run('settle', shard, [cursor]);
				const [next, fresh] = values as [string, number];
				this.cursors.set(shard, next);
				left = fresh;
			}
			if (left > 0) this.wake();
		}
	}
}
