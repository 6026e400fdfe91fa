export interface BackoffSettings {
	/** The longest wait after the first attempt. */
	baseMs: number;
	/** The longest wait after any attempt. */
	capMs: number;
}

/**
 * How long to wait after the n-th attempt: anything from nothing to a time that doubles with each attempt ("full jitter"), so that
 * callers who failed together do not come back together.
 */
export function backoff(
	attempt: number,
	{ baseMs, capMs }: BackoffSettings,
	random: () => number = Math.random,
): number {
	const longest = Math.min(capMs, baseMs * 2 ** (attempt - 1));
	return Math.round(random() * longest);
}
