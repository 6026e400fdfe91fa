import type { EventAddress } from '../../records';
import type { FullRecord, Head, Insertion, StoredRecord } from '../RecordStore';

/**
 * A record is one string of fields with NUL between them, because texts contain no NUL:
 *
 * ```text
 * lastSeenAt createdAt revision duplicates flags dueAt expiresAt     dueAt and expiresAt from createdAt on, or `-`
 * state, executionId, fingerprint, externalId, alias (JSON)
 * body
 * input, result               '' | `+` and the text | `@` if it is so large that it has a key of its own
 * older history, history
 * ```
 *
 * Flags: `c` if it was inserted to be found by its content, `p` if there are parts, `x` if parts have external ids; `-` if none. Scripts write the text with `..` and read no
 * JSON but that of the head, so that all texts stay as they are.
 */
const INLINE_CHARACTERS = 2000;

const NONE = '-';

/** All of a new record that was inserted at `now`; without `now`, what comes behind its first two times. */
export function textOfNew(insertion: Insertion, now?: number): string {
	const { revision, dueAfterMs = NONE, expiresAfterMs = NONE, body, input, result } = insertion;
	const found = foundBy(insertion);
	const start = now === undefined ? '' : `${now} ${now}`;
	const flags = insertion.findSameContent ? 'c' : NONE;
	return `${start} ${revision} 0 ${flags} ${dueAfterMs} ${expiresAfterMs}\0${found}\0${body}\0${storedValue(input)}\0${storedValue(result)}\0\0`;
}

/** What a record is found by, but `createdAt`. */
export function textOfHead(head: Head): string {
	const { createdAt, dueAt, expiresAt } = head;
	const due = dueAt === undefined ? NONE : dueAt - createdAt;
	const expires = expiresAt === undefined ? NONE : expiresAt - createdAt;
	return `${due} ${expires}\0${foundBy(head)}\0`;
}

/** Always in this order: a head is changed if its text is another one. */
function foundBy(head: Omit<Head, 'createdAt'>): string {
	const { state, executionId, fingerprint, externalId, alias } = head;
	return JSON.stringify({ state, executionId, fingerprint, externalId, alias });
}

function storedValue(value: string | undefined): string {
	if (value === undefined) return '';
	return isLarge(value) ? '@' : `+${value}`;
}

export function isLarge(value: string | null | undefined): value is string {
	return typeof value === 'string' && value.length > INLINE_CHARACTERS;
}

/** What becomes of a value: it stays (''), goes (`-`), or is this one. */
export function changeOfValue(value: string | null | undefined): string {
	return value === null ? '-' : storedValue(value);
}

/** The first three fields of a record. */
export function readSummary({ namespace, key }: EventAddress, summary: string): StoredRecord {
	const [counters, head, body] = summary.split('\0');
	const [lastSeenAt, createdAt, revision, duplicates, , due, expires] = counters.split(' ');
	const since = Number(createdAt);
	const { state, ...found } = JSON.parse(head) as Omit<Head, 'createdAt'>;
	const record: StoredRecord = {
		namespace,
		key,
		state,
		createdAt: since,
		...found,
		revision: Number(revision),
		duplicates: Number(duplicates),
		lastSeenAt: Number(lastSeenAt),
		body,
	};
	if (due !== NONE) record.dueAt = since + Number(due);
	if (expires !== NONE) record.expiresAt = since + Number(expires);
	return record;
}

/** Adds a value that a script gave, if there is one. */
export function addValue(
	record: Pick<FullRecord, 'input' | 'result'>,
	name: 'input' | 'result',
	value: string,
): void {
	if (value !== '') record[name] = value.slice(1);
}
