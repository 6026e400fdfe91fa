import type { Stats, Tally } from '../Ledger';
import { Reply } from './replies';
import type { Shards } from './Shards';

const OPEN_STATES = ['processing', 'waiting', 'failed', 'review'] as const;

export async function readStats(shards: Shards, namespace: string, days: number): Promise<Stats> {
	const replies = await Promise.all(
		shards.all.map((shard) => shards.runSettled('stats', shard, [namespace, days])),
	);
	return addUp(replies.map((values) => new Reply(values)));
}

function addUp(replies: Reply[]): Stats {
	const events: Stats['events'] = { processing: 0, waiting: 0, done: 0, failed: 0, review: 0 };
	const tallies = new Map<string, Tally>();
	for (const reply of replies) {
		for (const state of OPEN_STATES) {
			const count = reply.number();
			events[state] += count;
			events.done -= count;
		}
		events.done += reply.number(); // All events: what is not open is done.
		while (!reply.isAtEnd) {
			const namespace = reply.text();
			const day = new Date(reply.number() * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
			const kind = reply.text();
			const count = reply.number();
			const name = JSON.stringify([namespace, day, kind]);
			const known = tallies.get(name)?.count ?? 0;
			tallies.set(name, { namespace, day, kind, count: known + count });
		}
	}
	return { events, tallies: [...tallies.values()] };
}
