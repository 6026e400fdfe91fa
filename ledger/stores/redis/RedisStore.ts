import { LedgerMisconfiguredError } from '../../errors';
import type { CheckReport } from '../../Ledger';
import { purgeInParts } from '../../purgeInParts';
import type { RedisSettings } from '../../settings';
import type {
	FullRecord,
	Inserted,
	Insertion,
	Mark,
	RecordQuery,
	RecordStats,
	RecordStore,
	Removal,
	StoredRecord,
	Swap,
	Swapped,
	Wanted,
} from '../RecordStore';
import { BackgroundIndexer } from './BackgroundIndexer';
import { inspect } from './check';
import { RedisConnection } from './connection';
import { bringUpToDate, purgeSome } from './indexes';
import { insertRecords } from './insert';
import { idOf, Keys, recordKey, shardCountFor } from './keys';
import { listRecords } from './list';
import { readRecords } from './read';
import { workOffReleased } from './released';
import { openSchema, SCHEMA_VERSION } from './schema';
import { Shards } from './Shards';
import { readStats } from './stats';
import { swapRecords } from './swap';

export async function openRedisStore(settings: RedisSettings): Promise<RecordStore> {
	const prefix = settings.prefix ?? 'idempotency';
	if (/[{}]/.test(prefix)) {
		throw new LedgerMisconfiguredError(
			`The prefix '${prefix}' contains a brace`,
			'Use another prefix: braces decide where a Redis Cluster puts keys',
		);
	}
	const connection = await RedisConnection.open(settings);
	try {
		const shardCount = await openSchema(connection, prefix, shardCountFor(settings));
		return new RedisStore(connection, new Keys(prefix, shardCount));
	} catch (error) {
		await connection.close();
		throw error;
	}
}

class RedisStore implements RecordStore {
	readonly kind = 'redis';
	readonly callsAtOnce = 2;
	private readonly shards: Shards;
	private readonly indexer: BackgroundIndexer;

	constructor(
		private readonly connection: RedisConnection,
		keys: Keys,
	) {
		this.shards = new Shards(connection, keys);
		this.indexer = new BackgroundIndexer(this.shards);
	}

	async now(): Promise<number> {
		return await this.shards.now();
	}

	async insert(insertions: Insertion[]): Promise<Inserted> {
		if (insertions.length === 0) return { now: await this.now(), replies: [] };
		this.wake(insertions);
		return await insertRecords(this.shards, insertions);
	}

	async read(wanted: Wanted[]): Promise<{ now: number; records: Array<FullRecord | undefined> }> {
		if (wanted.length === 0) return { now: await this.now(), records: [] };
		return await readRecords(this.shards, wanted);
	}

	async swap(swaps: Swap[]): Promise<{ now: number; replies: Array<Swapped | undefined> }> {
		if (swaps.length === 0) return { now: await this.now(), replies: [] };
		this.wake(swaps);
		return await swapRecords(this.shards, swaps);
	}

	async raiseMarks(marks: Mark[]): Promise<boolean[]> {
		const replies = await this.shards.distribute('raiseMarks', marks, nameOfMark, (mark) => [
			nameOfMark(mark),
			String(mark.version),
			mark.retentionMs,
		]);
		return replies.map((reply) => reply === 1);
	}

	async list(query: RecordQuery): Promise<{ now: number; records: StoredRecord[] }> {
		const records = await listRecords(this.shards, query);
		return { now: await this.now(), records };
	}

	async stats(query: { namespace?: string; days: number }): Promise<RecordStats> {
		return await readStats(this.shards, query);
	}

	async remove(removals: Removal[]): Promise<boolean[]> {
		const { shards } = this;
		const marks = removals.flatMap(({ namespace, mark }) => (mark ? [{ namespace, ...mark }] : []));
		const encode = (removal: Removal) => [
			recordKey(shards.of(idOf(removal)), idOf(removal)),
			removal.onlyIfExpired ? 1 : 0,
		];
		const spread = [shards.isSpread ? 1 : 0];
		const [replies] = await Promise.all([
			shards.distribute('remove', removals, idOf, encode, spread),
			shards.distribute('dropMarks', marks, nameOfMark, (mark) => [
				nameOfMark(mark),
				String(mark.version),
			]),
		]);
		// Changes that the indexes do not know yet have keys in them too. A record that is replaced will have its key again.
		if (removals.some(({ onlyIfExpired }) => !onlyIfExpired)) await bringUpToDate(shards);
		return replies.map((reply) => reply === 1);
	}

	async purge(limit: number): Promise<number> {
		await bringUpToDate(this.shards);
		let purged = 0;
		for (const shard of this.shards.all) {
			purged += await purgeInParts(limit - purged, (most) =>
				purgeSome(this.shards, shard, { limit: most, expiredForMs: 0 }),
			);
		}
		// Removes the names of those that are expired; Redis removes their texts, and expired marks.
		await this.readEntries('');
		for (const shard of this.shards.all) await workOffReleased(this.shards, shard);
		return purged;
	}

	async putEntry({
		name,
		text,
		...options
	}: Parameters<RecordStore['putEntry']>[0]): Promise<string> {
		const args = [name, text, JSON.stringify(options)];
		return (await this.shards.run('putEntry', this.shards.all[0], args)) as string;
	}

	async readEntries(prefix: string): Promise<Array<{ name: string; text: string }>> {
		const found = await this.shards.run('readEntries', this.shards.all[0], [prefix]);
		const texts = found as string[];
		return texts.flatMap((name, i) => (i % 2 === 0 ? [{ name, text: texts[i + 1] }] : []));
	}

	async check(): Promise<CheckReport> {
		const { server, findings } = await inspect(this.connection);
		const { events } = await this.stats({ days: 1 });
		const entries = Object.values(events).reduce((sum, count) => sum + count, 0);
		return { store: this.kind, server, schemaVersion: SCHEMA_VERSION, entries, findings };
	}

	async close(): Promise<void> {
		this.indexer.close();
		await this.connection.close();
	}

	private wake(items: Array<Insertion | Swap>): void {
		for (const item of items) this.indexer.wake(this.shards.of(idOf(item)));
	}
}

function nameOfMark({ namespace, object }: Pick<Mark, 'namespace' | 'object'>): string {
	return `${namespace}\0${object}`;
}
