import type { Head, Swap, Swapped } from '../RecordStore';
import { given } from './given';
import type { HeadRow } from './rows';
import type { Transaction } from './Transaction';
import { addLargeValues, inRow } from './values';

/** Writes only what changes: an index costs something only if one of its columns is among the columns that a statement sets. */
export function swap(tx: Transaction, item: Swap): Swapped | undefined {
	const namespaceId = tx.namespaces.find(item.namespace);
	if (namespaceId === undefined) return undefined;
	const address = given({ namespaceId, key: item.key });
	const row = tx.sql.findHead.get(address) as HeadRow | undefined;
	if (row?.revision !== item.revision) return undefined;
	const { id } = row;
	const duplicates = row.duplicates + item.duplicates;
	const lastSeenAt = item.lastSeenAt ?? row.lastSeenAt;
	save(tx, row, item, { id, body: item.body, duplicates, lastSeenAt, append: item.append });
	for (const { name, text, externalId } of item.parts) {
		tx.sql.putPart.run(given({ id, name, text, externalId }));
	}
	if (item.rotate) tx.sql.rotateHistory.run({ id });
	for (const { kind, n } of item.counts) tx.count(namespaceId, kind, n);
	return { duplicates, lastSeenAt };
}

const STATE_FIELDS = ['state', 'dueAt', 'expiresAt'] as const satisfies Array<keyof Head>;

const IDENTITY_FIELDS = [
	'createdAt',
	'executionId',
	'fingerprint',
	'externalId',
	'alias',
] as const satisfies Array<keyof Head>;

function save(
	tx: Transaction,
	row: HeadRow,
	{ head, input, result }: Swap,
	always: { id: number; body: string; duplicates: number; lastSeenAt: number; append: string },
): void {
	const staysInput = input === undefined ? 1 : 0;
	const staysResult = result === undefined ? 1 : 0;
	if (staysInput && staysResult && !differ(row, head, STATE_FIELDS)) {
		tx.sql.saveBody.run(given(always));
	} else {
		const { state, dueAt, expiresAt } = head;
		const values = { staysInput, input: inRow(input), staysResult, result: inRow(result) };
		tx.sql.saveState.run(given({ ...always, state, dueAt, expiresAt, ...values }));
		tx.sql.removeLargeValues.run({ id: always.id, staysInput, staysResult });
		addLargeValues(tx, always.id, { input, result });
	}
	if (differ(row, head, IDENTITY_FIELDS)) {
		const { createdAt, executionId, fingerprint, externalId, alias } = head;
		const identity = { createdAt, executionId, fingerprint, externalId, alias };
		tx.sql.saveIdentity.run(given({ id: always.id, ...identity }));
	}
}

function differ(row: HeadRow, head: Head, fields: ReadonlyArray<keyof Head>): boolean {
	return fields.some((field) => row[field] !== (head[field] ?? null));
}
