import type { CheckReport } from '../../Ledger';
import { purgeInParts } from '../../purgeInParts';
import type { PostgresSettings } from '../../settings';
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
import { check } from './check';
import { WANTED } from './columns';
import { Database } from './Database';
import { Inserter } from './Inserter';
import { list } from './list';
import { raiseMarks } from './marks';
import { migrate } from './migrate';
import { type RowOf, withExtras } from './records';
import { remove } from './remove';
import { Runner } from './Runner';
import { DEFAULT_SCHEMA, quoteSchema } from './schema';
import { Statements } from './Statements';
import { stats } from './stats';
import { swap } from './swap';

/** After so many calls that may have appended counts, these are added up. */
const FOLD_EVERY = 1000;

/** How many appended counts are added up at a time. */
const FOLD_LIMIT = 10_000;

export async function openPostgresStore(settings: PostgresSettings): Promise<PostgresStore> {
	const schema = settings.schema ?? DEFAULT_SCHEMA;
	const quoted = quoteSchema(schema);
	const database = await Database.open(settings);
	try {
		await database.connected((client) => migrate(client, schema));
	} catch (error) {
		await database.close();
		throw error;
	}
	return new PostgresStore(database, new Runner(database, new Statements(quoted)), schema);
}

/** Records in Postgres. What a call does is one statement, in `statements/`. */
export class PostgresStore implements RecordStore {
	readonly kind = 'postgres';
	private readonly inserter: Inserter;
	private callsSinceFold = 0;
	private folding: Promise<void> = Promise.resolve();

	constructor(
		private readonly database: Database,
		private readonly runner: Runner,
		private readonly schema: string,
	) {
		this.inserter = new Inserter(runner);
	}

	async now(): Promise<number> {
		const [{ now }] = await this.runner.run<{ now: number }>('now.sql');
		return now;
	}

	async insert(insertions: Insertion[]): Promise<Inserted> {
		if (insertions.length === 0) return { now: await this.now(), replies: [] };
		this.foldSometimes();
		return await this.inserter.insert(insertions);
	}

	async read(wanted: Wanted[]): Promise<{ now: number; records: Array<FullRecord | undefined> }> {
		type Row = RowOf<FullRecord> & { now: number; index: number | null };
		if (wanted.length === 0) return { now: await this.now(), records: [] };
		const rows = await this.runner.runFor<Wanted, Row>('read.sql', WANTED, wanted);
		const records = new Array<FullRecord | undefined>(wanted.length).fill(undefined);
		for (const row of rows) {
			if (row.index === null) continue;
			records[row.index] = withExtras(row, ['input', 'result', 'parts', 'history']);
		}
		return { now: rows[0].now, records };
	}

	async swap(swaps: Swap[]): Promise<{ now: number; replies: Array<Swapped | undefined> }> {
		if (swaps.length === 0) return { now: await this.now(), replies: [] };
		this.foldSometimes();
		return await swap(this.runner, swaps);
	}

	async raiseMarks(marks: Mark[]): Promise<boolean[]> {
		return await raiseMarks(this.runner, marks);
	}

	async list(query: RecordQuery): Promise<{ now: number; records: StoredRecord[] }> {
		return await list(this.runner, query);
	}

	async stats(query: { namespace?: string; days: number }): Promise<RecordStats> {
		return await stats(this.runner, query);
	}

	async remove(removals: Removal[]): Promise<boolean[]> {
		return await remove(this.runner, removals);
	}

	async purge(limit: number): Promise<number> {
		const part = (file: string) => async (most: number) => {
			const [{ count }] = await this.runner.run<{ count: number }>(
				file,
				{ limit: most },
				{ isLong: true },
			);
			return count;
		};
		const purged = await purgeInParts(limit, part('purge_events.sql'));
		await purgeInParts(limit, part('purge_marks.sql'));
		await purgeInParts(limit, part('purge_entries.sql'));
		await this.fold();
		return purged;
	}

	async putEntry(entry: Parameters<RecordStore['putEntry']>[0]): Promise<string> {
		const { name, text, expiresAfterMs = null, onlyIfMissing = false } = entry;
		const parameters = { name, text, expiresAfterMs, onlyIfMissing };
		const [kept] = await this.runner.run<{ text: string }>('put_entry.sql', parameters);
		return kept.text;
	}

	async readEntries(prefix: string): Promise<Array<{ name: string; text: string }>> {
		return await this.runner.run('read_entries.sql', { prefix }, { isLong: true });
	}

	async check(): Promise<CheckReport> {
		return await check(this.runner);
	}

	async close(): Promise<void> {
		await this.folding;
		await this.database.close();
	}

	private foldSometimes(): void {
		if (++this.callsSinceFold < FOLD_EVERY) return;
		this.callsSinceFold = 0;
		// Nobody waits for it, and if it fails the counts stay where they are until the next time.
		this.folding = this.folding.then(() => this.fold()).catch(() => {});
	}

	private async fold(): Promise<void> {
		const parameters = { lock: `${this.schema}.fold`, limit: FOLD_LIMIT };
		await this.runner.run('fold.sql', parameters, { isLong: true });
	}
}
