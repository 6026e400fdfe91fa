import type { Tally } from '../../../../ledger/Ledger';
import type { EventSummary } from '../../../../ledger/records';
import { barChart } from '../../../../nodes/Ledger/report/chart';
import { renderReport, type Report } from '../../../../nodes/Ledger/report/render';
import { figures, statisticsByDay } from '../../../../nodes/shared/statistics';

const AT = Date.parse('2026-03-05T10:00:00Z');
const EMPTY = { processing: 0, waiting: 0, done: 0, failed: 0, review: 0 };

function tally(kind: string, count: number, day = '2026-03-05', namespace = 'orders'): Tally {
	return { namespace, day, kind, count };
}

function report(more: Partial<Report> = {}): string {
	const stats = { events: EMPTY, tallies: [tally('new', 3)] };
	return renderReport({ title: 'Ledger', days: 7, stats, open: [], at: AT, ...more });
}

const HOSTILE = '</style></title><script>alert(1)</script>" onload="alert(1)';

it('escapes whatever comes from events and users', () => {
	const event = {
		namespace: HOSTILE,
		key: HOSTILE,
		state: 'review',
		reason: HOSTILE,
	} as EventSummary;
	const tallies = [tally('new', 1, '2026-03-05', HOSTILE)];
	const html = report({
		title: HOSTILE,
		namespace: HOSTILE,
		open: [event],
		stats: { events: EMPTY, tallies },
	});
	expect(html).not.toContain('<script');
	expect(html).not.toContain('" onload');
	expect(html.match(/&lt;script&gt;/g)!.length).toBeGreaterThanOrEqual(6);
	expect(html.match(/<\/style>/g)).toHaveLength(1);
});

it('needs nothing from elsewhere', () => {
	expect(report()).not.toMatch(/<script|<link|src=|url\(|@import|https?:/);
	expect(report()).toContain("default-src 'none'");
	expect(report()).toContain('prefers-color-scheme:dark');
});

it('shows every day, also those on which nothing happened', () => {
	const html = report({ days: 7 });
	expect(html.match(/: 3 Events</g)).toHaveLength(1);
	expect(html.match(/: 0 Events</g)).toHaveLength(6);
});

it('says that there is nothing to do, or what', () => {
	expect(report()).toContain('Nothing. All events are done or under way.');
	const open = [{ namespace: 'n', key: 'k1', state: 'failed', attempt: 2, maxAttempts: 5 }];
	const html = report({ open: open as EventSummary[] });
	expect(html).toContain('k1');
	expect(html).toContain('2 of 5');
});

it('draws bars in proportion, within the picture', () => {
	const { text } = barChart('T', ['2026-03-04', '2026-03-05'], [{ name: 'A', values: [5, 10] }]);
	const heights = [...text.matchAll(/height="([\d.]+)" rx/g)].map(([, height]) => Number(height));
	expect(heights[1]).toBeCloseTo(2 * heights[0], 0);
	expect(text).not.toContain('NaN');
	expect(barChart('T', ['2026-03-04'], [{ name: 'A', values: [0] }]).text).not.toContain('NaN');
});

it('adds figures up, and does not divide by nothing', () => {
	expect(figures([])).toMatchObject({
		events: 0,
		secondsToRecovery: null,
		shareWithFullHistory: null,
	});
	const tallies = [
		tally('new', 8),
		tally('imported', 2),
		tally('duplicate', 3),
		tally('in_progress', 1),
		tally('rescued', 2),
		tally('rescue_seconds', 31),
		tally('retry', 2),
		tally('approval_requested', 4),
		tally('approved', 3),
		tally('rejected', 1),
	];
	expect(figures(tallies)).toMatchObject({
		events: 8,
		duplicatesPrevented: 4,
		recovered: 2,
		secondsToRecovery: 16,
		retries: 2,
		approvalsAsked: 4,
		approvalsGiven: 3,
		approvalsRefused: 1,
		shareWithFullHistory: 0.8,
	});
});

it('splits by day and namespace, the newest day first', () => {
	const tallies = [
		tally('new', 1, '2026-03-01'),
		tally('new', 2),
		tally('new', 3, '2026-03-05', 'b'),
	];
	const split = statisticsByDay({ events: EMPTY, tallies });
	expect(split.map(({ namespace, day, events }) => [day, namespace, events])).toEqual([
		['2026-03-05', 'orders', 2],
		['2026-03-05', 'b', 3],
		['2026-03-01', 'orders', 1],
	]);
});
