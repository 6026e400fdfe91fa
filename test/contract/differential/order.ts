import type { Ledger, ListRequest } from '../../../ledger/Ledger';
import type { EventAddress, EventSummary, StepRecord } from '../../../ledger/records';
import { NEVER } from '../../../ledger/stores/RecordStore';

/**
 * What comes in the order of time comes in another order on another store, if it happened in the same millisecond. So the order is
 * compared with the times that the answer itself shows, and is evened out then.
 */

/** Newest first. Sorted by name afterwards. */
export function inOrderOfTime(steps: StepRecord[], time: 'finishedAt'): void {
	for (let i = 1; i < steps.length; i++) {
		if (steps[i - 1][time]! < steps[i][time]!) throw new Error('The newest is not the first');
	}
	const name = (step: StepRecord) => `${step.name} ${step.row ?? ''}`;
	steps.sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

/** All pages, none of them too long, the whole in the order of the list. */
export async function allPages(
	ledger: Ledger,
	request: ListRequest & { limit: number },
): Promise<EventSummary[]> {
	const events: EventSummary[] = [];
	let cursor: string | undefined;
	do {
		const page = await ledger.list({ ...request, cursor });
		if (page.events.length > request.limit) throw new Error('A page is too long');
		events.push(...page.events);
		cursor = page.cursor;
		if (events.length > 1000) throw new Error('The pages do not end');
	} while (cursor !== undefined);
	const { executionId, fingerprint, externalId, keyPrefix, keyPart, state } = request;
	const names = [executionId, fingerprint, externalId, keyPrefix, keyPart];
	if (names.some((name) => name !== undefined)) {
		check(events, byName);
	} else if (state !== undefined && state !== 'done') {
		check(events, (a, b) => (a.dueAt ?? NEVER) - (b.dueAt ?? NEVER) || byName(a, b));
	} else {
		check(events, (a, b) => b.createdAt - a.createdAt || byName(b, a));
	}
	return events.sort(byName);
}

function check<T>(all: T[], compare: (a: T, b: T) => number): void {
	for (let i = 1; i < all.length; i++) {
		if (compare(all[i - 1], all[i]) >= 0) throw new Error('The list is not in order');
	}
}

/** Keys of these tests are of one byte a character. */
export function byName(a: EventAddress, b: EventAddress): number {
	const [left, right] = [a, b].map(({ namespace, key }) => `${namespace}\0${key}`);
	return left === right ? 0 : left < right ? -1 : 1;
}
