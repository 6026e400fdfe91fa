import { backoff } from '../../../http/backoff';
import { retryAfter } from '../../../http/retryAfter';

describe('Backoff', () => {
	const settings = { baseMs: 1000, capMs: 5000 };

	it('doubles up to its cap', () => {
		const longest = [1, 2, 3, 4, 50, 5000].map((attempt) => backoff(attempt, settings, () => 1));
		expect(longest).toEqual([1000, 2000, 4000, 5000, 5000, 5000]);
	});

	it('spreads over all of the time', () => {
		expect(backoff(3, settings, () => 0)).toBe(0);
		expect(backoff(3, settings, () => 0.25)).toBe(1000);
		const waits = Array.from({ length: 200 }, () => backoff(3, settings));
		expect(Math.min(...waits)).toBeLessThan(1000);
		expect(Math.max(...waits)).toBeGreaterThan(3000);
		expect(Math.max(...waits)).toBeLessThanOrEqual(4000);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-11-16T08:00:00Z');
	const DAY = 24 * 60 * 60 * 1000;

	it.each<[string, Record<string, unknown>, number | undefined]>([
		['nothing', {}, undefined],
		['an empty one', { 'retry-after': '' }, undefined],
		['seconds', { 'Retry-After': '120' }, 120_000],
		['a number', { 'retry-after': 3 }, 3000],
		['parts of seconds', { 'retry-after': '0.5' }, 500],
		['several', { 'retry-after': ['7', '9'] }, 7000],
		['a date', { 'retry-after': 'Mon, 16 Nov 2026 08:01:30 GMT' }, 90_000],
		['a date that is over', { 'retry-after': 'Mon, 16 Nov 2026 07:00:00 GMT' }, 0],
		[
			'a date by a clock that is an hour ahead',
			{ 'retry-after': 'Mon, 16 Nov 2026 09:00:10 GMT', date: 'Mon, 16 Nov 2026 09:00:00 GMT' },
			10_000,
		],
		['too much', { 'retry-after': '99999999999' }, 7 * DAY],
		['a negative number', { 'retry-after': '-5' }, undefined],
		['nonsense', { 'retry-after': 'soon' }, undefined],
		['nonsense like a day', { 'retry-after': 'Monday or so' }, undefined],
	])('%s', (_what, headers, expected) => {
		expect(retryAfter(headers, now)).toBe(expected);
	});
});
