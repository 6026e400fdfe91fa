import { type RecordQuery, SEARCH_LIMIT, type StoredRecord } from '../RecordStore';
import { type RowOf, storedRecord } from './records';
import type { Runner } from './Runner';

/** One with nulls if there are no records. */
interface Row extends RowOf<StoredRecord> {
	now: number;
}

export async function list(
	runner: Runner,
	{ order, after, ...filters }: RecordQuery,
): Promise<{ now: number; records: StoredRecord[] }> {
	const isFound = filters.externalId !== undefined || filters.fingerprint !== undefined;
	const file = order === 'key' && isFound ? 'list_found.sql' : `list_by_${order}.sql`;
	const parameters = {
		...NO_FILTERS,
		...filters,
		searchLimit: filters.keyPart === undefined ? undefined : SEARCH_LIMIT,
		afterTime: after?.time,
		afterNamespace: after?.namespace,
		afterKey: after?.key,
	};
	const rows = await runner.run<Row>(file, parameters, { isPlannedAnew: true, isLong: true });
	const records = rows.filter(({ key }) => key !== null).map(storedRecord);
	return { now: rows[0].now, records };
}

/** So that the texts of statements differ by the filters that are given, and not by those that a caller leaves out. */
const NO_FILTERS = {
	namespace: undefined,
	state: undefined,
	executionId: undefined,
	fingerprint: undefined,
	externalId: undefined,
	keyPrefix: undefined,
	keyPart: undefined,
	createdAfter: undefined,
	createdBefore: undefined,
	dueBefore: undefined,
};
