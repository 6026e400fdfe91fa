import { setImmediate as turn } from 'node:timers/promises';

import type {
	Insertion,
	Mark,
	Part,
	Removal,
	Swap,
	Swapped,
} from '../../../../ledger/stores/RecordStore';
import { type Kept, MemoryStore } from '../MemoryStore';
import { without } from '../without';
import type { Mutant } from './Mutant';

/** Of an object in JSON. */
function withoutFields(text: string, ...names: string[]): string {
	return JSON.stringify(without(JSON.parse(text) as Record<string, unknown>, ...names));
}

/** Stores that keep records badly. */
export const storeMutants: Mutant[] = [
	{
		fault: 'looks first and writes later: two winners',
		topic: 'claims',
		invariant: 1,
		beyondModel: 'it needs two at the same time',
		store: () =>
			new (class extends MemoryStore {
				async insert(insertions: Insertion[]) {
					const free = insertions.filter((insertion) => !this.find(insertion));
					await turn();
					for (const insertion of free) this.forget(insertion);
					return await super.insert(insertions);
				}
			})(),
	},
	{
		fault: 'lets two with the same alias in',
		topic: 'aliases',
		invariant: 1,
		store: () =>
			new (class extends MemoryStore {
				async insert(insertions: Insertion[]) {
					return await super.insert(insertions.map((insertion) => without(insertion, 'alias')));
				}
			})(),
	},
	{
		fault: 'lets two with the same alias in when they come at the same time',
		topic: 'aliases',
		invariant: 1,
		beyondModel: 'it needs two at the same time',
		store: () =>
			new (class extends MemoryStore {
				async insert(insertions: Insertion[]) {
					const before = new Set(this.kept.values());
					await turn();
					const isNew = (record: Kept) => !before.has(record);
					const hidden = [...this.kept.values()].filter(isNew);
					const aliases = hidden.map((record) => record.alias);
					for (const record of hidden) record.alias = undefined;
					const inserted = await super.insert(insertions);
					hidden.forEach((record, i) => (record.alias = aliases[i]));
					return inserted;
				}
			})(),
	},
	{
		fault: 'writes over what others wrote',
		topic: 'processes',
		invariant: 7,
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					const found = this.find(swap);
					return super.swapOne({ ...swap, revision: found?.revision ?? swap.revision });
				}
			})(),
	},
	{
		fault: 'begins to count revisions at one for every record of a key',
		topic: 'processes',
		invariant: 2,
		store: () =>
			new (class extends MemoryStore {
				async insert(insertions: Insertion[]) {
					const first = insertions.map((insertion) => ({ ...insertion, revision: 1 }));
					return await super.insert(first);
				}

				protected swapOne(swap: Swap): Swapped | undefined {
					const found = this.find(swap);
					const isRemembered = swap.revision > 1000;
					// What a process knows of the first revision is the one that it asked for.
					const revision = isRemembered && found ? found.revision : swap.revision;
					return super.swapOne({ ...swap, revision });
				}
			})(),
	},
	{
		fault: 'says that it wrote what it did not write',
		topic: 'processes',
		invariant: 7,
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					const { duplicates = 0, lastSeenAt = 0 } = this.find(swap) ?? {};
					return super.swapOne(swap) ?? { duplicates, lastSeenAt };
				}
			})(),
	},
	{
		fault: 'loses parts when there are many',
		topic: 'round trips',
		invariant: 7,
		beyondModel: 'it needs many steps',
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					return super.swapOne({ ...swap, parts: swap.parts.slice(0, 500) });
				}
			})(),
	},
	{
		fault: 'loses a part when another one is written',
		topic: 'steps',
		invariant: 3,
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					if (swap.parts.length > 0) this.find(swap)?.parts.clear();
					return super.swapOne(swap);
				}
			})(),
	},
	{
		fault: 'forgets finished steps when it is taken over',
		topic: 'steps',
		invariant: 3,
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					if (swap.append.includes('"recovered"')) this.find(swap)?.parts.clear();
					return super.swapOne(swap);
				}
			})(),
	},
	{
		fault: 'keeps only what was appended last of a long history',
		topic: 'histories',
		invariant: 7,
		beyondModel: 'it needs long histories',
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					const found = this.find(swap);
					if (swap.rotate && found) found.segments = ['', ''];
					return super.swapOne(swap);
				}
			})(),
	},
	{
		fault: 'forgets which calls wrote a record',
		topic: 'replays',
		invariant: 7,
		beyondModel: 'no answer is lost there',
		store: () =>
			new (class extends MemoryStore {
				protected swapOne(swap: Swap): Swapped | undefined {
					const parts = swap.parts.map((part): Part => {
						if (!part.name.startsWith('s')) return part;
						return { ...part, text: withoutFields(part.text, 'call') };
					});
					const body = withoutFields(swap.body, 'calls', 'claimCall');
					return super.swapOne({ ...swap, parts, body });
				}
			})(),
	},
	{
		fault: 'does not count duplicates',
		topic: 'claims',
		invariant: 7,
		store: () =>
			new (class extends MemoryStore {
				async insert(insertions: Insertion[]) {
					const all = insertions.map((insertion) => without(insertion, 'isDelivery'));
					return await super.insert(all);
				}
			})(),
	},
	{
		fault: 'keeps duplicates away for ever, also after the retention',
		topic: 'turned away',
		invariant: 8,
		store: () =>
			new (class extends MemoryStore {
				async insert(insertions: Insertion[]) {
					const { now, replies } = await super.insert(insertions);
					for (const reply of replies) if (!reply.inserted) delete reply.met.expiresAt;
					return { now, replies };
				}
			})(),
	},
	{
		fault: 'keeps the steps of an expired record',
		topic: 'turned away',
		invariant: 7,
		store: () =>
			new (class extends MemoryStore {
				private readonly left = new Map<string, Map<string, Part>>();

				async remove(removals: Removal[]) {
					for (const { namespace, key } of removals)
						this.left.set(
							`${namespace}\0${key}`,
							this.find({ namespace, key })?.parts ?? new Map(),
						);
					return await super.remove(removals);
				}

				async insert(insertions: Insertion[]) {
					const inserted = await super.insert(insertions);
					insertions.forEach((insertion, i) => {
						const parts = this.left.get(`${insertion.namespace}\0${insertion.key}`);
						if (inserted.replies[i].inserted && parts) this.find(insertion)!.parts = parts;
					});
					return inserted;
				}
			})(),
	},
	{
		fault: 'answers a batch in the order of keys',
		topic: 'batches',
		invariant: 7,
		store: () =>
			new (class extends MemoryStore {
				async insert(insertions: Insertion[]) {
					return await super.insert([...insertions].sort((a, b) => (a.key < b.key ? -1 : 1)));
				}
			})(),
	},
	{
		fault: 'accepts outdated versions',
		topic: 'ordering',
		invariant: 1,
		store: () =>
			new (class extends MemoryStore {
				async raiseMarks(marks: Mark[]) {
					return marks.map(() => false);
				}
			})(),
	},
	{
		fault: 'rounds versions',
		topic: 'ordering',
		invariant: 7,
		beyondModel: 'it needs special numbers',
		store: () =>
			new (class extends MemoryStore {
				async raiseMarks(marks: Mark[]) {
					return await super.raiseMarks(
						marks.map((mark) => ({ ...mark, version: Number(mark.version.toPrecision(14)) })),
					);
				}
			})(),
	},
];
