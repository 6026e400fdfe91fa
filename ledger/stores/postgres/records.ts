import type { FullRecord, StoredRecord } from '../RecordStore';

/** The columns of a record, by the names that rows have them under. */
const COLUMNS = {
	namespace: 'namespace',
	key: 'key',
	revision: 'revision',
	state: 'state',
	createdAt: 'created_at',
	dueAt: 'due_at',
	expiresAt: 'expires_at',
	executionId: 'execution_id',
	fingerprint: 'fingerprint',
	externalId: 'external_id',
	alias: 'alias',
	duplicates: 'duplicates',
	lastSeenAt: 'last_seen_at',
	body: 'body',
} satisfies Record<keyof StoredRecord, string>;

/** For `:record` in statements, of a table that is called `e`. */
export const RECORD_COLUMNS = Object.entries(COLUMNS)
	.map(([name, column]) => `e.${column} AS "${name}"`)
	.join(', ');

const RECORD_FIELDS = Object.keys(COLUMNS) as Array<keyof StoredRecord>;

/** A row of a statement: NULL is a field without a value. */
export type RowOf<T> = { [F in keyof T]-?: T[F] | null };

export function storedRecord(row: RowOf<StoredRecord>): StoredRecord {
	return present(row, RECORD_FIELDS) as StoredRecord;
}

/** A record with what else was read of it. */
export function withExtras<T extends keyof Omit<FullRecord, keyof StoredRecord>>(
	row: RowOf<StoredRecord & Pick<FullRecord, T>>,
	extras: readonly T[],
): StoredRecord & Pick<FullRecord, T> {
	return present(row, [...RECORD_FIELDS, ...extras]) as StoredRecord & Pick<FullRecord, T>;
}

function present<T extends object>(row: T, fields: ReadonlyArray<keyof T>): object {
	const found: Partial<T> = {};
	for (const field of fields) if (row[field] !== null) found[field] = row[field];
	return found;
}
