import type { FullRecord, Part, Wanted } from '../RecordStore';
import { toStored } from './rows';
import type { Transaction } from './Transaction';

export function read(tx: Transaction, wanted: Wanted): FullRecord | undefined {
	const row = tx.find(wanted);
	if (!row) return undefined;
	const { id } = row;
	const record: FullRecord = toStored(row, wanted.namespace);
	if (wanted.values) {
		const { input, result } = tx.sql.findValues.get({ id })!;
		if (typeof input === 'string') record.input = input;
		if (typeof result === 'string') record.result = result;
	}
	if (wanted.parts) record.parts = readParts(tx, id, wanted.parts);
	if (wanted.history) record.history = tx.sql.findHistory.get({ id })!.history as string;
	return record;
}

function readParts(tx: Transaction, id: number, names: 'all' | string[]): Part[] {
	const rows =
		names === 'all'
			? tx.sql.findParts.all({ id })
			: names.map((name) => tx.sql.findPart.get({ id, name })).filter((row) => row !== undefined);
	return rows.map(({ name, text, externalId }) => ({
		name: name as string,
		text: text as string,
		...(typeof externalId === 'string' && { externalId }),
	}));
}
