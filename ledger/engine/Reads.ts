import { encodeCursor } from '../cursor';
import type { ListRequest, ListResult, Stats, TakeRequest } from '../Ledger';
import {
	type ConflictRecord,
	type EventAddress,
	type EventDetails,
	HISTORY_LIMIT,
	type HistoryEntry,
} from '../records';
import { shownKind } from '../rules/claim';
import type { TakeCommand } from '../rules/commands';
import type { Conflict } from '../rules/Event';
import { approvalRecord, eventRecord, stepRecord, stepsInOrder, summary } from '../rules/present';
import { STATES_OF } from '../rules/take';
import type { FullRecord, RecordQuery, RecordStore, StoredRecord } from '../stores/RecordStore';
import { decodeValue } from '../values';
import { CallBatcher } from './CallBatcher';
import { belongingsOf, eventOf, historyOf, isExpired } from './codec';
import { mostUrgent, nextOf } from './mostUrgent';
import { listPlan } from './requests';
import type { StoreClock } from './StoreClock';
import type { Writes } from './Writes';

/** How many records are looked at together when some of them are passed over. */
const PAGE = 200;

/** What to hand out, of a namespace or of all. */
export type TakeOrder = Omit<TakeCommand, 'namespace' | 'key' | 'kind'> &
	Pick<TakeRequest, 'namespace'>;

/** What only looks, and what is handed out. */
export class Reads {
	private readonly gets: CallBatcher<EventAddress, EventDetails | undefined>;
	private readonly pasts: CallBatcher<EventAddress, HistoryEntry[]>;

	constructor(
		private readonly store: RecordStore,
		private readonly clock: StoreClock,
	) {
		this.gets = new CallBatcher((addresses) => this.readDetails(addresses), store.callsAtOnce);
		this.pasts = new CallBatcher((addresses) => this.readHistories(addresses), store.callsAtOnce);
	}

	get(addresses: EventAddress[]): Promise<Array<EventDetails | undefined>> {
		return this.gets.send(addresses);
	}

	histories(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		return this.pasts.send(addresses);
	}

	async list(request: ListRequest): Promise<ListResult> {
		const { query, isStuck } = listPlan(request);
		if (isStuck) return await this.listStuck(query);
		// One more than asked for tells whether there is another page.
		const { now, records } = await this.store.list({ ...query, limit: query.limit + 1 });
		this.clock.observe(now);
		return pageOf(query, records);
	}

	/** Among what is in progress, which is little. */
	private async listStuck(query: RecordQuery): Promise<ListResult> {
		const stuck: StoredRecord[] = [];
		for await (const { now, records } of this.pages(query)) {
			stuck.push(...records.filter((record) => eventOf(record).leaseUntil! <= now));
			if (stuck.length > query.limit) break;
		}
		return pageOf(query, stuck);
	}

	private async *pages(
		query: RecordQuery,
	): AsyncGenerator<{ now: number; records: StoredRecord[] }> {
		const limit = Math.max(PAGE, query.limit);
		for (let after = query.after; ; ) {
			const page = await this.store.list({ ...query, limit, after });
			this.clock.observe(page.now);
			yield page;
			const last = page.records.at(-1);
			if (!last || page.records.length < limit) return;
			after = { time: last.dueAt ?? 0, namespace: last.namespace, key: last.key };
		}
	}

	async listAll(query: Omit<RecordQuery, 'limit' | 'order'>): Promise<StoredRecord[]> {
		const found: StoredRecord[] = [];
		for await (const { records } of this.pages({ ...query, limit: PAGE, order: 'key' })) {
			found.push(...records);
		}
		return found;
	}

	async stats(query: { namespace?: string; days: number }): Promise<Stats> {
		const { events, tallies } = await this.store.stats(query);
		return { events, tallies: withOutcomes(tallies) };
	}

