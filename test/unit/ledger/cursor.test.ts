import * as fc from 'fast-check';

import { decodeCursor, encodeCursor } from '../../../ledger/cursor';
import { InvalidRequestError } from '../../../ledger/errors';
import type { EventSummary } from '../../../ledger/records';
import { NEVER, type RecordQuery } from '../../../ledger/stores/RecordStore';

const ORDERS = ['key', 'due', 'created'] as const;

function query(order: RecordQuery['order']): RecordQuery {
	return { order, limit: 10 };
}

function event(fields: Partial<EventSummary>): EventSummary {
	return { namespace: 'ns', key: 'k', createdAt: 1, dueAt: 2, ...fields } as EventSummary;
}

/** The text that such a cursor would be. */
function made(...parts: unknown[]): string {
	return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

describe('A cursor', () => {
	test('says where the page ended', () => {
		const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '');
		fc.assert(
			fc.property(
				fc.constantFrom(...ORDERS),
				name,
				name,
				fc.nat(),
				(order, namespace, key, time) => {
					const last = event({ namespace, key, createdAt: time, dueAt: time });
					const after = decodeCursor(query(order), encodeCursor(query(order), last));
					expect(after).toEqual({ time: order === 'key' ? 0 : time, namespace, key });
				},
			),
		);
	});

	test('keeps the time that the list is ordered by', () => {
		const last = event({ createdAt: 111, dueAt: NEVER });
		expect(decodeCursor(query('created'), encodeCursor(query('created'), last)).time).toBe(111);
		expect(decodeCursor(query('due'), encodeCursor(query('due'), last)).time).toBe(NEVER);
	});

	test('can be put into a URL', () => {
		const cursor = encodeCursor(query('key'), event({ namespace: '水?&', key: '😀/+ä' }));
		expect(cursor).toMatch(/^[\w-]+$/);
	});

	test('of a list in another order is refused', () => {
		const cursor = encodeCursor(query('created'), event({}));
		expect(() => decodeCursor(query('due'), cursor)).toThrow(InvalidRequestError);
	});

	test.each([
		['nothing', ''],
		['nonsense', 'nonsense'],
		['another thing', Buffer.from('{"order":"created"}').toString('base64url')],
		['a number', Buffer.from('7').toString('base64url')],
		['null', Buffer.from('null').toString('base64url')],
		['one that lacks the key', made('created', 1, 'ns')],
		['one with a broken time', made('created', 1.5, 'ns', 'k')],
		['one with a time out of reach', made('created', 1e300, 'ns', 'k')],
		['one with a negative time', made('created', -1, 'ns', 'k')],
		['one with text for a time', made('created', '1', 'ns', 'k')],
		['one with NUL in the key', made('created', 1, 'ns', 'k\0')],
		['one with half of a pair in the namespace', made('created', 1, '\ud800', 'k')],
	])('that is %s is refused', (_, cursor) => {
		expect(() => decodeCursor(query('created'), cursor)).toThrow(InvalidRequestError);
	});
});
