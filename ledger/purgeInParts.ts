import { setTimeout as sleep } from 'node:timers/promises';

/** How many expired events are removed at a time: a few milliseconds, in which some stores can do nothing else. */
const PART = 200;

/**
 * Removes up to `limit` expired events, a few at a time, and rests after each part for as long as it took: half of the time is for
 * claims, which hardly notice.
 */
export async function purgeInParts(
	limit: number,
	purge: (most: number) => Promise<number>,
): Promise<number> {
	for (let purged = 0; purged < limit; ) {
		const most = Math.min(limit - purged, PART);
		const start = performance.now();
		const part = await purge(most);
		purged += part;
		if (part < most) return purged;
		await sleep(performance.now() - start);
	}
	return limit;
}
