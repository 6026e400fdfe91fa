/** Waits; false if it was interrupted. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
	if (signal?.aborted) return false;
	if (ms <= 0) return true;
	return await new Promise((resolve) => {
		const stop = () => {
			clearTimeout(timer);
			resolve(false);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve(true);
		}, ms);
		signal?.addEventListener('abort', stop, { once: true });
	});
}
