import type { Ledger } from '../../../ledger/Ledger';
import { EVENT_STATES } from '../../../ledger/records';
import { sum } from '../conformance/helpers';
import { KEYS } from './operations';
import { allPages } from './order';

/** All that can be seen of a ledger in the end: records, histories, lists and tallies. */
export async function see(ledger: Ledger, namespace: string): Promise<unknown> {
	const addresses = KEYS.map((key) => ({ namespace, key }));
	const list = (filter: object) => allPages(ledger, { namespace, limit: 50, ...filter });
	const filters: Record<string, object> = {
		all: {},
		stuck: { state: 'stuck' },
		part: { keyPart: 'a' },
	};
	for (const state of EVENT_STATES) filters[state] = { state };
	// The others have the number of the first.
	for (const worker of ['w1', 'w2', 'w3']) {
		filters[worker] = { executionId: `${worker} of ${namespace}` };
	}
	for (const fingerprint of ['f1', 'f2']) filters[fingerprint] = { fingerprint };
	for (const id of ['e1', 'e2']) filters[id] = { externalId: `${id} of ${namespace}` };
	const [details, histories, ...lists] = await Promise.all([
		ledger.get(addresses),
		ledger.histories(addresses),
		...Object.values(filters).map(list),
	]);
	// Stores may count what is expired and not yet removed.
	while ((await ledger.purge()).more);
	const { events, tallies } = await ledger.stats({ namespace });
	const names = Object.keys(filters);
	return {
		details,
		histories,
		events,
		counts: sum(tallies),
		lists: Object.fromEntries(names.map((name, i) => [name, lists[i]])),
	};
}
