import type { EventState, EventSummary } from '../records';
import type { ListQuery, TakeCommand, TakeFilter } from '../Store';
import { addressOf } from './keys';
import { Reply, type Value } from './replies';
import type { Argument } from './scripts';
import type { Shards } from './Shards';

/** With `taking` only what may be taken by now, by the store's clock. */
type ShardQuery = ListQuery & { taking?: TakeFilter };

/** Any of the shards may have all that is wanted, so each is asked for that many. */
export async function listEvents(shards: Shards, query: ShardQuery): Promise<EventSummary[]> {
	const pages = await Promise.all(shards.all.map((shard) => listShard(shards, shard, query)));
	return pages.flat().sort(inOrder(query.order)).slice(0, query.limit);
}

/** The most urgent of what is due, in any of the states. */
export async function listDue(
	shards: Shards,
	states: EventState[],
	{ namespace, minAge, minAttempts, backoff, maxBackoff }: TakeCommand,
	limit: number,
): Promise<EventSummary[]> {
	const taking = { minAge, minAttempts, backoff, maxBackoff };
	const pages = await Promise.all(
		states.map((state) => listEvents(shards, { state, namespace, limit, order: 'due', taking })),
	);
	return pages.flat().sort(inOrder('due')).slice(0, limit);
}

/** The script looks at so many index entries and no more: it is called again until the page is full. */
async function listShard(
	shards: Shards,
	shard: string,
	query: ShardQuery,
): Promise<EventSummary[]> {
	const events: EventSummary[] = [];
	const step = (after: ListQuery['after']): Argument[] => [
		JSON.stringify({ ...query, after, limit: query.limit - events.length }),
	];
	let values = await shards.runSettled('list', shard, step(query.after));
	for (;;) {
		const reply = new Reply(values);
		const time = reply.number();
		const id = reply.optionalText();
		while (!reply.isAtEnd) events.push(reply.summary()!);
		if (id === undefined) return events;
		const args = [...step({ time, ...addressOf(id) }), ''];
		values = (await shards.run('list', shard, args)) as Value[];
	}
}

function inOrder(order: ListQuery['order']): (a: EventSummary, b: EventSummary) => number {
	if (order === 'key') return byName;
	if (order === 'due') return (a, b) => a.dueAt! - b.dueAt! || byName(a, b);
	return (a, b) => b.createdAt - a.createdAt || byName(b, a);
}

/** In the order of bytes, which is not the order of JavaScript's UTF-16 units. */
function byName(a: EventSummary, b: EventSummary): number {
	return compareBytes(a.namespace, b.namespace) || compareBytes(a.key, b.key);
}

function compareBytes(a: string, b: string): number {
	return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
