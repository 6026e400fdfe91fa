import * as fc from 'fast-check';

import { InvalidValueError, type LedgerError, ValueTooLargeError } from '../../../ledger/errors';
import type { JsonValue } from '../../../ledger/records';
import { decodeValue, encodeValue } from '../../../ledger/values';

const MIB = 1024 * 1024;

function encode(value: unknown, maxBytes = MIB): string {
	return encodeValue(value as JsonValue, 'result', maxBytes);
}

function refusal(value: unknown): LedgerError {
	try {
		encode(value);
	} catch (error) {
		return error as LedgerError;
	}
	throw new Error('It was not refused');
}

/** Text as people and machines write it: every character but NUL and halves of pairs. */
const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));

const json = fc.letrec<{ value: JsonValue }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 6 },
		text,
		// JSON knows no negative zero.
		fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
		fc.boolean(),
		fc.constant(null),
		fc.array(tie('value'), { maxLength: 8 }),
		fc.dictionary(text, tie('value'), { maxKeys: 8, noNullPrototype: true }),
	),
})).value;

describe('A value that is stored', () => {
	test('comes back exactly as it was', () => {
		fc.assert(
			fc.property(json, (value) => {
				expect(decodeValue(encode(value))).toStrictEqual(value);
			}),
			{ numRuns: 500 },
		);
	});

	test('comes back exactly as it was when it is large enough to be compressed', () => {
		fc.assert(
			fc.property(json, fc.integer({ min: 8100, max: 8300 }), (value, size) => {
				const large = { value, filler: 'x'.repeat(size) };
				const stored = encode(large);
				expect(decodeValue(stored)).toStrictEqual(large);
				if (JSON.stringify(large).length > 9000) expect(stored.length).toBeLessThan(size);
			}),
			{ numRuns: 100 },
		);
	});

	test('is readable JSON up to 8 KiB, and compressed above', () => {
		const fits = 'x'.repeat(8 * 1024 - 2);
		expect(encode(fits)).toBe(JSON.stringify(fits));
		expect(encode(`${fits}x`)).toMatch(/^gzip:[A-Za-z0-9+/]+=*$/);
		expect(decodeValue(encode(`${fits}x`))).toBe(`${fits}x`);
	});

	test('may be text that looks like a compressed value', () => {
		expect(decodeValue(encode('gzip:H4sI'))).toBe('gzip:H4sI');
	});

	test('never contains what Postgres cannot keep, even escaped', () => {
		fc.assert(
			fc.property(json, (value) => {
				const stored = encode(value);
				expect(stored).not.toContain('\\u0000');
				expect(stored).not.toMatch(/\p{Surrogate}/u);
			}),
		);
	});

	test.each([String.raw`\u0000`, String.raw`\ud83d`, String.raw`\\udfff`])(
		'may have the text %s in it, which is no such character',
		(written) => {
			const value = { [written]: [written, 'x'] };
			expect(encode(value)).toBe(JSON.stringify(value));
			expect(decodeValue(encode(value))).toStrictEqual(value);
		},
	);

	test('loses fields without a value, as JSON does, and nothing else', () => {
		expect(decodeValue(encode({ a: undefined, b: { c: undefined, d: null } }))).toEqual({
			b: { d: null },
		});
	});

	test('may occur twice in the data, as long as it does not contain itself', () => {
		const shared = { x: 1 };
		expect(decodeValue(encode([shared, shared, { shared }]))).toEqual([shared, shared, { shared }]);
	});

	test('may have no prototype', () => {
		const bare = Object.assign(Object.create(null) as Record<string, JsonValue>, { a: 1 });
		expect(decodeValue(encode(bare))).toEqual({ a: 1 });
	});
});

describe('A value is refused', () => {
	test.each([
		['undefined', undefined],
		['NaN', NaN],
		['Infinity', [Infinity]],
		['a BigInt', 1n],
		['a function', { f: () => 1 }],
		['a symbol', Symbol('s')],
		['a date', new Date()],
		['a map', { map: new Map() }],
		['a buffer', Buffer.from('x')],
		['a regular expression', /x/],
		['a boxed string', Object('x')],
		['an instance of a class', new (class Order {})()],
		['a hole in a list', Array(3)],
		['NUL in a text', { a: ['b\0c'] }],
		['NUL in a name', { 'a\0': 1 }],
		['half of a pair', '\ud83d!'],
		['the other half in a name', { '\ude00': 1 }],
	])('when it is or contains %s', (_, value) => {
		const error = refusal(value);
		expect(error).toBeInstanceOf(InvalidValueError);
		expect(error.remedy).not.toBe('');
	});

	test('when it contains itself', () => {
		const loop: Record<string, unknown> = {};
		loop.deep = [{ loop }];
		expect(refusal(loop)).toBeInstanceOf(InvalidValueError);
	});

	test('when it is too deep, and accepted just before', () => {
		const nest = (depth: number) => {
			let value: JsonValue = 1;
			for (let i = 0; i < depth; i++) value = [value];
			return value;
		};
		expect(decodeValue(encode(nest(500)))).toEqual(nest(500));
		expect(refusal(nest(501))).toBeInstanceOf(InvalidValueError);
		expect(refusal(nest(100_000))).toBeInstanceOf(InvalidValueError);
	});

	test('with the place of what is wrong', () => {
		const { message } = refusal({ orders: [{ total: 1 }, { total: NaN }] });
		expect(message).toContain('result.orders[1].total');
		expect(message).toContain('NaN');
	});

	test.each([
		['NUL', { a: [{ b: 'x\0' }] }, 'result.a[0].b contains a NUL'],
		['half of a pair', { a: ['x', '\ude00\ud83d'] }, 'result.a[1] contains a NUL'],
		['what is only text, and after it NUL', [String.raw`\u0000`, '\0'], 'result[1] contains a NUL'],
	])('with the place of the text: %s', (_, value, message) => {
		expect(refusal(value).message).toContain(message);
	});

	test('for what is wrong first, whatever else is', () => {
		expect(refusal({ a: 'x\0', b: NaN }).message).toContain('result.a contains');
		expect(refusal({ a: NaN, b: 'x\0' }).message).toContain('result.a is not JSON');
	});

	test('when its JSON has one byte too many, however it is compressed', () => {
		expect(decodeValue(encode('x'.repeat(98), 100))).toBe('x'.repeat(98));
		expect(() => encode('x'.repeat(99), 100)).toThrow(ValueTooLargeError);
		expect(() => encode('水'.repeat(33), 100)).toThrow('101 bytes');
		expect(() => encode('x'.repeat(MIB))).toThrow(ValueTooLargeError);
	});
});
