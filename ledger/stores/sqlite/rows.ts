import type { StoredRecord } from '../RecordStore';

/** The columns of a record that every read has, by the names of their fields. */
export const STORED_FIELDS = [
	'key',
	'revision',
	'state',
	'createdAt',
	'dueAt',
	'expiresAt',
	'executionId',
	'fingerprint',
	'externalId',
	'alias',
	'duplicates',
	'lastSeenAt',
	'body',
] as const satisfies ReadonlyArray<Exclude<keyof StoredRecord, 'namespace'>>;

type StoredField = (typeof STORED_FIELDS)[number];

/** As SQLite gives it: a field without a value is null. */
export type RecordRow = { readonly id: number } & {
	readonly [F in StoredField]: undefined extends StoredRecord[F]
		? NonNullable<StoredRecord[F]> | null
		: StoredRecord[F];
};

/** What `findHead` gives. */
export type HeadRow = Omit<RecordRow, 'key' | 'body'>;

export function toStored(row: RecordRow, namespace: string): StoredRecord {
	const record: Record<string, unknown> = { namespace };
	for (const field of STORED_FIELDS) if (row[field] !== null) record[field] = row[field];
	return record as unknown as StoredRecord;
}
