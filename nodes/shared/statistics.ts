import type { IDataObject } from 'n8n-workflow';

import type { Stats, Tally } from '../../ledger/Ledger';

/** What counts as a repeat that was held back. */
const PREVENTED = ['duplicate', 'in_progress', 'waiting', 'stale'];

/** The figures of a span of time, in the words of the design. */
export interface Figures {
	/** Events that came for the first time. */
	events: number;
	completed: number;
	/** Deliveries that were turned away because their event was there already. */
	duplicatesPrevented: number;
	/** The same key with other content. */
	conflicts: number;
	/** Events that were completed and had needed more than one attempt. */
	recovered: number;
	/** From the first claim until done, on average, for those that were recovered. */
	secondsToRecovery: number | null;
	/** Attempts after the first. */
	retries: number;
	failed: number;
	sentToReview: number;
	approvalsAsked: number;
	approvalsGiven: number;
	approvalsRefused: number;
	approvalsExpired: number;
	stepsDone: number;
	stepsUndone: number;
	imported: number;
	/** Of all events that came, the share whose history begins with their first claim: imported ones happened elsewhere. */
	shareWithFullHistory: number | null;
}

export function figures(tallies: Tally[]): Figures {
	const of = (...kinds: string[]) =>
		tallies
			.filter(({ kind }) => kinds.includes(kind))
			.reduce((sum, { count }) => sum + Number(count), 0);
	const [events, imported, recovered] = [of('new'), of('imported'), of('rescued')];
	return {
		events,
		completed: of('completed'),
		duplicatesPrevented: of(...PREVENTED),
		conflicts: of('conflict'),
		recovered,
		secondsToRecovery: recovered > 0 ? Math.round(of('rescue_seconds') / recovered) : null,
		retries: of('retry', 'recovered', 'resumed'),
		failed: of('failed'),
		sentToReview: of('review'),
		approvalsAsked: of('approval_requested'),
		approvalsGiven: of('approved'),
		approvalsRefused: of('rejected'),
		approvalsExpired: of('approval_expired'),
		stepsDone: of('step_done'),
		stepsUndone: of('step_undone'),
		imported,
		shareWithFullHistory:
			events + imported > 0 ? Math.round((1000 * events) / (events + imported)) / 1000 : null,
	};
}

/** What there is now, and what happened in all. */
export function statistics({ events, tallies }: Stats): IDataObject {
	return { now: { ...events }, ...figures(tallies) };
}

/** One entry for each namespace and day, the newest day first. */
export function statisticsByDay({ tallies }: Stats): IDataObject[] {
	return [...groups(tallies, ({ namespace, day }) => JSON.stringify([day, namespace]))]
		.sort(([a], [b]) => (a < b ? 1 : -1))
		.map(([, group]) => {
			const [{ namespace, day }] = group;
			return { namespace, day, ...figures(group) };
		});
}

export function groups(tallies: Tally[], nameOf: (tally: Tally) => string): Map<string, Tally[]> {
	const found = new Map<string, Tally[]>();
	for (const tally of tallies) {
		const name = nameOf(tally);
		found.set(name, [...(found.get(name) ?? []), tally]);
	}
	return found;
}
