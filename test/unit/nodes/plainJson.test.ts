import { plainJson } from '../../../nodes/shared/item/plainJson';

const claim = { key: 'k', attempt: 1, claimed: true };

describe('plainJson', () => {
	it('is what JSON makes of a value', () => {
		const value = { at: new Date(0), nothing: undefined, list: [undefined], nested: { n: 1 } };
		expect(plainJson(value)).toStrictEqual({
			at: '1970-01-01T00:00:00.000Z',
			list: [null],
			nested: { n: 1 },
		});
	});

	it.each([
		['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
		['a field without a value', { nothing: undefined, n: 1 }, { n: 1 }],
		['a hole in a list', { list: Array(1) }, { list: [null] }],
		['a number that JSON does not know', { n: NaN }, { n: null }],
		['what knows its own JSON', { toJSON: () => ({ n: 1 }) }, { n: 1 }],
		['a map', { map: new Map([[1, 2]]) }, { map: {} }],
	])('finds %s, also when all else is plain', (_, value, plain) => {
		expect(plainJson({ id: 1, value })).toStrictEqual({ id: 1, value: plain });
	});

	it('leaves out claims, however deep', () => {
		const value = { id: 1, idempotency: claim, items: [{ id: 2, idempotency: claim }] };
		expect(plainJson(value)).toStrictEqual({ id: 1, items: [{ id: 2 }] });
	});

	it('keeps what only has the name or the word', () => {
		const value = {
			idempotency: 'a text',
			note: '"idempotency"',
			inner: { idempotency: { key: 'k' } },
		};
		expect(plainJson(value)).toStrictEqual(value);
	});
});
