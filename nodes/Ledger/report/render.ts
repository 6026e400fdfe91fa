import type { Stats, Tally } from '../../../ledger/Ledger';
import type { EventSummary } from '../../../ledger/records';
import { type Html, markup } from '../../shared/html';
import { type Figures, figures, groups } from '../../shared/statistics';
import { barChart, type Series } from './chart';
import { REPORT_STYLE } from './style';

export interface Report {
	title: string;
	namespace?: string;
	days: number;
	stats: Stats;
	/** What needs somebody, most urgent first. */
	open: EventSummary[];
	at: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** Each chart has a bar for each day, in one or two colours. */
const CHARTS: Array<{ title: string; series: Array<{ name: string; of: keyof Figures }> }> = [
	{
		title: 'Events and duplicates prevented',
		series: [
			{ name: 'Events', of: 'events' },
			{ name: 'Duplicates prevented', of: 'duplicatesPrevented' },
		],
	},
	{
		title: 'Recovered, and sent to review',
		series: [
			{ name: 'Recovered', of: 'recovered' },
			{ name: 'Sent to review', of: 'sentToReview' },
		],
	},
	{
		title: 'Approvals asked and given',
		series: [
			{ name: 'Asked', of: 'approvalsAsked' },
			{ name: 'Given', of: 'approvalsGiven' },
		],
	},
];

/** One page that needs nothing else: no scripts, no network. All text in it is escaped. */
export function renderReport({ title, namespace, days, stats, open, at }: Report): string {
	const all = figures(stats.tallies);
	const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>${REPORT_STYLE}</head><body><main>
<header><h1>${title}</h1><p class="soft">${namespace === undefined ? 'All namespaces' : `Namespace ${namespace}`}, the last ${days} days (UTC). As of ${new Date(at).toISOString()}</p></header>
${tiles(stats, all)}
${CHARTS.map((chart) => renderChart(chart, stats.tallies, days, at))}
${openTable(open)}
${namespaceTable(stats.tallies)}
</main></body></html>`;
	return page.text;
}

function tiles({ events }: Stats, all: Figures): Html {
	const share = all.shareWithFullHistory;
	const shown: Array<[label: string, value: string, tone?: string]> = [
		['Events', number(all.events)],
		['Duplicates prevented', number(all.duplicatesPrevented), 'good'],
		['Recovered', number(all.recovered), 'good'],
		['Time to recovery', duration(all.secondsToRecovery)],
		['Retries', number(all.retries)],
		['In review now', number(events.review), events.review > 0 ? 'warn' : undefined],
		['Failed now', number(events.failed), events.failed > 0 ? 'warn' : undefined],
		['Processing now', number(events.processing)],
		['Waiting now', number(events.waiting)],
		['Approvals given', `${number(all.approvalsGiven)} / ${number(all.approvalsAsked)}`],
		['Refused', number(all.approvalsRefused)],
		['With a full history', share === null ? '–' : `${Math.round(share * 1000) / 10} %`],
	];
	const tile = ([label, value, tone = '']: (typeof shown)[number]) =>
		markup`<div class="tile ${tone}"><dt>${label}</dt><dd>${value}</dd></div>`;
	return markup`<dl class="tiles">${shown.map(tile)}</dl>`;
}

function renderChart(
	{ title, series }: (typeof CHARTS)[number],
	tallies: Tally[],
	days: number,
	at: number,
): Html {
	const byDay = groups(tallies, ({ day }) => day);
	const labels = Array.from({ length: days }, (_, i) =>
		new Date(at - (days - 1 - i) * DAY).toISOString().slice(0, 10),
	);
	const drawn: Series[] = series.map(({ name, of }) => ({
		name,
		values: labels.map((day) => Number(figures(byDay.get(day) ?? [])[of] ?? 0)),
	}));
	return markup`<section class="card"><h2>${title}</h2>${barChart(title, labels, drawn)}</section>`;
}

function openTable(open: EventSummary[]): Html {
	if (open.length === 0) {
		return markup`<section class="card"><h2>Needs somebody</h2><p>Nothing. All events are done or under way.</p></section>`;
	}
	const row = ({ namespace, key, state, attempt, maxAttempts, reason = '' }: EventSummary) =>
		markup`<tr><td>${key}</td><td>${namespace}</td><td>${state}</td><td class="n">${attempt} of ${maxAttempts}</td><td>${reason}</td></tr>`;
	return markup`<section class="card"><h2>Needs somebody</h2><div class="scroll"><table>
<thead><tr><th>Key</th><th>Namespace</th><th>State</th><th class="n">Attempt</th><th>Reason</th></tr></thead><tbody>${open.map(row)}</tbody></table></div></section>`;
}

function namespaceTable(tallies: Tally[]): Html {
	const row = ([namespace, own]: [string, Tally[]]) => {
		const of = figures(own);
		return markup`<tr><td>${namespace}</td>${[of.events, of.duplicatesPrevented, of.recovered, of.sentToReview].map((count) => markup`<td class="n">${number(count)}</td>`)}<td class="n">${duration(of.secondsToRecovery)}</td></tr>`;
	};
	return markup`<section class="card"><h2>By namespace</h2><div class="scroll"><table>
<thead><tr><th>Namespace</th><th class="n">Events</th><th class="n">Duplicates prevented</th><th class="n">Recovered</th><th class="n">Sent to review</th><th class="n">Time to recovery</th></tr></thead>
<tbody>${[...groups(tallies, ({ namespace }) => namespace)].map(row)}</tbody></table></div></section>`;
}

function number(value: number): string {
	return value.toLocaleString('en-US');
}

function duration(seconds: number | null): string {
	if (seconds === null) return '–';
	if (seconds < 120) return `${seconds} s`;
	if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
	return `${Math.round(seconds / 360) / 10} h`;
}
