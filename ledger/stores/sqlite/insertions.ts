import type { Inserted, Insertion } from '../RecordStore';
import { given } from './given';
import { toStored } from './rows';
import type { Transaction } from './Transaction';
import { addLargeValues, hasLargeValue, inRow } from './values';

type Reply = Inserted['replies'][0];

/**
 * An insertion that meets nothing, by one statement, which is a transaction in itself; it leaves the record unindexed. Nothing if there
 * is more to it.
 */
export function insertAlone(tx: Transaction, item: Insertion): Reply | undefined {
	const namespaceId = tx.namespaces.find(item.namespace);
	if (namespaceId === undefined || hasLargeValue(item)) return undefined;
	const id = insertRecord(tx, namespaceId, item, item.count);
	if (id === undefined) return undefined;
	return { inserted: true, ...sameContent(tx, namespaceId, item, id) };
}

/** Most records are new, so that is tried first: only a record in the way has to be read. */
export function insert(tx: Transaction, item: Insertion): Reply {
	const namespaceId = tx.namespaces.findOrAdd(item.namespace);
	const id = insertRecord(tx, namespaceId, item, '');
	if (id === undefined) return meet(tx, namespaceId, item);
	addLargeValues(tx, id, item);
	tx.count(namespaceId, item.count);
	tx.countRecords(namespaceId, 1);
	return { inserted: true, ...sameContent(tx, namespaceId, item, id) };
}

/** Returns its id, if no record was in the way. */
function insertRecord(
	tx: Transaction,
	namespaceId: number,
	item: Insertion,
	unindexed: string,
): number | undefined {
	const { dueAfterMs, expiresAfterMs } = item;
	const { changes, lastInsertRowid } = tx.sql.insertRecord.run(
		given({
			namespaceId,
			key: item.key,
			revision: item.revision,
			state: item.state,
			now: tx.now,
			dueAt: dueAfterMs === undefined ? null : tx.now + dueAfterMs,
			expiresAt: expiresAfterMs === undefined ? null : tx.now + expiresAfterMs,
			executionId: item.executionId,
			fingerprint: item.fingerprint,
			externalId: item.externalId,
			alias: item.alias,
			sharesContent: item.findSameContent ? 1 : 0,
			unindexed,
			body: item.body,
			input: inRow(item.input),
			result: inRow(item.result),
		}),
	);
	return changes === 1 ? (lastInsertRowid as number) : undefined;
}

function sameContent(
	tx: Transaction,
	namespaceId: number,
	{ fingerprint, findSameContent }: Insertion,
	id: number,
): { sameContentAs?: string } {
	if (!findSameContent || fingerprint === undefined) return {};
	const found = tx.sql.findSameContent.get(given({ namespaceId, fingerprint, id, now: tx.now }));
	return found ? { sameContentAs: found.key as string } : {};
}

function meet(tx: Transaction, namespaceId: number, item: Insertion): Reply {
	const row = tx.find(item) ?? tx.findByAlias(namespaceId, item.alias!);
	const { result } = tx.sql.findValues.get({ id: row.id })!;
	const met = {
		...toStored(row, item.namespace),
		...(typeof result === 'string' && { result }),
	};
	const isExpired = row.expiresAt !== null && row.expiresAt <= tx.now;
	if (item.isDelivery && !isExpired) {
		met.duplicates++;
		met.lastSeenAt = tx.now;
		const { duplicates, lastSeenAt } = met;
		tx.sql.countDuplicate.run({ id: row.id, duplicates, lastSeenAt });
		tx.count(namespaceId, `met_${row.state}`);
	}
	return { inserted: false, met };
}
