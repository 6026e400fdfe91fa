import { setTimeout as sleep } from 'node:timers/promises';

import { withRetry } from '../../retry';
import { isBusy } from './failures';

const LOOKS = 50;
const LONGEST_PAUSE_MS = 4;

/** Runs `action` as soon as no other process has the lock, without blocking this one. Mostly that is at once. */
export async function retryWhileLocked<T>(action: () => T, patienceMs?: number): Promise<T> {
	try {
		return action();
	} catch (error) {
		if (!isBusy(error)) throw error;
		return await withRetry(() => lookOften(action), isBusy, patienceMs);
	}
}

/**
 * Others have the lock for about a millisecond at a time. With growing pauses alone, as for a server that is away, a process
 * that writes all the time would shut all others out.
 */
async function lookOften<T>(action: () => T): Promise<T> {
	for (let look = 1; ; look++) {
		await sleep(1 + Math.random() * (LONGEST_PAUSE_MS - 1));
		try {
			return action();
		} catch (error) {
			if (look === LOOKS || !isBusy(error)) throw error;
		}
	}
}