	/** Whoever asks, an event is handed out once per visibility time-out: the rule says so, and the swap that makes it true. */
	async take(order: TakeOrder, limit: number, writes: Writes): Promise<EventDetails[]> {
		const { namespace, ...command } = order;
		const states = [...new Set(command.kinds.flatMap((kind) => STATES_OF[kind]))];
		const dueBefore = await this.store.now();
		const due = mostUrgent(
			states.map((state) => this.records({ namespace, state, dueBefore, order: 'due', limit })),
		);
		const taken: EventAddress[] = [];
		while (taken.length < limit) {
			const some = await nextOf(due, limit - taken.length);
			if (some.length === 0) break;
			const addresses = some.map(({ namespace: name, key }) => ({ namespace: name, key }));
			const commands = addresses.map((address) => ({
				...command,
				...address,
				kind: 'take' as const,
			}));
			const replies = await writes.sendTo<'take'>(commands, { now: dueBefore, records: some });
			taken.push(...addresses.filter((_, i) => replies[i] === 'taken'));
		}
		const details = await this.get(taken);
		return details.filter((found) => found !== undefined);
	}

	private async *records(query: RecordQuery): AsyncGenerator<StoredRecord, void> {
		for await (const { records } of this.pages(query)) yield* records;
	}

	private async readDetails(addresses: EventAddress[]): Promise<Array<EventDetails | undefined>> {
		const { now, records } = await this.read(addresses, { parts: 'all', values: true });
		return records.map((record) => record && detailsOf(record, now));
	}

	private async readHistories(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		const { records } = await this.read(addresses, { history: true });
		return records.map((record) => (record ? historyOf(record, HISTORY_LIMIT) : []));
	}

	/** Each address once; expired records do not exist. */
	private async read(
		addresses: EventAddress[],
		what: { parts?: 'all'; values?: true; history?: true },
	): Promise<{ now: number; records: Array<FullRecord | undefined> }> {
		const places = new Map<string, number>();
		const wanted: EventAddress[] = [];
		const positions = addresses.map((address) => {
			const name = `${address.namespace}\0${address.key}`;
			let place = places.get(name);
			if (place === undefined) places.set(name, (place = wanted.push(address) - 1));
			return place;
		});
		const { now, records } = await this.store.read(
			wanted.map(({ namespace, key }) => ({ namespace, key, ...what })),
		);
		this.clock.observe(now);
		const live = records.map((record) => (record && !isExpired(record, now) ? record : undefined));
		return { now, records: positions.map((place) => live[place]) };
	}
}

function pageOf(query: RecordQuery, records: StoredRecord[]): ListResult {
	const page = records.slice(0, query.limit);
	const last = page.at(-1);
	return {
		events: page.map((record) => summary(eventOf(record))),
		cursor: last && records.length > page.length ? encodeCursor(query, last) : undefined,
	};
}

function detailsOf(record: FullRecord, now: number): EventDetails {
	const event = eventOf(record);
	const belongings = belongingsOf(record);
	const { contents, conflicts } = belongings;
	return {
		event: eventRecord(event, belongings),
		steps: stepsInOrder(belongings).map(stepRecord),
		approvals: event.approvals.map((approval) =>
			approvalRecord(approval, contents.get(approval.gate), now),
		),
		conflicts: conflicts.map(conflictRecord),
	};
}

function conflictRecord({ at, executionId, fingerprint, input }: Conflict): ConflictRecord {
	const conflict = { at, executionId, fingerprint };
	return input === undefined ? conflict : { ...conflict, input: decodeValue(input) };
}

/** Stores count what a delivery met, before anybody decided what that means. */
function withOutcomes(tallies: Stats['tallies']): Stats['tallies'] {
	const sums = new Map<string, Stats['tallies'][number]>();
	for (const { namespace, day, kind, count } of tallies) {
		const shown = shownKind(kind);
		const name = `${namespace}\0${day}\0${shown}`;
		const sum = sums.get(name);
		if (sum) sum.count += count;
		else sums.set(name, { namespace, day, kind: shown, count });
	}
	return [...sums.values()].filter(({ kind, count }) => count !== 0 && kind !== 'met_failed');
}
