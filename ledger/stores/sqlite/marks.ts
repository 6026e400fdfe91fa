import type { Mark } from '../RecordStore';
import type { Transaction } from './Transaction';

/** Returns whether the mark was higher. */
export function raiseMark(tx: Transaction, mark: Mark): boolean {
	const namespaceId = tx.namespaces.findOrAdd(mark.namespace);
	const raised = tx.sql.raiseMark.get({
		namespaceId,
		object: mark.object,
		version: mark.version,
		expiresAt: tx.now + mark.retentionMs,
		now: tx.now,
	});
	if ((raised!.version as number) <= mark.version) return false;
	tx.count(namespaceId, 'stale');
	return true;
}
