import { type RuleBook, RULES } from '../../../ledger/rules/RuleBook';
import type { RecordStore } from '../../../ledger/stores/RecordStore';
import type { StoreUnderTest } from '../harness';
import { MemoryStore } from '../model/MemoryStore';
import type { Compared } from './property';
import { Side } from './Side';

/** The ledger by these rules on a store that two processes have opened. */
export function onStores(
	name: string,
	here: RecordStore,
	there: RecordStore,
	rules: RuleBook = RULES,
): Compared {
	return { name, start: (namespace) => new Side([here, there], namespace, rules) };
}

/** The model: what every store has to do. */
export function model(
	name = 'the model',
	rules: RuleBook = RULES,
	create: () => RecordStore = () => new MemoryStore(),
): Compared {
	return {
		name,
		start: (namespace) => {
			const store = create();
			return new Side([store, store], namespace, rules);
		},
	};
}

/** Opens each of the stores twice, runs something with ledgers on them, and leaves nothing behind. */
export async function withLedgers<T>(
	places: Record<string, () => Promise<StoreUnderTest>>,
	run: (ledgers: Compared[]) => Promise<T>,
): Promise<T> {
	const opened: RecordStore[] = [];
	const made: StoreUnderTest[] = [];
	try {
		const ledgers: Compared[] = [];
		for (const [name, create] of Object.entries(places)) {
			const place = await create();
			made.push(place);
			const open = async () => {
				const store = await place.open();
				opened.push(store);
				return store;
			};
			ledgers.push(onStores(name, await open(), await open()));
		}
		return await run(ledgers);
	} finally {
		for (const store of opened) await store.close();
		for (const place of made) await place.dispose();
	}
}
