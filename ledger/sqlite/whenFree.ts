import { setTimeout as sleep } from 'node:timers/promises';

import { isBusy } from './failures';

const LOOKS = 50;
const LONGEST_PAUSE_MS = 4;

/**
 * Runs `action` as soon as no other process has the lock, without blocking this one, and gives up after a while. Others have it
 * for about a millisecond at a time. With growing pauses, as for a server that is away, a process that writes all the time would
 * shut all others out.
 */
export async function whenFree<T>(action: () => T): Promise<T> {
	for (let look = 1; ; look++) {
		try {
			return action();
		} catch (error) {
			if (look === LOOKS || !isBusy(error)) throw error;
		}
		await sleep(1 + Math.random() * (LONGEST_PAUSE_MS - 1));
	}
}
