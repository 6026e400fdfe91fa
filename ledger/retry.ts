import { setTimeout as sleep } from 'node:timers/promises';

/** How long a call keeps trying when the store is away: longer than a restart, shorter than a person waits. */
const PATIENCE_MS = 15_000;
const FIRST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 1000;

/**
 * Runs `action` again while it fails in a way that `isRetryable` knows to pass, with growing random pauses and for a
 * bounded time. Safe only because every ledger operation may be repeated without a second effect.
 */
export async function withRetry<T>(
	action: () => Promise<T>,
	isRetryable: (error: unknown) => boolean,
	patienceMs = PATIENCE_MS,
): Promise<T> {
	const giveUpAt = performance.now() + patienceMs;
	for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
		try {
			return await action();
		} catch (error) {
			const pause = delay * (0.5 + Math.random() / 2);
			if (!isRetryable(error) || performance.now() + pause > giveUpAt) throw error;
			await sleep(pause);
		}
	}
}
