import * as fc from 'fast-check';

import { InvalidNameError, InvalidRequestError } from '../../../ledger/errors';
import {
	checkDuration,
	checkFinite,
	checkInteger,
	checkName,
	checkNamespace,
	checkOneOf,
	checkTime,
	readable,
} from '../../../ledger/validate';

describe('Names', () => {
	test('may be in any script, with any sign, up to 512 characters', () => {
		const names = ['a', ' a ', 'ä', '水', '😀', 'a b', '"\'\\%_*{}[]:/'];
		for (const name of [...names, 'x'.repeat(512), '水'.repeat(512), '😀'.repeat(256)]) {
			expect(checkName(name, 'key')).toBe(name);
		}
	});

	test.each([
		['empty', ''],
		['blank', ' \u00a0\u3000'],
		['missing', undefined],
		['null', null],
		['a number', 7],
		['an object', {}],
		['too long', 'x'.repeat(513)],
		['a text with NUL', 'a\0'],
		['a text with a line break', 'a\nb'],
		['a text with a tab', 'a\tb'],
		['a text with a C1 control', 'a\u009fb'],
		['half of a surrogate pair', 'a\ud83d'],
		['two halves in the wrong order', '\ude00\ud83d'],
	])('may not be %s', (_, name) => {
		expect(() => checkName(name, 'key')).toThrow(InvalidNameError);
		expect(() => checkNamespace(name)).toThrow(InvalidNameError);
	});

	test('the message says which name is wrong', () => {
		expect(() => checkName('', 'step')).toThrow('The step is empty');
		expect(() => checkName('x'.repeat(600), 'gate')).toThrow('The gate has 600 characters');
	});

	test('a namespace has at most 1,024 bytes', () => {
		expect(checkNamespace('x'.repeat(512))).toHaveLength(512);
		expect(checkNamespace('水'.repeat(341))).toHaveLength(341);
		expect(() => checkNamespace('水'.repeat(342))).toThrow(InvalidNameError);
	});
});

describe('Numbers', () => {
	test('a duration is whole, positive and at most ten years', () => {
		const tenYears = 10 * 365 * 24 * 60 * 60 * 1000;
		expect([checkDuration(1, 'lease'), checkDuration(tenYears, 'lease')]).toEqual([1, tenYears]);
		for (const bad of [0, -1, 1.5, NaN, Infinity, tenYears + 1, '5', null, undefined, 5n]) {
			expect(() => checkDuration(bad, 'lease')).toThrow(InvalidRequestError);
		}
		expect(checkDuration(0, 'delay', 0)).toBe(0);
		expect(() => checkDuration(-1, 'lease')).toThrow('The lease is -1');
	});

	test('a time is whole and between 1970 and the year 9999', () => {
		expect(checkTime(Date.parse('2026-01-01'), 'time')).toBe(Date.parse('2026-01-01'));
		for (const bad of [-1, 1.5, 1e18, NaN, '0', new Date()]) {
			expect(() => checkTime(bad, 'time')).toThrow(InvalidRequestError);
		}
	});

	test('an integer is within its bounds, which the remedy names', () => {
		expect(checkInteger(3, 'limit', 3, 3)).toBe(3);
		for (const bad of [2, 4, 3.5, '3']) {
			expect(() => checkInteger(bad, 'limit', 3, 3)).toThrow(InvalidRequestError);
		}
		expect(() => checkInteger(0, 'limit', 1, 10)).toThrow(
			expect.objectContaining({ remedy: 'Use a whole number from 1 to 10' }),
		);
	});

	test('a version is any finite number', () => {
		for (const version of [0, -1, 1.5, 1e300, Number.MIN_VALUE]) {
			expect(checkFinite(version, 'version')).toBe(version);
		}
		for (const bad of [NaN, Infinity, '1', null, undefined, 1n]) {
			expect(() => checkFinite(bad, 'version')).toThrow(InvalidRequestError);
		}
	});

	test('a choice is one of the allowed', () => {
		expect(checkOneOf('a', 'choice', ['a', 'b'])).toBe('a');
		expect(() => checkOneOf('c', 'choice', ['a', 'b'])).toThrow(
			expect.objectContaining({ remedy: 'Use one of: a, b' }),
		);
	});
});

describe('Text for people', () => {
	test('is cleaned rather than refused', () => {
		expect(readable('  a\r\n\tb\0c\ud800d ')).toBe('a b c d');
		expect(readable('水 😀')).toBe('水 😀');
		expect(readable([{ toString: 0 }])).toBe('something that cannot be shown as text');
	});

	test('is cut, but never through a character', () => {
		expect(readable('x'.repeat(2000))).toHaveLength(2000);
		expect(readable('x'.repeat(2001))).toBe(`${'x'.repeat(1999)}…`);
		expect(readable('😀'.repeat(1001))).toBe(`${'😀'.repeat(999)}…`);
		expect(readable(`x${'😀'.repeat(1001)}`)).toBe(`x${'😀'.repeat(999)}…`);
	});

	test('is always something that every store can keep', () => {
		fc.assert(
			fc.property(fc.anything(), fc.string({ unit: 'binary', minLength: 1900 }), (any, long) => {
				for (const text of [readable(any), readable(long)]) {
					expect(text.length).toBeLessThanOrEqual(2000);
					expect(text).not.toMatch(/\p{Surrogate}/u);
					expect(text).not.toMatch(/\p{Cc}/u);
				}
			}),
			{ numRuns: 200 },
		);
	});
});
