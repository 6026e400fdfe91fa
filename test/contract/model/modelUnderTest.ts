import type { RecordStore } from '../../../ledger/stores/RecordStore';
import type { StoreUnderTest } from '../harness';
import { MemoryStore } from './MemoryStore';

/** The model in the place of a store: several openings share its memory, as they would share a server. */
export function modelUnderTest(
	store: RecordStore = new MemoryStore(),
	manyItems = 3000,
): StoreUnderTest {
	return { open: async () => store, manyItems, dispose: async () => {} };
}
