import fc from 'fast-check';

import { canonicalJson } from '../../../keys/canonicalJson';
import { KeyError } from '../../../keys/errors';

/** The double with this bit pattern, as appendix B of the RFC writes them. */
function double(hex: string): number {
	return Buffer.from(hex, 'hex').readDoubleBE();
}

describe('canonicalJson: the examples of RFC 8785', () => {
	it('section 3.2.2: literals, numbers and strings', () => {
		const input = String.raw`{
			"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			"literals": [null, true, false]
		}`;
		expect(canonicalJson(JSON.parse(input))).toBe(
			String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		);
	});

	it('section 3.2.3: fields in the order of UTF-16 code units', () => {
		const input = {
			'\u20ac': 'Euro Sign',
			'\r': 'Carriage Return',
			'\ufb33': 'Hebrew Letter Dalet With Dagesh',
			'1': 'One',
			'\ud83d\ude00': 'Emoji: Grinning Face',
			'\u0080': 'Control',
			'\u00f6': 'Latin Small Letter O With Diaeresis',
		};
		expect(Object.values(JSON.parse(canonicalJson(input)) as object)).toHaveLength(7);
		expect(canonicalJson(input).match(/:"[^"]+"/g)).toEqual([
			':"Carriage Return"',
			':"One"',
			':"Control"',
			':"Latin Small Letter O With Diaeresis"',
			':"Euro Sign"',
			':"Emoji: Grinning Face"',
			':"Hebrew Letter Dalet With Dagesh"',
		]);
	});

	it.each([
		['0000000000000000', '0'],
		['8000000000000000', '0'],
		['0000000000000001', '5e-324'],
		['8000000000000001', '-5e-324'],
		['7fefffffffffffff', '1.7976931348623157e+308'],
		['ffefffffffffffff', '-1.7976931348623157e+308'],
		['4340000000000000', '9007199254740992'],
		['c340000000000000', '-9007199254740992'],
		['4430000000000000', '295147905179352830000'],
		['44b52d02c7e14af5', '9.999999999999997e+22'],
		['44b52d02c7e14af6', '1e+23'],
		['44b52d02c7e14af7', '1.0000000000000001e+23'],
		['444b1ae4d6e2ef4e', '999999999999999700000'],
		['444b1ae4d6e2ef4f', '999999999999999900000'],
		['444b1ae4d6e2ef50', '1e+21'],
		['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
		['3eb0c6f7a0b5ed8d', '0.000001'],
		['41b3de4355555553', '333333333.3333332'],
		['41b3de4355555554', '333333333.33333325'],
		['41b3de4355555555', '333333333.3333333'],
		['41b3de4355555556', '333333333.3333334'],
		['41b3de4355555557', '333333333.33333343'],
		['becbf647612f3696', '-0.0000033333333333333333'],
		['43143ff3c1cb0959', '1424953923781206.2'],
	])('appendix B: the number %s is %s', (hex, text) => {
		expect(canonicalJson(double(hex))).toBe(text);
	});

	it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
		'appendix B: %s is no JSON',
		(hex) => {
			expect(() => canonicalJson({ total: double(hex) })).toThrow(/'total' is (NaN|-?Infinity)/);
		},
	);
});

describe('canonicalJson: what others got wrong', () => {
	it('keeps fields apart that differ in case only, in every order', () => {
		expect(canonicalJson({ a: 1, A: 2 })).toBe('{"A":2,"a":1}');
		expect(canonicalJson({ A: 2, a: 1 })).toBe('{"A":2,"a":1}');
	});

	it('treats a field called __proto__ as one like any other', () => {
		const polluted = JSON.parse('{"__proto__":{"admin":true},"a":1}') as object;
		expect(canonicalJson(polluted)).toBe('{"__proto__":{"admin":true},"a":1}');
		expect(canonicalJson(polluted)).not.toBe(canonicalJson({ a: 1 }));
	});

	it('does not unify text that only looks the same', () => {
		expect(canonicalJson('caf\u00e9')).not.toBe(canonicalJson('cafe\u0301'));
	});

	it('tells a number from its text, and null from a missing field', () => {
		expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
		expect(canonicalJson({ a: null })).not.toBe(canonicalJson({}));
	});

	it('leaves out fields without a value and asks dates for their JSON', () => {
		expect(canonicalJson({ a: undefined, at: new Date(0) })).toBe(
			'{"at":"1970-01-01T00:00:00.000Z"}',
		);
	});

	it.each([
		['half of a surrogate pair', { a: '\ud83d' }, /half of a surrogate pair/],
		['one in the name of a field', { '\udc00': 1 }, /half of a surrogate pair/],
		['a hole in a list', { list: [1, undefined] }, /'list\[1\]' has no value/],
		['a sparse list', { list: Array(1) }, /'list\[0\]' has no value/],
		['a function', { f: () => 1 }, /'f' is a function/],
		['a big integer', { n: 1n }, /'n' is a bigint/],
		['nothing at all', undefined, /The data has no value/],
	])('refuses %s', (_what, value, message) => {
		expect(() => canonicalJson(value)).toThrow(message);
		expect(() => canonicalJson(value)).toThrow(KeyError);
	});

	it('refuses what contains itself or is nested without end, but not what is used twice', () => {
		const loop: Record<string, unknown> = {};
		loop.self = { loop };
		expect(() => canonicalJson(loop)).toThrow(/contains itself/);

		let deep: unknown = 1;
		for (let i = 0; i < 100_000; i++) deep = [deep];
		expect(() => canonicalJson(deep)).toThrow(/nested more than 500 levels/);

		const shared = { x: 1 };
		expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
	});

	it.each([
		['in a list of a list', { list: [[1], [2, NaN]] }, "'list[1][1]'"],
		['after another that has fields of its own', { a: { b: [{}] }, c: { d: NaN } }, "'c.d'"],
		['at the top of a list', [{}, NaN], "'[1]'"],
		['in the name of a field, by the object', { a: { b: { '\ud83d': 1 } } }, "'a.b'"],
	])('says where it is: %s', (_where, value, place) => {
		expect(() => canonicalJson(value)).toThrow(`The field ${place} `);
	});

	it('writes half of a surrogate pair on request, still differently for different text', () => {
		const lenient = (value: unknown) => canonicalJson(value, { loneSurrogates: 'escape' });
		expect(lenient('\ud83d')).toBe(String.raw`"\ud83d"`);
		expect(lenient('\ud83d')).not.toBe(lenient(String.raw`\ud83d`));
	});
});

