import type { EventState } from '../../records';
import type { RecordStats } from '../RecordStore';
import type { Runner } from './Runner';

interface StateRow {
	state: EventState;
	count: number;
}

interface TallyRow {
	state: null;
	namespace: string;
	day: string;
	kind: string;
	count: number;
}

export async function stats(
	runner: Runner,
	query: { namespace?: string; days: number },
): Promise<RecordStats> {
	const parameters = { namespace: query.namespace, days: query.days };
	const rows = await runner.run<StateRow | TallyRow>('stats.sql', parameters, { isLong: true });
	const found: RecordStats = {
		events: { processing: 0, waiting: 0, done: 0, failed: 0, review: 0 },
		tallies: [],
	};
	for (const row of rows) {
		if (row.state !== null) found.events[row.state] = row.count;
		else
			found.tallies.push({
				namespace: row.namespace,
				day: row.day,
				kind: row.kind,
				count: row.count,
			});
	}
	return found;
}
