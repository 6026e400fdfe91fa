import type { ImportCommand, ImportReply } from '../Store';
import type { Transaction } from './Transaction';

/** Records as done what was handled elsewhere. */
export function importRecord(tx: Transaction, command: ImportCommand): ImportReply {
	if (insert(tx, command)) return { status: 'imported' };
	if (tx.find(command)) return { status: 'exists' };
	tx.removeExpired(command);
	insert(tx, command);
	return { status: 'imported' };
}

/** Returns whether there was no record in the way. */
function insert(tx: Transaction, command: ImportCommand): boolean {
	const namespaceId = tx.namespaces.findOrAdd(command.namespace);
	const { changes } = tx.sql.insertImport.run(
		namespaceId,
		command.key,
		command.fingerprint ?? null,
		command.externalId ?? null,
		command.doneAt ?? tx.now,
		command.retention,
		tx.now,
		JSON.stringify([{ at: tx.now, kind: 'imported', attempt: 0 }]),
		command.result ?? null,
	);
	if (changes === 0) return false;
	tx.count(namespaceId, 'imported');
	tx.countDone(namespaceId, 1);
	return true;
}
