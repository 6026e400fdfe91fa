import { validFor } from '../../../../nodes/LedgerTrigger/registerRecovery';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('How long a recovery is registered for', () => {
	it.each([
		[[], 3 * HOUR],
		[[{ mode: 'custom' }], 3 * HOUR],
		[[{ mode: 'everyMinute' }], 10 * MINUTE],
		[[{ mode: 'everyHour' }], 3 * HOUR],
		[[{ mode: 'everyX', value: 20, unit: 'minutes' as const }], HOUR],
		[[{ mode: 'everyX', value: 2, unit: 'hours' as const }], 6 * HOUR],
		[[{ mode: 'everyDay' }, { mode: 'everyHour' }], 3 * HOUR],
		[[{ mode: 'everyX', value: 0 }], 3 * HOUR],
	])('is some intervals of %j', (times, ms) => expect(validFor(times)).toBe(ms));
});
