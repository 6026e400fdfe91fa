import type { EventAddress } from '../../records';
import { given } from './given';
import type { Namespaces } from './Namespaces';
import type { RecordRow } from './rows';
import type { Statements } from './statements';

interface Tally {
	namespaceId: number;
	kind: string;
	count: number;
}

/**
 * One transaction: all of it happens at one point in time. Counts are collected and written once at the end, because a batch adds
 * to few of them, but often.
 */
export class Transaction {
	readonly now: number;
	private readonly tallies = new Map<string, Tally>();
	private readonly records = new Map<number, number>();

	constructor(
		readonly sql: Statements,
		readonly namespaces: Namespaces,
	) {
		this.now = sql.now.get()!.now as number;
	}

	find({ namespace, key }: EventAddress): RecordRow | undefined {
		const namespaceId = this.namespaces.find(namespace);
		if (namespaceId === undefined) return undefined;
		return this.sql.findRecord.get(given({ namespaceId, key })) as RecordRow | undefined;
	}

	findByAlias(namespaceId: number, alias: string): RecordRow {
		return this.sql.findByAlias.get({ namespaceId, alias }) as RecordRow;
	}

	/** Adds to the tally of a kind, on the present day. */
	count(namespaceId: number, kind: string, n = 1): void {
		const name = `${namespaceId} ${kind}`;
		const tally = this.tallies.get(name);
		if (tally) tally.count += n;
		else this.tallies.set(name, { namespaceId, kind, count: n });
	}

	/** There are more records now, or fewer. */
	countRecords(namespaceId: number, n: 1 | -1): void {
		this.records.set(namespaceId, (this.records.get(namespaceId) ?? 0) + n);
	}

	/** Gives all records their places in all indexes, and counts them. */
	indexAll(): void {
		const { changes } = this.sql.tallyUnindexed.run();
		if (changes === 0) return;
		for (const row of this.sql.countUnindexed.all()) this.sql.addRecords.run(row);
		this.sql.indexUnindexed.run();
	}

	/** The last thing to do before the commit. */
	writeCounts(): void {
		const day = dayOf(this.now);
		for (const tally of this.tallies.values()) this.sql.addTally.run({ ...tally, day });
		for (const [namespaceId, count] of this.records) {
			this.sql.addRecords.run({ namespaceId, count });
		}
	}
}

/** As tallies have it: the day in UTC. */
export function dayOf(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}
