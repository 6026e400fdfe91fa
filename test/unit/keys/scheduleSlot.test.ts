import fc from 'fast-check';

import { scheduleSlot, SLOT_UNITS, type SlotUnit } from '../../../keys/scheduleSlot';

const BERLIN = 'Europe/Berlin';

function slot(at: string, size: number, unit: SlotUnit, zone = BERLIN): string {
	return scheduleSlot(at, { size, unit }, zone);
}

describe('scheduleSlot', () => {
	it.each<[SlotUnit, number, string]>([
		['seconds', 15, '2026-11-16T09:47:30+01:00/PT15S'],
		['minutes', 15, '2026-11-16T09:45+01:00/PT15M'],
		['minutes', 7, '2026-11-16T09:42+01:00/PT7M'],
		['hours', 1, '2026-11-16T09:00+01:00/PT1H'],
		['hours', 6, '2026-11-16T06:00/PT6H'],
		['days', 1, '2026-11-16/P1D'],
		['weeks', 1, '2026-11-16/P1W'],
		['months', 1, '2026-11/P1M'],
		['months', 3, '2026-10/P3M'],
	])('%s: %i', (unit, size, name) => {
		expect(slot('2026-11-16T09:47:35.123+01:00', size, unit)).toBe(name);
	});

	it('begins where the time zone says', () => {
		const at = '2026-11-16T23:30:00Z';
		expect(slot(at, 1, 'days', 'UTC')).toBe('2026-11-16/P1D');
		expect(slot(at, 1, 'days', BERLIN)).toBe('2026-11-17/P1D');
		expect(slot(at, 1, 'hours', 'Asia/Kolkata')).toBe('2026-11-17T05:00+05:30/PT1H');
		expect(slot(at, 1, 'hours', 'UTC')).toBe('2026-11-16T23:00Z/PT1H');
	});

	it('weeks begin on Monday', () => {
		expect(slot('2026-11-15T23:59:00+01:00', 1, 'weeks')).toBe('2026-11-09/P1W');
		expect(slot('2026-11-16T00:00:00+01:00', 1, 'weeks')).toBe('2026-11-16/P1W');
	});

	it('knows the same hour twice when clocks are put back', () => {
		const summer = slot('2026-10-25T02:30:00+02:00', 1, 'hours');
		const winter = slot('2026-10-25T02:30:00+01:00', 1, 'hours');
		expect(summer).toBe('2026-10-25T02:00+02:00/PT1H');
		expect(winter).toBe('2026-10-25T02:00+01:00/PT1H');
		// A day remains one day, and six hours of the clock one slot.
		expect(slot('2026-10-25T01:30:00+02:00', 6, 'hours')).toBe(
			slot('2026-10-25T04:30:00+01:00', 6, 'hours'),
		);
		expect(slot('2026-10-25T01:30:00+02:00', 1, 'days')).toBe(
			slot('2026-10-25T23:30:00+01:00', 1, 'days'),
		);
	});

	it('counts a timer that fires a little early to the slot it was set for', () => {
		expect(slot('2026-11-16T08:59:59.998+01:00', 1, 'hours')).toBe(
			slot('2026-11-16T09:00:00.004+01:00', 1, 'hours'),
		);
	});

	it.each([undefined, '', 'soon'])('refuses the time %j', (at) => {
		expect(() => scheduleSlot(at, { size: 1, unit: 'hours' }, 'UTC')).toThrow(/is not a date/);
	});

	it('refuses lengths and time zones that do not exist', () => {
		expect(() => slot('2026-11-16', 0, 'hours')).toThrow(/slot length is 0 hours/);
		expect(() => slot('2026-11-16', 90, 'minutes')).toThrow(/slot length is 90 minutes/);
		expect(() => slot('2026-11-16', 1, 'hours', 'Mars/Olympus')).toThrow(/'Mars\/Olympus'/);
	});

	it('never puts two runs that are a slot apart into one slot', () => {
		const lengths: Record<SlotUnit, number> = {
			seconds: 1000,
			minutes: 60_000,
			hours: 3_600_000,
			days: 86_400_000,
			weeks: 7 * 86_400_000,
			months: 31 * 86_400_000,
		};
		const units = SLOT_UNITS.filter((unit) => unit !== 'days' && unit !== 'weeks');
		fc.assert(
			fc.property(
				fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }),
				fc.constantFrom(...units),
				(time, unit) => {
					const name = (at: number) => scheduleSlot(at, { size: 1, unit }, BERLIN);
					expect(name(time + lengths[unit])).not.toBe(name(time));
				},
			),
		);
	});
});
