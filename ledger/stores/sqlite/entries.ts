import { LAST_KEY } from './lists';
import type { Transaction } from './Transaction';

export interface EntryToPut {
	name: string;
	text: string;
	expiresAfterMs?: number;
	onlyIfMissing?: true;
}

/** Returns the text that is kept. */
export function putEntry(
	tx: Transaction,
	{ name, text, expiresAfterMs, onlyIfMissing }: EntryToPut,
): string {
	const put = tx.sql.putEntry.get({
		name,
		text,
		expiresAt: expiresAfterMs === undefined ? null : tx.now + expiresAfterMs,
		onlyIfMissing: onlyIfMissing ? 1 : 0,
		now: tx.now,
	});
	return (put ?? tx.sql.findEntry.get({ name })!).text as string;
}

export function readEntries(
	tx: Transaction,
	prefix: string,
): Array<{ name: string; text: string }> {
	const rows = tx.sql.findEntries.all({ prefix, last: prefix + LAST_KEY, now: tx.now });
	return rows.map(({ name, text }) => ({ name: name as string, text: text as string }));
}
