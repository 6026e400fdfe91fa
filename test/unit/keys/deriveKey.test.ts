import fc from 'fast-check';

import { deriveKey, KEY_LIMIT, type Component } from '../../../keys/deriveKey';
import { sha256 } from '../../../keys/hash';
import { checkName } from '../../../ledger/validate';

function components(...values: unknown[]): Component[] {
	return values.map((value, i) => ({ name: `c${i + 1}`, value }));
}

function keyOf(...values: unknown[]): string {
	return deriveKey('composite', components(...values)).key;
}

describe('deriveKey', () => {
	it('is versioned, says what it is made of and stays readable', () => {
		expect(deriveKey('shopify', components('orders/paid', 17, '2026-11-16T09:30:00Z'))).toEqual({
			key: 'v1:shopify:orders/paid|17|2026-11-16T09:30:00Z',
			components: { c1: 'orders/paid', c2: '17', c3: '2026-11-16T09:30:00Z' },
		});
	});

	it('does not let the parts of components run into each other', () => {
		expect(keyOf('a:b', 'c')).not.toBe(keyOf('a', 'b:c'));
		expect(keyOf('a|b', 'c')).not.toBe(keyOf('a', 'b|c'));
		expect(keyOf('a%7Cb')).not.toBe(keyOf('a|b'));
		expect(keyOf('a|b')).toBe('v1:composite:a%7Cb');
	});

	it('keeps the place of an optional component that is missing', () => {
		const optional = (first: unknown, second: unknown) =>
			deriveKey('composite', [
				{ name: 'first', value: first, optional: true },
				{ name: 'second', value: second, optional: true },
			]);
		expect(optional('a', '').key).toBe('v1:composite:a|');
		expect(optional(undefined, 'a').key).toBe('v1:composite:|a');
		expect(optional(undefined, 'a').components).toEqual({ second: 'a' });
		expect(() => optional(null, ' ')).toThrow(/no component with a value/);
	});

	it.each([
		['undefined', undefined, /'c1' is missing/],
		['null', null, /'c1' is missing/],
		['empty text', '', /'c1' is empty/],
		['white space', ' \t\u00a0', /'c1' is empty/],
		['an empty list', [], /'c1' is empty/],
		['an empty object', {}, /'c1' is empty/],
		['a list', ['a'], /'c1' is a list, but a single value is needed/],
		['an object', { id: 1 }, /'c1' is an object, but a single value is needed/],
		['not a number', NaN, /a value is missing/],
		['the text undefined', 'undefined', /a value is missing/],
		['a part that was missing', 'order-undefined', /a value is missing/],
		['a part that was null', 'null_17', /a value is missing/],
		['an object as text', 'order [object Object]', /a value is missing/],
		['half of a character', 'a\ud83d', /half of a character/],
	])('refuses %s: a hole is never part of a key', (_what, value, message) => {
		expect(() => keyOf(value)).toThrow(message);
		expect(() => keyOf(value, 'b')).toThrow(message);
	});

	it('accepts words that contain the name of a hole', () => {
		expect(keyOf('nullable')).toBe('v1:composite:nullable');
		expect(keyOf('Nan')).toBe('v1:composite:Nan');
		expect(keyOf('null pointer')).toBe('v1:composite:null pointer');
	});

	it('writes single values that are no text', () => {
		expect(keyOf(0, false, 10.5, -0, 12345678901234567890n)).toBe(
			'v1:composite:0|false|10.5|0|12345678901234567890',
		);
		expect(keyOf(new Date(0))).toBe('v1:composite:1970-01-01T00:00:00.000Z');
		expect(keyOf({ toJSDate: () => new Date(0) })).toBe('v1:composite:1970-01-01T00:00:00.000Z');
	});

	it('shows what cannot be seen', () => {
		expect(keyOf('a\nb\u0000c\u200bd\u202e')).toBe('v1:composite:a%0Ab%00c%E2%80%8Bd%E2%80%AE');
	});

	it('tells letters apart that are typed in two ways', () => {
		expect(keyOf('caf\u00e9')).not.toBe(keyOf('cafe\u0301'));
	});

	it('gives long keys a readable head and a hash', () => {
		const long = 'x'.repeat(1000);
		const { key } = deriveKey('field', components(long));
		expect(key).toHaveLength(KEY_LIMIT);
		expect(key).toMatch(/^v1:field:x+~[0-9a-f]{64}$/);
		expect(keyOf(`${long}1`)).not.toBe(keyOf(`${long}2`));
		expect(keyOf('x'.repeat(KEY_LIMIT - 'v1:composite:'.length))).not.toContain('~');
	});

	it('cannot be given a short key that looks like a long one', () => {
		const long = keyOf('y'.repeat(1000));
		expect(keyOf(long.slice('v1:composite:'.length))).not.toBe(long);
	});

	it('hashes on request, and then shows nothing', () => {
		const { key } = deriveKey('field', components('ann@example.com'), { hash: true });
		expect(key).toBe(`v1:field:~${sha256('ann@example.com')}`);
	});

	it('keeps components with the same or a dangerous name', () => {
		const { components: kept } = deriveKey('composite', [
			{ name: 'id', value: 1 },
			{ name: 'id', value: 2 },
			{ name: '__proto__', value: 3 },
		]);
		expect(Object.entries(kept)).toEqual([
			['id', '1'],
			['id 2', '2'],
			['__proto__', '3'],
		]);
	});
});

/** All of UTF-16, with control characters and halves of pairs. */
const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

const scalar = fc.oneof(
	fc.string({ unit, minLength: 1, maxLength: 700 }),
	fc.constantFrom('a', 'b', ':', '|', '%', '~', 'a|b', '%7C', 'a:b', '~~'),
	fc.integer(),
	fc.boolean(),
);

/** Whatever text a component has: refused, or part of a key that the ledger takes. */
function tryKey(values: unknown[]): string | undefined {
	try {
		return keyOf(...values);
	} catch {
		return undefined;
	}
}

describe('deriveKey: properties', () => {
	it('always gives a name that the ledger accepts', () => {
		fc.assert(
			fc.property(fc.array(scalar, { minLength: 1, maxLength: 5 }), (values) => {
				const key = tryKey(values);
				if (key !== undefined) expect(checkName(key, 'key')).toBe(key);
			}),
		);
	});

	it('gives different components different keys', () => {
		fc.assert(
			fc.property(
				fc.array(scalar, { minLength: 1, maxLength: 4 }),
				fc.array(scalar, { minLength: 1, maxLength: 4 }),
				(a, b) => {
					const [first, second] = [tryKey(a), tryKey(b)];
					if (first === undefined || second === undefined) return;
					const equal = JSON.stringify(a.map(String)) === JSON.stringify(b.map(String));
					expect(first === second).toBe(equal);
				},
			),
			{ numRuns: 1000 },
		);
	});
});
