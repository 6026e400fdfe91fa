import type { Inserted, Insertion } from '../RecordStore';
import { insertWithAlias } from './aliases';
import { withSameContents } from './contents';
import { asksForSameContent, hasAlias, isWide } from './extras';
import { INSERTED, insertGroup, readInserted } from './insertGroup';
import { idOf, recordKey } from './keys';
import { textOfNew } from './recordText';
import type { Shards } from './Shards';

type Reply = Inserted['replies'][number];

const DELIVERY = '{"isDelivery":true}';
const NO_DELIVERY = '{}';

export async function insertRecords(shards: Shards, insertions: Insertion[]): Promise<Inserted> {
	if (insertions.length === 1 && !isWide(insertions[0])) {
		return await insertOne(shards, insertions[0]);
	}
	if (!shards.isSpread) return await insertTogether(shards, insertions);
	const inserting = insertSpread(shards, insertions);
	return insertions.some(asksForSameContent)
		? await withSameContents(shards, insertions, inserting)
		: await inserting;
}

/** What senders wait for: one call with no more than it needs. */
async function insertOne(shards: Shards, insertion: Insertion): Promise<Inserted> {
	const id = idOf(insertion);
	const shard = shards.of(id);
	const reply = await shards.run('insert', shard, [
		insertion.count,
		insertion.isDelivery ? DELIVERY : NO_DELIVERY,
		recordKey(shard, id),
		textOfNew(insertion),
	]);
	if (typeof reply === 'number') return { now: reply, replies: [INSERTED] };
	return readInserted([insertion], reply);
}

async function insertTogether(
	shards: Shards,
	insertions: Insertion[],
	time?: number,
): Promise<Inserted> {
	const groups = shards.group(insertions, idOf, kindOf);
	// All of them get the same time, which is the one in the reply.
	const now = time ?? (groups.length === 1 ? undefined : await shards.now());
	const found = await Promise.all(groups.map((group) => insertGroup(shards, group, { now })));
	const replies: Reply[] = [];
	groups.forEach(({ positions }, g) => {
		positions.forEach((position, i) => (replies[position] = found[g]!.replies[i]));
	});
	return { now: now ?? found[0]!.now, replies };
}

/** What is said once for a call. */
function kindOf(insertion: Insertion): string {
	const { isDelivery, count } = insertion;
	return count + (isDelivery ? '/delivery' : '') + (isWide(insertion) ? '/wide' : '');
}

/** In a cluster, those with an alias take more than one call. */
async function insertSpread(shards: Shards, insertions: Insertion[]): Promise<Inserted> {
	if (!insertions.some(hasAlias)) return await insertTogether(shards, insertions);
	const now = await shards.now();
	const plain = insertions.filter((insertion) => !hasAlias(insertion));
	const [together, alone] = await Promise.all([
		insertTogether(shards, plain, now),
		Promise.all(insertions.filter(hasAlias).map((each) => insertWithAlias(shards, each, now))),
	]);
	const others = [...together.replies];
	const rest = [...alone];
	const replies = insertions.map((insertion) =>
		hasAlias(insertion) ? rest.shift()!.reply : others.shift()!,
	);
	return { now: insertions.length === 1 ? alone[0].now : now, replies };
}
