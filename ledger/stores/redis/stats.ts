import type { RecordStats } from '../RecordStore';
import { bringUpToDate } from './indexes';
import type { Shards, Value } from './Shards';

const OPEN_STATES = ['processing', 'waiting', 'failed', 'review'] as const;
type OpenState = (typeof OPEN_STATES)[number];

/** How many index entries a call counts. */
const ENTRIES_PER_CALL = 10_000;

const DAY_MS = 24 * 60 * 60 * 1000;

export async function readStats(
	shards: Shards,
	{ namespace, days }: { namespace?: string; days: number },
): Promise<RecordStats> {
	await bringUpToDate(shards);
	const events = { processing: 0, waiting: 0, done: 0, failed: 0, review: 0 };
	const tallies = new Map<string, RecordStats['tallies'][number]>();
	const add = async (shard: string) => {
		const args = [namespace ?? '', days, JSON.stringify(OPEN_STATES)];
		const [all, ...rest] = (await shards.run('stats', shard, args)) as [number, ...Value[]];
		events.done += all;
		for (const state of OPEN_STATES) {
			const total = rest.shift() as number;
			const count = namespace && total > 0 ? await countOf(shards, shard, state, namespace) : total;
			events[state] += count;
			// What is not open is done.
			events.done -= count;
		}
		for (let i = 0; i < rest.length; i += 4) {
			const [name, day, kind, count] = rest.slice(i, i + 4) as string[];
			const id = [name, day, kind].join('\0');
			const known = tallies.get(id)?.count ?? 0;
			tallies.set(id, { namespace: name, day: dateOf(day), kind, count: known + Number(count) });
		}
	};
	await Promise.all(shards.all.map(add));
	return { events, tallies: [...tallies.values()] };
}

async function countOf(
	shards: Shards,
	shard: string,
	state: OpenState,
	namespace: string,
): Promise<number> {
	for (let count = 0, first = 0; ; first += ENTRIES_PER_CALL) {
		const args = [state, namespace, first, ENTRIES_PER_CALL];
		const [found, isMore] = (await shards.run('countDue', shard, args)) as [number, number];
		count += found;
		if (isMore === 0) return count;
	}
}

function dateOf(day: string): string {
	return new Date(Number(day) * DAY_MS).toISOString().slice(0, 10);
}
