import type { SQLOutputValue, StatementSync } from 'node:sqlite';

import { NAME_LIMIT } from '../../validate';
import { NEVER, type RecordQuery, SEARCH_LIMIT, type StoredRecord } from '../RecordStore';
import { mergePages } from './mergePages';
import { type RecordRow, toStored } from './rows';
import type { Transaction } from './Transaction';

/** Sorts after every key: the highest character there is, as often as a key can have it. */
export const LAST_KEY = '\u{10ffff}'.repeat(NAME_LIMIT);

type Rows = Array<Record<string, SQLOutputValue>>;

interface Namespace {
	id: number;
	name: string;
	/** How many it has. */
	records: number;
}

/** Where a page starts in a namespace: after this. */
interface Position {
	time: number;
	key: string;
}

/**
 * Each way through the records has a statement of its own, which uses one index and gives the records of one namespace. Namespaces are
 * few: pages of several are put together here.
 */
export function list(tx: Transaction, query: RecordQuery): StoredRecord[] {
	const { namespace = null } = query;
	const namespaces = tx.sql.listNamespaces.all({ name: namespace }) as unknown as Namespace[];
	return query.order === 'key' ? byKey(tx, query, namespaces) : byTime(tx, query, namespaces);
}

/** One namespace after the other. */
function byKey(tx: Transaction, query: RecordQuery, namespaces: Namespace[]): StoredRecord[] {
	const { after, limit } = query;
	const page: StoredRecord[] = [];
	let searchLimit = SEARCH_LIMIT;
	for (const { id, name, records } of namespaces) {
		const side = after ? compareBytes(name, after.namespace) : 1;
		if (side < 0) continue;
		const { statement, params } = wayByKey(tx, query, searchLimit);
		const rows = statement.all({
			...filters(tx, query),
			...params,
			namespaceId: id,
			afterKey: side === 0 ? after!.key : '',
			limit: limit - page.length,
		});
		for (const row of rows) page.push(toStored(row as unknown as RecordRow, name));
		if (query.keyPart !== undefined) searchLimit -= records;
		if (page.length === limit || searchLimit <= 0) break;
	}
	return page;
}

/** By the filter that leaves the fewest records. */
function wayByKey(
	{ sql }: Transaction,
	{ executionId, externalId, fingerprint, keyPart }: RecordQuery,
	searchLimit: number,
): { statement: StatementSync; params?: Record<string, string | number> } {
	if (externalId !== undefined) return { statement: sql.listByExternalId, params: { externalId } };
	if (executionId !== undefined) return { statement: sql.listByExecution };
	if (fingerprint !== undefined) return { statement: sql.listByFingerprint };
	if (keyPart !== undefined) return { statement: sql.listByKeyPart, params: { searchLimit } };
	return { statement: sql.listByKey };
}

/** All namespaces at once. */
function byTime(tx: Transaction, query: RecordQuery, namespaces: Namespace[]): StoredRecord[] {
	const sources = namespaces.map(({ id, name }) => {
		const start = startIn(name, query);
		const pageAfter = query.order === 'due' ? duePage : createdPage;
		return (last: StoredRecord | undefined, limit: number): StoredRecord[] => {
			const position = last ? { time: timeOf(last, query), key: last.key } : start;
			const rows = pageAfter(tx, query, { namespaceId: id, ...position }, limit);
			return rows.map((row) => toStored(row as unknown as RecordRow, name));
		};
	});
	return query.order === 'due'
		? mergePages(sources, query.limit, (a, b) => timeOf(a, query) < timeOf(b, query))
		: mergePages(sources.reverse(), query.limit, (a, b) => timeOf(a, query) > timeOf(b, query));
}

interface PositionInNamespace extends Position {
	namespaceId: number;
}

function createdPage(
	tx: Transaction,
	query: RecordQuery,
	{ namespaceId, time, key }: PositionInNamespace,
	limit: number,
): Rows {
	const position = { namespaceId, afterTime: time, afterKey: key };
	return tx.sql.listByCreated.all({ ...filters(tx, query), ...position, limit });
}

function duePage(
	tx: Transaction,
	query: RecordQuery,
	{ namespaceId, time, key }: PositionInNamespace,
	limit: number,
): Rows {
	const { dueBefore = NEVER } = query;
	const way = { ...filters(tx, query), namespaceId };
	const position = { dueBefore, afterTime: time, afterKey: key };
	const rows = tx.sql.listByDue.all({ ...way, ...position, limit });
	if (rows.length === limit || dueBefore < NEVER || time > NEVER) return rows;
	const afterKey = time === NEVER ? key : '';
	return [...rows, ...tx.sql.listNeverDue.all({ ...way, afterKey, limit: limit - rows.length })];
}

function timeOf(record: StoredRecord, { order }: RecordQuery): number {
	return order === 'due' ? record.dueAt! : record.createdAt;
}

/** Records of one time are in the order of their namespaces, upwards by due time and downwards by creation. */
function startIn(name: string, { order, after }: RecordQuery): Position {
	if (!after) return { time: order === 'due' ? 0 : NEVER, key: '' };
	const side = compareBytes(name, after.namespace);
	if (side === 0) return after;
	// No key is empty: all or none of the records of this time come after it.
	return { time: side < 0 ? after.time + 1 : after.time, key: '' };
}

function filters(
	{ now }: Transaction,
	{ keyPrefix = '', ...query }: RecordQuery,
): Record<string, string | number | null> {
	return {
		now,
		state: query.state ?? null,
		executionId: query.executionId ?? null,
		fingerprint: query.fingerprint ?? null,
		keyFrom: keyPrefix,
		keyTo: keyPrefix + LAST_KEY,
		keyPart: query.keyPart ?? null,
		createdAfter: query.createdAfter ?? null,
		createdBefore: query.createdBefore ?? null,
	};
}

function compareBytes(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
