import type { Transaction } from './Transaction';

/** SQLite writes a row again as a whole, whatever changes in it: longer values are not in it. In characters. */
const LARGEST_IN_ROW = 4000;

interface Values {
	input?: string | null;
	result?: string | null;
}

export function hasLargeValue({ input, result }: Values): boolean {
	return isLarge(input) || isLarge(result);
}

/** What the row of the record has of it. */
export function inRow(text: string | null | undefined): string | null {
	return text === undefined || isLarge(text) ? null : text;
}

/** Those of a record that has none of them yet. */
export function addLargeValues(tx: Transaction, id: number, { input, result }: Values): void {
	if (isLarge(input)) tx.sql.putLargeValue.run({ id, name: 'input', text: input });
	if (isLarge(result)) tx.sql.putLargeValue.run({ id, name: 'result', text: result });
}

function isLarge(text: string | null | undefined): text is string {
	return typeof text === 'string' && text.length > LARGEST_IN_ROW;
}
