import { setTimeout as sleep } from 'node:timers/promises';

import type { Inserted, Insertion } from '../RecordStore';
import { nameOfAlias, type WithAlias } from './extras';
import { insertGroup, type InsertOptions } from './insertGroup';
import { idOf, recordKey } from './keys';
import type { Shards } from './Shards';

type Reply = Inserted['replies'][number];

/** How long after the alias was given to it a record may be inserted, and how much later it may be given to another one. */
const INSERTED_WITHIN_MS = 5_000;
const GIVEN_UP_AFTER_MS = 10_000;

const PAUSE_MS = 20;

/**
 * For a cluster, where an alias is in another shard than its record. It is given to the record first, which then has to be inserted
 * within a few seconds; only when these are long over may another record have it.
 */
export async function insertWithAlias(
	shards: Shards,
	insertion: WithAlias,
	time: number,
): Promise<{ now: number; reply: Reply }> {
	const name = nameOfAlias(insertion);
	const shard = shards.of(name);
	const own = recordKey(shards.of(idOf(insertion)), idOf(insertion));
	for (let now = time; ; now = await shards.now()) {
		const [met, owner] = await Promise.all([
			insertAlone(shards, insertion, { meetsOnly: true }),
			shards.ask((client) => client.get(`${shard}alias:${name}`)),
		]);
		if (met && !met.reply.inserted) return met;
		if (owner !== null && !owner.startsWith(`${own}\0`)) {
			const [, key, since] = owner.split('\0');
			const { alias } = insertion;
			const other = await insertAlone(shards, { ...insertion, key }, { meetsOnly: true, alias });
			if (other && !other.reply.inserted) return other;
			if (now < Number(since) + GIVEN_UP_AFTER_MS) {
				// It is about to be inserted, or its insertion failed.
				await sleep(PAUSE_MS);
				continue;
			}
		}
		const claimed = await shards.run('claimAlias', shard, [name, owner ?? '', own, now]);
		if (claimed === null) continue;
		const deadline = now + INSERTED_WITHIN_MS;
		const inserted = await insertAlone(shards, insertion, { now, deadline });
		if (inserted) return inserted;
	}
}

async function insertAlone(
	shards: Shards,
	insertion: Insertion,
	options: InsertOptions,
): Promise<{ now: number; reply: Reply } | undefined> {
	const shard = shards.of(idOf(insertion));
	const found = await insertGroup(shards, { shard, items: [insertion], positions: [0] }, options);
	return found && { now: options.now ?? found.now, reply: found.replies[0] };
}
