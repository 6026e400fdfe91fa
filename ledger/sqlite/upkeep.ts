import type { Stats } from '../Ledger';
import { EVENT_STATES, type EventAddress } from '../records';
import { dayOf, type Transaction } from './Transaction';

const DAY_MS = 24 * 60 * 60 * 1000;

export function stats(
	tx: Transaction,
	{ namespace = null, days }: { namespace?: string | null; days: number },
): Stats {
	const tallies = tx.sql.findTallies.all(namespace, dayOf(tx.now - (days - 1) * DAY_MS));
	return {
		events: countByState(tx, namespace),
		tallies: tallies.map((tally) => ({ ...tally })) as unknown as Stats['tallies'],
	};
}

export function countByState(tx: Transaction, namespace: string | null): Stats['events'] {
	const counts = Object.fromEntries(EVENT_STATES.map((state) => [state, 0])) as Stats['events'];
	for (const { state, count } of tx.sql.countOpen.all(namespace)) {
		counts[state as keyof typeof counts] = count as number;
	}
	counts.done = tx.sql.countDone.get(namespace, tx.now)!.count as number;
	return counts;
}

/** Whether there was one. What belongs to it goes with it. */
export function deleteEvent(tx: Transaction, address: EventAddress): boolean {
	const row = tx.find(address);
	if (!row) return false;
	tx.sql.removeEvent.run(row.namespaceId, row.key);
	tx.count(row.namespaceId, 'purged');
	tx.count(row.namespaceId, 'deleted');
	if (row.state === 'done') tx.countDone(row.namespaceId, -1);
	return true;
}

/** Removes expired events, and as many marks that nobody needs any more; returns how many events. */
export function purge(tx: Transaction, limit: number): number {
	const purged = tx.sql.purgeEvents.all(tx.now, limit);
	for (const { namespaceId } of purged) tx.countPurged(namespaceId as number);
	tx.sql.purgeMarks.run(tx.now, limit);
	return purged.length;
}
