import type { CheckReport } from '../../../ledger/Ledger';
import { EVENT_STATES, type EventAddress } from '../../../ledger/records';
import type {
	Count,
	FullRecord,
	Inserted,
	Insertion,
	Mark,
	Part,
	RecordQuery,
	RecordStats,
	RecordStore,
	Removal,
	StoredRecord,
	Swap,
	Swapped,
	Wanted,
} from '../../../ledger/stores/RecordStore';
import { without } from './without';

/** A record with all that belongs to it. */
export type Kept = Omit<StoredRecord, never> & {
	input?: string;
	result?: string;
	parts: Map<string, Part>;
	segments: [older: string, newer: string];
	/** It was inserted to be found by its content. */
	sharesContent: boolean;
};

interface Entry {
	text: string;
	expiresAt: number;
}

/**
 * The model of a store: what RecordStore.ts says, in the fewest words, without anything that could happen at the same time. Only real
 * stores prove that the ledger is atomic; this one says what they have to answer.
 */
export class MemoryStore implements RecordStore {
	readonly kind = 'embedded';
	protected readonly kept = new Map<string, Kept>();
	protected readonly marks = new Map<string, { version: number; expiresAt: number }>();
	protected readonly tallies = new Map<string, RecordStats['tallies'][number]>();
	protected readonly entries = new Map<string, Entry>();

	constructor(protected readonly clock = ownClock) {}

	/** What is kept under a name, expired or not. */
	protected find(address: EventAddress): Kept | undefined {
		return this.kept.get(nameOf(address));
	}

	protected forget(address: EventAddress): void {
		this.kept.delete(nameOf(address));
	}

	async now(): Promise<number> {
		return this.clock();
	}

	async insert(insertions: Insertion[]): Promise<Inserted> {
		const now = this.clock();
		return { now, replies: insertions.map((insertion) => this.insertOne(insertion, now)) };
	}

	protected insertOne(insertion: Insertion, now: number): Inserted['replies'][number] {
		const { namespace, key, alias, fingerprint, findSameContent, isDelivery, revision } = insertion;
		const all = [...this.kept.values()].filter((record) => record.namespace === namespace);
		const met =
			this.kept.get(nameOf(insertion)) ??
			(alias === undefined ? undefined : all.find((record) => record.alias === alias));
		if (met) {
			if (isDelivery && !isOver(met, now)) {
				met.duplicates++;
				met.lastSeenAt = now;
				this.count(namespace, { kind: `met_${met.state}`, n: 1 });
			}
			return { inserted: false, met: { ...stored(met), ...present({ result: met.result }) } };
		}
		const same = all.filter((record) => hasContent(record, fingerprint, now)).at(-1);
		const { dueAfterMs, expiresAfterMs, state, executionId, externalId, body, input, result } =
			insertion;
		this.kept.set(nameOf(insertion), {
			...{
				namespace,
				key,
				revision,
				duplicates: 0,
				lastSeenAt: now,
				createdAt: now,
				state,
				body,
			},
			...present({ executionId, externalId, fingerprint, alias, input, result }),
			...present({ dueAt: plus(now, dueAfterMs), expiresAt: plus(now, expiresAfterMs) }),
			parts: new Map(),
			segments: ['', ''],
			sharesContent: findSameContent === true,
		});
		this.count(namespace, { kind: insertion.count, n: 1 });
		return findSameContent && same
			? { inserted: true, sameContentAs: same.key }
			: { inserted: true };
	}

	async read(wanted: Wanted[]): Promise<{ now: number; records: Array<FullRecord | undefined> }> {
		return { now: this.clock(), records: wanted.map((one) => this.readOne(one)) };
	}

	protected readOne(wanted: Wanted): FullRecord | undefined {
		const record = this.kept.get(nameOf(wanted));
		if (!record) return undefined;
		const { input, result, parts, segments } = record;
		const names = wanted.parts;
		const some = [...parts.values()].filter(({ name }) => names === 'all' || names?.includes(name));
		return {
			...stored(record),
			...(wanted.values && present({ input, result })),
			...(names && { parts: some }),
			...(wanted.history && { history: segments.filter((text) => text !== '').join(',') }),
		};
	}

