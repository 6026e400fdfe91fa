import type { StoreUnderTest } from '../harness';
import { ModelLedger } from './ModelLedger';

/** The model in the place of a store: several openings share its memory, as they would share a server. */
export function modelUnderTest(model = new ModelLedger(), manyItems = 3000): StoreUnderTest {
	return {
		open: async () => model,
		manyItems,
		expireLease: async (address) => model.expireLease(address),
		expireRecord: async (address) => model.expireRecord(address),
		expireApproval: async (address, gate) => model.expireApproval(address, gate),
		makeDue: async (address) => model.makeDue(address),
		expireUndos: async (address) => model.expireUndos(address),
		dispose: async () => {},
	};
}
