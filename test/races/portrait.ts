import type { Ledger } from '../../ledger/Ledger';
import type { EventDetails, HistoryEntry } from '../../ledger/records';

/** All that a ledger knows of a namespace. */
export interface Portrait {
	/** In the order of their keys. */
	records: EventDetails[];
	histories: HistoryEntry[][];
	states: Record<string, number>;
	counts: Record<string, number>;
}

export async function portrait(ledger: Ledger, namespace: string): Promise<Portrait> {
	const { events } = await ledger.list({ namespace, limit: 1000 });
	events.sort((a, b) => (a.key < b.key ? -1 : 1));
	const { events: states, tallies } = await ledger.stats({ namespace });
	const counts: Record<string, number> = {};
	// Over all days: midnight may pass during a test.
	for (const { kind, count } of tallies) counts[kind] = (counts[kind] ?? 0) + count;
	return {
		records: (await ledger.get(events)).map((details) => details!),
		histories: await ledger.histories(events),
		states,
		counts,
	};
}
