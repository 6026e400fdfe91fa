import { EVENT_STATES, type EventState } from '../../records';
import type { RecordStats, Removal } from '../RecordStore';
import { dayOf, type Transaction } from './Transaction';

const DAY_MS = 24 * 60 * 60 * 1000;

export function stats(
	tx: Transaction,
	{ namespace, days }: { namespace?: string; days: number },
): RecordStats {
	const events = Object.fromEntries(
		EVENT_STATES.map((state) => [state, 0]),
	) as RecordStats['events'];
	const tallies: RecordStats['tallies'] = [];
	const firstDay = dayOf(tx.now - (days - 1) * DAY_MS);
	for (const { id, name, records } of tx.sql.listNamespaces.all({ name: namespace ?? null })) {
		events.done += records as number;
		for (const { state, count } of tx.sql.countOpen.all({ namespaceId: id })) {
			events[state as EventState] += count as number;
			events.done -= count as number;
		}
		for (const { day, kind, count } of tx.sql.findTallies.all({ namespaceId: id, firstDay })) {
			tallies.push({
				namespace: name as string,
				day: day as string,
				kind: kind as string,
				count: count as number,
			});
		}
	}
	return { events, tallies };
}

export function countRecords(tx: Transaction): number {
	const namespaces = tx.sql.listNamespaces.all({ name: null });
	return namespaces.reduce((sum, { records }) => sum + (records as number), 0);
}

/** Returns whether there was such a record. */
export function remove(tx: Transaction, { namespace, key, mark, onlyIfExpired }: Removal): boolean {
	const namespaceId = tx.namespaces.find(namespace);
	if (namespaceId === undefined) return false;
	if (mark) {
		const { object, version } = mark;
		tx.sql.removeMark.run({ namespaceId, object, version });
	}
	const { changes } = onlyIfExpired
		? tx.sql.removeExpired.run({ namespaceId, key, now: tx.now })
		: tx.sql.removeRecord.run({ namespaceId, key });
	if (changes === 0) return false;
	countPurged(tx, namespaceId);
	if (!onlyIfExpired) tx.count(namespaceId, 'deleted');
	return true;
}

/** Removes as many expired marks and entries too; returns how many records. */
export function purge(tx: Transaction, limit: number): number {
	const expired = { now: tx.now, limit };
	const purged = tx.sql.purgeRecords.all(expired);
	for (const { namespaceId } of purged) countPurged(tx, namespaceId as number);
	tx.sql.purgeMarks.run(expired);
	tx.sql.purgeEntries.run(expired);
	return purged.length;
}

function countPurged(tx: Transaction, namespaceId: number): void {
	tx.count(namespaceId, 'purged');
	tx.countRecords(namespaceId, -1);
}
