import { type StorePlace, useFixture } from './fixture';
import { describeInsert } from './insert';
import { describeLists } from './lists';
import { describeEntries, describeMarks } from './marks';
import { describeRaces } from './races';
import { describeClock, describeRead } from './read';
import { describeSwap } from './swap';
import { describeCheck, describePurge, describeRemove, describeStats } from './upkeep';

/** What every record store has to do, sentence by sentence of `ledger/stores/RecordStore.ts`. */
export function describeRecordStore(name: string, create: () => Promise<StorePlace>): void {
	describe(name, () => {
		const fixture = useFixture(create);
		describe('insert', () => describeInsert(fixture));
		describe('read', () => describeRead(fixture));
		describe('now', () => describeClock(fixture));
		describe('swap', () => describeSwap(fixture));
		describe('lists', () => describeLists(fixture));
		describe('marks', () => describeMarks(fixture));
		describe('entries', () => describeEntries(fixture));
		describe('statistics', () => describeStats(fixture));
		describe('remove', () => describeRemove(fixture));
		describe('purge', () => describePurge(fixture));
		describe('check', () => describeCheck(fixture));
		describe('at the same time', () => describeRaces(fixture));
	});
}