	async swap(swaps: Swap[]): Promise<{ now: number; replies: Array<Swapped | undefined> }> {
		return { now: this.clock(), replies: swaps.map((swap) => this.swapOne(swap)) };
	}

	protected swapOne(swap: Swap): Swapped | undefined {
		const old = this.kept.get(nameOf(swap));
		if (old?.revision !== swap.revision) return undefined;
		const { namespace, key, head, body, append, rotate, counts } = swap;
		const [older, newer] = old.segments;
		const parts = new Map(old.parts);
		for (const part of swap.parts) parts.set(part.name, part);
		const duplicates = old.duplicates + swap.duplicates;
		const lastSeenAt = swap.lastSeenAt ?? old.lastSeenAt;
		this.kept.set(nameOf(swap), {
			...{ namespace, key, revision: swap.revision + 1, duplicates, lastSeenAt, body, parts },
			...(present(head as object) as unknown as Swap['head']),
			...present({ input: chosen(swap.input, old.input) }),
			...present({ result: chosen(swap.result, old.result) }),
			segments: rotate ? [newer, append] : [older, joined(newer, append)],
			sharesContent: old.sharesContent,
		});
		for (const count of counts) this.count(namespace, count);
		return { duplicates, lastSeenAt };
	}

	async raiseMarks(marks: Mark[]): Promise<boolean[]> {
		const now = this.clock();
		return marks.map(({ namespace, object, version, retentionMs }) => {
			const name = `${namespace}\0${object}`;
			const mark = this.marks.get(name);
			const live = mark && mark.expiresAt > now ? mark : undefined;
			const isStale = live !== undefined && live.version > version;
			if (isStale) this.count(namespace, { kind: 'stale', n: 1 });
			this.marks.set(name, {
				version: isStale ? live.version : version,
				// Also for one that is behind it.
				expiresAt: Math.max(live?.expiresAt ?? 0, now + retentionMs),
			});
			return isStale;
		});
	}

	async list(query: RecordQuery): Promise<{ now: number; records: StoredRecord[] }> {
		const now = this.clock();
		const compare = compareIn(query.order);
		const { after } = query;
		const records = [...this.kept.values()]
			.filter((record) => matches(record, query, now))
			.sort(compare)
			.filter((record) => !after || compare(record, placeOf(after)) > 0)
			.slice(0, query.limit)
			.map(stored);
		return { now, records };
	}

	async stats({ namespace, days }: { namespace?: string; days: number }): Promise<RecordStats> {
		const isMeant = (one: { namespace: string }) =>
			namespace === undefined || one.namespace === namespace;
		const counted = [...this.kept.values()].filter(isMeant);
		const states = EVENT_STATES.map((state) => [
			state,
			counted.filter((one) => one.state === state).length,
		]);
		const first = dayOf(this.clock() - (days - 1) * 24 * 60 * 60 * 1000);
		return {
			events: Object.fromEntries(states) as RecordStats['events'],
			tallies: [...this.tallies.values()].filter((one) => isMeant(one) && one.day >= first),
		};
	}

	async remove(removals: Removal[]): Promise<boolean[]> {
		return removals.map(({ namespace, key, mark, onlyIfExpired }) => {
			const name = `${namespace}\0${mark?.object}`;
			if (mark && this.marks.get(name)?.version === mark.version) this.marks.delete(name);
			const found = this.kept.get(nameOf({ namespace, key }));
			if (!found || (onlyIfExpired && !isOver(found, this.clock()))) return false;
			this.kept.delete(nameOf(found));
			const kinds = onlyIfExpired ? ['purged'] : ['purged', 'deleted'];
			for (const kind of kinds) this.count(namespace, { kind, n: 1 });
			return true;
		});
	}

	async purge(limit: number): Promise<number> {
		const now = this.clock();
		const expired = [...this.kept.values()].filter(({ expiresAt = Infinity }) => expiresAt <= now);
		const purged = expired.slice(0, limit);
		for (const record of purged) {
			this.kept.delete(nameOf(record));
			this.count(record.namespace, { kind: 'purged', n: 1 });
		}
		return purged.length;
	}

