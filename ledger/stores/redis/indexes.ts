import { workOffReleased } from './released';
import type { Shards } from './Shards';

/** Portions in which others get their turn on the server. */
const RECORDS_PER_CALL = 200;

/** Works off changes of about so many records that the indexes do not know yet. */
export async function indexSome(
	shards: Shards,
	shard: string,
	count: number,
): Promise<{ taken: number; left: number }> {
	const reply = await shards.run('index', shard, [shards.isSpread ? 1 : 0, count]);
	const [taken, left] = reply as [number, number];
	return { taken, left };
}

/** Returns when the indexes know of all that was written before this call. */
export async function bringUpToDate(shards: Shards): Promise<void> {
	await Promise.all(
		shards.all.map(async (shard) => {
			let waiting = Infinity;
			while (waiting > 0) {
				const { taken, left } = await indexSome(shards, shard, RECORDS_PER_CALL);
				// What is written meanwhile comes behind them.
				waiting = Math.min(waiting - taken, left);
			}
			await workOffReleased(shards, shard);
		}),
	);
}

/** Removes records that have been expired for so long. Returns how many. */
export async function purgeSome(
	shards: Shards,
	shard: string,
	{ limit, expiredForMs }: { limit: number; expiredForMs: number },
): Promise<number> {
	const args = [shards.isSpread ? 1 : 0, limit, expiredForMs];
	return Number(await shards.run('purge', shard, args));
}
