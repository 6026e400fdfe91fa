import type { Swap, Swapped } from '../RecordStore';
import { idOf, recordKey } from './keys';
import { changeOfValue, isLarge, textOfHead } from './recordText';
import type { Argument } from './scripts';
import type { Shards, Value } from './Shards';
import { SWAP_FIELDS } from './swapFields';

export async function swapRecords(
	shards: Shards,
	swaps: Swap[],
): Promise<{ now: number; replies: Array<Swapped | undefined> }> {
	const replies: Array<Swapped | undefined> = [];
	const times = await Promise.all(
		shards.group(swaps, idOf).map(async ({ shard, items, positions }) => {
			const args: Argument[] = [];
			for (const swap of items) encodeSwap(args, shard, swap);
			const [now, ...found] = (await shards.run('swap', shard, args)) as Value[];
			positions.forEach((position, i) => {
				replies[position] = readReply(found[i] as string | null);
			});
			return now as number;
		}),
	);
	return { now: Math.max(...times), replies };
}

function encodeSwap(args: Argument[], shard: string, swap: Swap): void {
	const { revision, append, counts, parts } = swap;
	const large = [swap.input, swap.result].filter(isLarge);
	const fields: Record<(typeof SWAP_FIELDS)[number], Argument> = {
		key: recordKey(shard, idOf(swap)),
		revision,
		next: revision + 1,
		createdAt: swap.head.createdAt,
		head: textOfHead(swap.head),
		body: swap.body,
		append,
		values: valuesOf(swap),
		options: optionsOf(swap),
		counts: counts.map(({ kind, n }) => `${kind} ${n}`).join(' '),
		following: 3 * parts.length + large.length,
	};
	for (const name of SWAP_FIELDS) args.push(fields[name]);
	for (const { name, externalId = '', text } of parts) args.push(name, externalId, text);
	args.push(...large);
}

function valuesOf({ input, result }: Swap): string {
	if (input === undefined && result === undefined) return '';
	return `${changeOfValue(input)}\0${changeOfValue(result)}`;
}

function optionsOf({ rotate, duplicates, lastSeenAt }: Swap): string {
	if (!rotate && duplicates === 0 && lastSeenAt === undefined) return '';
	return JSON.stringify({ rotate, duplicates, lastSeenAt });
}

function readReply(counters: string | null): Swapped | undefined {
	if (counters === null) return undefined;
	const [duplicates, lastSeenAt] = counters.split(' ').map(Number);
	return { duplicates, lastSeenAt };
}
