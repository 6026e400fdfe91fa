import * as fc from 'fast-check';

import { SEED } from '../seed';
import { embedded } from '../stores/embedded';
import { postgres } from '../stores/postgres';
import { redis, redisCluster } from '../stores/redis';
import { model, withLedgers } from './ledgers';
import { allAgree, TOGETHER } from './property';

/** In how many files, so that these run at the same time. */
const PARTS = 4;

/** `TEST_SEQUENCES=50000 npx jest differential` runs more; `TEST_SEED=… TEST_PATH=…` runs again what failed, as the failure says. */
const SEQUENCES = Number(process.env.TEST_SEQUENCES ?? 2000);
const PATH = process.env.TEST_PATH;

/** All stores and the model, side by side. */
export function describeDifferential(part: number): void {
	// What failed is run again with the seed that it had.
	const seed = PATH === undefined ? SEED + part : SEED;
	test(
		`The stores are indistinguishable (part ${part}, seed ${seed})`,
		async () => {
			const places = { embedded, Postgres: postgres, Redis: redis, 'Redis Cluster': redisCluster };
			await withLedgers(places, async (ledgers) => {
				const numRuns = Math.ceil(SEQUENCES / PARTS / TOGETHER);
				// Shrinking is worth some minutes, and no more.
				const options = { seed, numRuns, path: PATH, interruptAfterTimeLimit: limitMs };
				await fc.assert(allAgree([model(), ...ledgers]), options);
			});
		},
		limitMs + 120_000,
	);
}

const limitMs = Math.max(5 * 60_000, SEQUENCES * 500);
