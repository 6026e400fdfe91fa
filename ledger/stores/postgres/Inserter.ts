import type { Inserted, Insertion, StoredRecord } from '../RecordStore';
import { INSERTION } from './columns';
import { isUniqueViolation } from './failures';
import { inOrder } from './inOrder';
import { type RowOf, withExtras } from './records';
import type { Runner } from './Runner';
import { talliesJson } from './tallies';

/** A batch of at least so many is first inserted as if none of its records were there. */
const BATCH_FROM = 8;

/** After a batch of which something was there: so many batches are not expected to be new. */
const CAUTION = { first: 16, most: 1024 };

type Reply = Inserted['replies'][number];

/** By index: the key of a record with the same content. */
type Same = Array<[index: number, key: string]> | null;

/** One for each record in the way, or one without. */
interface Row {
	now: number;
	inserted: number;
	same?: Same;
	insertedAddresses?: Array<[namespace: string, key: string]> | null;
	met: (RowOf<StoredRecord & { result?: string }> & { index: number }) | null;
}

interface Answer {
	now: number;
	/** Nothing for a record that was neither inserted nor met. */
	replies: Array<Reply | undefined>;
}

interface Round {
	/** The time of the first statement for the same call. */
	at?: number;
	/** Whether records that are in the way and not counted are looked for: few are. */
	reads?: true;
}

export class Inserter {
	/** How many batches are still to be inserted with caution, and how many it will be after the next surprise. */
	private cautiousFor = 0;
	private caution = CAUTION.first;

	constructor(private readonly runner: Runner) {}

	async insert(insertions: Insertion[]): Promise<Inserted> {
		const replies = new Array<Reply>(insertions.length);
		let now: number | undefined;
		const ask = async (places: number[], reads?: true) => {
			const items = places.map((place) => insertions[place]);
			const answer = await this.insertAlike(items, { at: now, reads });
			now ??= answer.now;
			answer.replies.forEach((reply, i) => {
				if (reply) replies[places[i]] = reply;
			});
		};
		const { places } = inOrder(insertions, ({ key }) => key);
		for (const alike of byCount(insertions, places)) await ask(alike);
		// What is left met an expired record, or one that is newer than the statement.
		const left = places.filter((place) => !replies[place]);
		for (const alike of byCount(insertions, left)) await ask(alike, true);
		// Or one with the same alias. One by one: a statement that finds one record by its key and another one by its alias would not
		// lock them in their order.
		for (const place of left) while (!replies[place]) await ask([place], true);
		noteSameContent(insertions, replies);
		return { now: now!, replies };
	}

	private async insertAlike(items: Insertion[], round: Round): Promise<Answer> {
		if (items.length < BATCH_FROM || round.reads) return await this.insertOrMeet(items, round);
		if (this.cautiousFor === 0) {
			const answer = await this.insertNew(items, round);
			if (answer) return answer;
			this.cautiousFor = this.caution;
			this.caution = Math.min(2 * this.caution, CAUTION.most);
		}
		this.cautiousFor--;
		return await this.insertOrMeet(items, round);
	}

	/** Nothing if one of the records is there already. */
	private async insertNew(items: Insertion[], { at }: Round): Promise<Answer | undefined> {
		try {
			type NewRow = Pick<Row, 'now' | 'same'>;
			const [row] = await this.runner.runFor<Insertion, NewRow>(
				'insert_new.sql',
				INSERTION,
				items,
				{
					at,
					count: items[0].count,
					tallies: talliesJson(items),
					findsSame: items.some(({ findSameContent }) => findSameContent) || undefined,
				},
			);
			const replies = items.map((): Reply => ({ inserted: true }));
			addSameContent(replies, row.same);
			return { now: row.now, replies };
		} catch (error) {
			if (!isUniqueViolation(error)) throw error;
			return undefined;
		}
	}

	private async insertOrMeet(items: Insertion[], { at, reads }: Round): Promise<Answer> {
		const size = items.length;
		const rows = await this.runner.runFor<Insertion, Row>('insert.sql', INSERTION, items, {
			at,
			size,
			count: items[0].count,
			alias: size === 1 ? items[0].alias : undefined,
			reads: reads ?? (items.some(({ isDelivery }) => !isDelivery) || undefined),
			findsSame: items.some(({ findSameContent }) => findSameContent) || undefined,
		});
		const [{ now, inserted, same, insertedAddresses }] = rows;
		const met = rows.flatMap((row) => row.met ?? []);
		const replies = new Array<Reply | undefined>(size);
		if (inserted + met.length === size) {
			for (let i = 0; i < size; i++) replies[i] = { inserted: true };
		} else {
			const addresses = new Set(insertedAddresses?.map((address) => JSON.stringify(address)));
			items.forEach(({ namespace, key }, i) => {
				if (addresses.has(JSON.stringify([namespace, key]))) replies[i] = { inserted: true };
			});
		}
		for (const row of met) {
			replies[row.index] = { inserted: false, met: withExtras(row, ['result']) };
		}
		addSameContent(replies, same);
		return { now, replies };
	}
}

/** A statement counts everything that it inserts as one kind, and nearly every call has one kind only. */
function byCount(insertions: Insertion[], places: number[]): number[][] {
	const groups = new Map<string, number[]>();
	for (const place of places) {
		const { count } = insertions[place];
		const group = groups.get(count);
		if (group) group.push(place);
		else groups.set(count, [place]);
	}
	return [...groups.values()];
}

function addSameContent(replies: Array<Reply | undefined>, same: Same = null): void {
	for (const [index, key] of same ?? []) {
		const reply = replies[index];
		if (reply?.inserted) reply.sameContentAs = key;
	}
}

/** A statement sees what was there before it: of two insertions in a call, the later one has the content of the earlier. */
function noteSameContent(insertions: Insertion[], replies: Reply[]): void {
	const newest = new Map<string, string>();
	insertions.forEach(({ namespace, key, fingerprint, findSameContent }, place) => {
		const reply = replies[place];
		if (!findSameContent || fingerprint === undefined || !reply.inserted) return;
		const content = JSON.stringify([namespace, fingerprint]);
		const other = newest.get(content);
		if (other !== undefined) reply.sameContentAs = other;
		newest.set(content, key);
	});
}