	async putEntry(entry: Parameters<RecordStore['putEntry']>[0]): Promise<string> {
		const { name, text, expiresAfterMs = Infinity, onlyIfMissing } = entry;
		const now = this.clock();
		const found = this.entries.get(name);
		if (onlyIfMissing && found && found.expiresAt > now) return found.text;
		this.entries.set(name, { text, expiresAt: now + expiresAfterMs });
		return text;
	}

	async readEntries(prefix: string): Promise<Array<{ name: string; text: string }>> {
		return [...this.entries]
			.filter(([name, { expiresAt }]) => name.startsWith(prefix) && expiresAt > this.clock())
			.map(([name, { text }]) => ({ name, text }))
			.sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	async check(): Promise<CheckReport> {
		return {
			store: this.kind,
			server: 'memory',
			schemaVersion: 1,
			entries: this.kept.size,
			findings: [],
		};
	}

	async close(): Promise<void> {}

	protected count(namespace: string, { kind, n }: Count): void {
		const day = dayOf(this.clock());
		const name = `${namespace}\0${day}\0${kind}`;
		const tally = this.tallies.get(name) ?? { namespace, day, kind, count: 0 };
		this.tallies.set(name, { ...tally, count: tally.count + n });
	}
}

/** Of a server, which does not know what time it is on the hosts of n8n. */
function ownClock(): number {
	return Math.floor(performance.timeOrigin + performance.now());
}

function nameOf({ namespace, key }: EventAddress): string {
	return `${namespace}\0${key}`;
}

function stored(kept: Kept): StoredRecord {
	return without(kept, 'input', 'result', 'parts', 'segments', 'sharesContent');
}

function isOver({ expiresAt = Infinity }: Kept, now: number): boolean {
	return expiresAt <= now;
}

function hasContent(record: Kept, fingerprint: string | undefined, now: number): boolean {
	const isSame = fingerprint !== undefined && record.fingerprint === fingerprint;
	return isSame && record.sharesContent && !isOver(record, now);
}

function plus(now: number, ms: number | undefined): number | undefined {
	return ms === undefined ? undefined : now + ms;
}

function chosen(change: string | null | undefined, old: string | undefined): string | undefined {
	return change === undefined ? old : (change ?? undefined);
}

function joined(before: string, more: string): string {
	return [before, more].filter((text) => text !== '').join(',');
}

function present<T extends object>(fields: T): Partial<T> {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as Partial<T>;
}

function dayOf(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}

function matches(record: Kept, query: RecordQuery, now: number): boolean {
	const {
		executionId,
		externalId,
		fingerprint,
		state,
		namespace,
		keyPrefix = '',
		keyPart = '',
	} = query;
	const { createdAfter = -Infinity, createdBefore = Infinity, dueBefore = Infinity } = query;
	const externalIds = [
		record.externalId,
		...[...record.parts.values()].map((part) => part.externalId),
	];
	return (
		(record.expiresAt ?? Infinity) > now &&
		(namespace === undefined || record.namespace === namespace) &&
		(state === undefined || record.state === state) &&
		(executionId === undefined || record.executionId === executionId) &&
		(fingerprint === undefined || record.fingerprint === fingerprint) &&
		(externalId === undefined || externalIds.includes(externalId)) &&
		record.key.startsWith(keyPrefix) &&
		record.key.includes(keyPart) &&
		record.createdAt > createdAfter &&
		record.createdAt < createdBefore &&
		(query.order !== 'due' || (record.dueAt ?? Infinity) <= dueBefore)
	);
}

type Place = EventAddress & { createdAt: number; dueAt?: number };

function placeOf({ time, namespace, key }: NonNullable<RecordQuery['after']>): Place {
	return { namespace, key, createdAt: time, dueAt: time };
}

function compareIn(order: RecordQuery['order']): (a: Place, b: Place) => number {
	if (order === 'key') return byName;
	if (order === 'due') return (a, b) => a.dueAt! - b.dueAt! || byName(a, b);
	return (a, b) => b.createdAt - a.createdAt || byName(b, a);
}

function byName(a: Place, b: Place): number {
	const bytes = (text: string) => Buffer.from(text);
	return (
		Buffer.compare(bytes(a.namespace), bytes(b.namespace)) ||
		Buffer.compare(bytes(a.key), bytes(b.key))
	);
}
