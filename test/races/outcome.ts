import { type Portrait, portrait } from './portrait';
import type { Ledger } from '../../ledger/Ledger';

/** What came of a write: what was answered, and what the ledger has afterwards. */
export interface Outcome {
	reply: unknown;
	ledger: unknown;
	/** How many deliveries were turned away, and as what. */
	deliveries: Record<string, number>;
}

/** Outcomes of deliveries that leave the record as it is. */
const TURNED_AWAY = ['in_progress', 'waiting', 'duplicate', 'review', 'stale'];

/** Without what differs from one run to the next: points in time, random ids, and the namespace. */
export async function outcomeOf(
	reply: unknown,
	ledger: Ledger,
	namespace: string,
): Promise<Outcome> {
	const { counts, ...rest } = await portrait(ledger, namespace);
	const deliveries: Record<string, number> = { all: sumOfDuplicates(rest) };
	for (const kind of TURNED_AWAY) {
		deliveries[kind] = counts[kind] ?? 0;
		delete counts[kind];
	}
	return {
		reply: comparable(reply, namespace),
		ledger: comparable({ ...rest, counts }, namespace),
		deliveries,
	};
}

function sumOfDuplicates({ records }: Pick<Portrait, 'records'>): number {
	return records.reduce((sum, { event }) => sum + event.duplicates, 0);
}

function comparable(value: unknown, namespace: string): unknown {
	const text = JSON.stringify(value, (name, inner: unknown) => {
		if (inner instanceof Error) return inner.name;
		if (/(^at|At|Until)$/.test(name)) return 'a time';
		if (name === 'duplicates') return undefined;
		return name === 'id' ? 'an id' : inner;
	});
	return JSON.parse((text ?? 'null').replaceAll(namespace, 'the namespace'));
}
