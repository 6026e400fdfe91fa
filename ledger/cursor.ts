import { InvalidRequestError } from './errors';
import type { EventAddress } from './records';
import type { RecordQuery } from './stores/RecordStore';
import { checkName, checkNamespace, checkTime } from './validate';

/** Where a page ended: enough to go on from there, and to notice a cursor of another list. */
export function encodeCursor(
	{ order }: RecordQuery,
	last: EventAddress & { createdAt: number; dueAt?: number },
): string {
	const time = order === 'created' ? last.createdAt : order === 'due' ? (last.dueAt ?? 0) : 0;
	return Buffer.from(JSON.stringify([order, time, last.namespace, last.key])).toString('base64url');
}

/** @throws InvalidRequestError if it is not what `encodeCursor` made for such a list: somebody may have made it up */
export function decodeCursor(
	{ order }: RecordQuery,
	cursor: string,
): NonNullable<RecordQuery['after']> {
	try {
		const [of, time, namespace, key] = parse(cursor);
		if (of === order) {
			return {
				time: checkTime(time, 'time'),
				namespace: checkNamespace(namespace),
				key: checkName(key, 'key'),
			};
		}
	} catch {
		// Whatever is wrong with it, the remedy is the same.
	}
	throw new InvalidRequestError(
		'The cursor does not belong to this list',
		'Use the cursor of the previous page, with the same filters',
	);
}

function parse(cursor: string): unknown[] {
	return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
}
