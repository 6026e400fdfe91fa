import type { RecordQuery, Removal, Swap, Swapped } from '../../../../ledger/stores/RecordStore';
import { MemoryStore } from '../MemoryStore';
import { without } from '../without';
import type { Mutant } from './Mutant';

/** Stores that find, count, erase or remember badly. */
export const keepingMutants: Mutant[] = [
	{
		fault: 'does not count everything in the stats',
		topic: 'stats',
		invariant: 11,
		store: () =>
			new (class extends MemoryStore {
				protected count(namespace: string, count: { kind: string; n: number }) {
					if (count.kind !== 'resumed') super.count(namespace, count);
				}
			})(),
	},
	{
		fault: 'lists in the order of JavaScript',
		topic: 'lists',
		invariant: 11,
		beyondModel: 'it needs special keys',
		store: () =>
			new (class extends MemoryStore {
				async list(query: RecordQuery) {
					const page = await super.list(query);
					if (query.order === 'key') page.records.sort((a, b) => (a.key < b.key ? -1 : 1));
					return page;
				}
			})(),
	},
	{
		fault: 'loses what was made in the same millisecond as the end of a page',
		topic: 'lists',
		invariant: 9,
		beyondModel: 'it needs pages',
		store: () =>
			new (class extends MemoryStore {
				async list(query: RecordQuery) {
					const { now, records } = await super.list(query);
					const { after, order } = query;
					const kept = records.filter(
						({ createdAt }) => !after || order !== 'created' || createdAt < after.time,
					);
					return { now, records: kept };
				}
			})(),
	},
	{
		fault: 'finds records by external ids that their steps do not have any more',
		topic: 'search',
		invariant: 11,
		beyondModel: 'external ids do not change there',
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					const before = [...(this.find(swap)?.parts.values() ?? [])];
					const swapped = super.swapOne(swap);
					const found = this.find(swap);
					for (const part of before) {
						const isOld = found?.parts.get(part.name)?.externalId !== part.externalId;
						if (swapped && part.externalId && isOld) {
							found!.parts.set(`x${part.externalId}`, { ...part, name: `g\x1f${part.externalId}` });
						}
					}
					return swapped;
				}
			})(),
	},
	{
		fault: 'takes some characters for wildcards',
		topic: 'search',
		invariant: 11,
		beyondModel: 'it needs special keys',
		store: () =>
			new (class extends MemoryStore {
				async list({ keyPart, ...query }: RecordQuery) {
					const { now, records } = await super.list(query);
					const pattern = new RegExp(
						(keyPart ?? '').replace(/[[\]\\*]/g, '\\$&').replace(/[%_]/g, '.'),
					);
					return { now, records: records.filter(({ key }) => pattern.test(key)) };
				}
			})(),
	},
	{
		fault: 'purges more than it was asked for',
		topic: 'upkeep',
		invariant: 7,
		beyondModel: 'it needs many records',
		store: () =>
			new (class extends MemoryStore {
				async purge() {
					return await super.purge(Infinity);
				}
			})(),
	},
	{
		fault: 'cuts large results',
		topic: 'values',
		invariant: 7,
		beyondModel: 'it needs large values',
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					return super.swapOne({ ...swap, result: swap.result?.slice(0, 65_535) });
				}
			})(),
	},
	{
		fault: 'alters some characters',
		topic: 'values',
		invariant: 7,
		beyondModel: 'it needs special values',
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					return super.swapOne({ ...swap, result: swap.result?.normalize('NFC') });
				}
			})(),
	},
	{
		fault: 'leaves what it says that it has deleted',
		topic: 'erasing',
		invariant: 10,
		store: () =>
			new (class extends MemoryStore {
				async remove(removals: Removal[]) {
					// What is expired has to go: it would be in the way of all claims.
					await super.remove(removals.filter(({ onlyIfExpired }) => onlyIfExpired));
					return removals.map((removal) => this.find(removal) !== undefined);
				}
			})(),
	},
	{
		fault: 'says that it has deleted what was not there',
		topic: 'erasing',
		invariant: 11,
		store: () =>
			new (class extends MemoryStore {
				async remove(removals: Removal[]) {
					await super.remove(removals);
					return removals.map(() => true);
				}
			})(),
	},
	{
		fault: 'keeps the version of what was erased',
		topic: 'erasing',
		invariant: 7,
		store: () =>
			new (class extends MemoryStore {
				async remove(removals: Removal[]) {
					return await super.remove(removals.map((removal) => without(removal, 'mark')));
				}
			})(),
	},
	{
		fault: 'makes a new secret each time',
		topic: 'secrets',
		invariant: 10,
		store: () =>
			new (class extends MemoryStore {
				async putEntry(entry: Parameters<MemoryStore['putEntry']>[0]) {
					return await super.putEntry(without(entry, 'onlyIfMissing'));
				}
			})(),
	},
	{
		fault: 'keeps secrets where events are',
		topic: 'secrets',
		invariant: 10,
		beyondModel: 'secrets are not compared',
		store: () =>
			new (class extends MemoryStore {
				async putEntry(entry: Parameters<MemoryStore['putEntry']>[0]) {
					const text = await super.putEntry(entry);
					const body = '{"leaseMs":1,"retentionMs":1,"onStopped":"review"}';
					const record = { namespace: 'ledger', key: entry.name, revision: 1, body, count: 'new' };
					await super.insert([{ ...record, state: 'done', result: JSON.stringify(text) }]);
					return text;
				}
			})(),
	},
	{
		fault: 'believes for ever that somebody hands out work',
		topic: 'secrets',
		invariant: 9,
		beyondModel: 'it takes real time',
		store: () =>
			new (class extends MemoryStore {
				async putEntry(entry: Parameters<MemoryStore['putEntry']>[0]) {
					return await super.putEntry(without(entry, 'expiresAfterMs'));
				}
			})(),
	},
	{
		fault: 'goes by the clock of the host',
		topic: 'clock',
		invariant: 8,
		beyondModel: 'clocks are not changed there',
		store: () => new MemoryStore(() => Date.now()),
	},
];