/** JSON data without text that RFC 8785 refuses. */
const json = fc.jsonValue({ stringUnit: 'grapheme' });

/** The same data with the fields of all objects the other way round. */
function reversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reversed);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([name, field]) => [name, reversed(field)]),
	);
}

/** Every character, and those more often that mean something in JSON. */
const anyText = fc.string({
	unit: fc.oneof(
		fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
		fc.constantFrom('"', '\\', 'u', '\n', '\x1f', '\x7f', '\u2028', '\ud83d', '\ude00', 'a'),
	),
});

describe('canonicalJson: properties', () => {
	it('writes every text and number as JSON does', () => {
		const number = fc.double({ noNaN: true, noDefaultInfinity: true });
		fc.assert(
			fc.property(fc.oneof(anyText, number), (value) => {
				expect(canonicalJson(value, { loneSurrogates: 'escape' })).toBe(JSON.stringify(value));
			}),
			{ numRuns: 1000 },
		);
	});

	it('does not depend on the order of fields', () => {
		fc.assert(
			fc.property(json, (value) => canonicalJson(reversed(value)) === canonicalJson(value)),
		);
	});

	it('can be read back, and is then the same text', () => {
		fc.assert(
			fc.property(json, (value) => {
				const text = canonicalJson(value);
				expect(canonicalJson(JSON.parse(text))).toBe(text);
				expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
			}),
		);
	});

	it('is different for different data', () => {
		fc.assert(
			fc.property(json, json, (a, b) => {
				const same = canonicalJson(a) === canonicalJson(b);
				const equal = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
				expect(same).toBe(equal);
			}),
		);
	});
});

/** An independent way to bring fields into one order. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([name, field]) => ({ name, field: sorted(field) }));
	return { fields };
}

describe('canonicalJson: plain data, which it does not write itself', () => {
	/** By the book, with nothing saved. */
	function byTheBook(value: unknown): string {
		if (typeof value !== 'object' || value === null) return JSON.stringify(value);
		if (Array.isArray(value)) return `[${value.map(byTheBook).join()}]`;
		const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
		return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${byTheBook(field)}`).join()}}`;
	}

	/** Names with and without an order of their own in objects, which repeat from value to value. */
	const name = fc.oneof(
		fc.constantFrom(
			'a',
			'b',
			'id',
			'B',
			'10',
			'9',
			'-1',
			'1.5',
			'__proto__',
			'toJSON',
			'é',
			'\ud83d\ude00',
		),
		fc.string({ unit: 'binary' }),
	);
	const leaf = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.constantFrom(null, true, false, '"', '\\', '\\ud83d', '\n'),
	);
	const { tree } = fc.letrec((tie) => ({
		tree: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
		list: fc.array(tie('tree'), { maxLength: 4 }),
		object: fc.dictionary(name, tie('tree'), { maxKeys: 6, noNullPrototype: true }),
	}));

	it('is the same as by the book, whatever came before', () => {
		fc.assert(
			fc.property(fc.array(tree, { maxLength: 4 }), (values) => {
				for (const value of values) expect(canonicalJson(value)).toBe(byTheBook(value));
			}),
			{ numRuns: 2000 },
		);
	});

	it('has only fields of its own, whatever somebody added to all objects', () => {
		const everything = Object.prototype as Record<string, unknown>;
		everything.added = 'by another package';
		try {
			expect(canonicalJson({ b: { a: 1 }, a: [{}] })).toBe('{"a":[{}],"b":{"a":1}}');
		} finally {
			delete everything.added;
		}
	});
});
