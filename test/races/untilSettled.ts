import { setTimeout as sleep } from 'node:timers/promises';

import { type KeyRange, keyName } from './orders';
import { random } from './self';

/** How many keys a worker has in hand or in mind at most. */
const POOL_SIZE = 20;

/**
 * Draws keys below the limit at random, a few at a time, in two lanes, until `attend` has settled each of them. It returns those
 * that are still open.
 */
export async function untilSettled(
	range: KeyRange,
	attend: (keys: string[]) => Promise<string[]>,
): Promise<void> {
	const pool: string[] = [];
	let next = 0;

	const draw = () => {
		while (pool.length < POOL_SIZE && next < range.limit) pool.push(keyName(next++));
		const keys = random.shuffled(pool).slice(0, random.chance(0.3) ? 1 : random.between(2, 10));
		for (const key of keys) pool.splice(pool.indexOf(key), 1);
		return keys;
	};

	const lane = async () => {
		for (;;) {
			const keys = draw();
			if (keys.length === 0 && range.isFinal && next >= range.limit) return;
			const open = keys.length > 0 ? await attend(keys) : [];
			pool.push(...open);
			// All of them are with others: time to let those work.
			if (open.length === keys.length) await sleep(random.between(5, 25));
		}
	};

	await Promise.all([lane(), lane()]);
}
