import type { Inserted, Insertion } from '../RecordStore';
import { asksForSameContent, contentOf, hasAlias, isWide, nameOfAlias } from './extras';
import { idOf, recordKey } from './keys';
import { addValue, isLarge, readSummary, textOfNew } from './recordText';
import type { Argument } from './scripts';
import type { Group, Shards, Value } from './Shards';

type Reply = Inserted['replies'][number];
type Met = Extract<Reply, { inserted: false }>['met'];

export const INSERTED: Reply = Object.freeze({ inserted: true });

export interface InsertOptions {
	/** If several calls are to have the same. */
	now?: number;
	/** After it, nothing is inserted. */
	deadline?: number;
	/** Nothing is inserted at all. */
	meetsOnly?: true;
	/** Only what has this alias is in the way. */
	alias?: string;
}

/** Inserts records that have in common what is said once for a call. Nothing if it is too late. */
export async function insertGroup(
	shards: Shards,
	group: Group<Insertion>,
	{ now, deadline, meetsOnly, alias }: InsertOptions = {},
): Promise<Inserted | undefined> {
	const { shard, items } = group;
	const [{ count, isDelivery }] = items;
	const isWideGroup = isWide(items[0]);
	const args: Argument[] = [
		count,
		JSON.stringify({ isDelivery, isWide: isWideGroup, deadline, meetsOnly, alias }),
	];
	for (const item of items) {
		args.push(recordKey(shard, idOf(item)), textOfNew(item, now));
		if (isWideGroup) args.push(...moreOf(item, shards.isSpread));
	}
	const isPlain = !isWideGroup && deadline === undefined && !meetsOnly;
	const reply = await shards.run(isPlain ? 'insert' : 'insertWide', shard, args);
	return reply === null ? undefined : readInserted(items, reply);
}

/** A cluster has contents and aliases elsewhere. */
function moreOf(insertion: Insertion, isSpread: boolean): string[] {
	const { input, result } = insertion;
	const content = !isSpread && asksForSameContent(insertion) ? contentOf(insertion) : '';
	const alias = !isSpread && hasAlias(insertion) ? nameOfAlias(insertion) : '';
	return [isLarge(input) ? input : '', isLarge(result) ? result : '', content, alias];
}

/** What insert.lua says of these. */
export function readInserted(items: Insertion[], reply: Value): Inserted {
	const replies = items.map(() => INSERTED);
	if (typeof reply === 'number') return { now: reply, replies };
	const values = reply as Array<string | number>;
	for (let i = 1; i < values.length; i += 4) {
		const [position, key, summary, result] = values.slice(i, i + 4) as [number, ...string[]];
		if (summary === '') {
			replies[position] = { inserted: true, sameContentAs: key };
		} else {
			const { namespace } = items[position];
			const met: Met = readSummary({ namespace, key }, summary);
			addValue(met, 'result', result);
			replies[position] = { inserted: false, met };
		}
	}
	return { now: values[0] as number, replies };
}
