import fc from 'fast-check';

import { normalise, NORMALISE_RULES, timeOf, type NormaliseRule } from '../../../keys/normalise';

describe('normalise', () => {
	it.each<[NormaliseRule[], unknown, unknown]>([
		[['trim'], '  a b \n', 'a b'],
		[['collapse'], 'a \t\u00a0\n b', 'a b'],
		[['lower'], 'ÄpFeL', 'äpfel'],
		[['upper'], 'straße', 'STRASSE'],
		[['nfc'], 'cafe\u0301', 'caf\u00e9'],
		[['number'], ' 0010.50 ', 10.5],
		[['number'], '1e3', 1000],
		[['number'], 10.5, 10.5],
		[['date'], '2026-11-16T09:30:00+01:00', '2026-11-16T08:30:00.000Z'],
		[['date'], '2026-11-16 09:30', '2026-11-16T09:30:00.000Z'],
		[['date'], '2026-11-16', '2026-11-16T00:00:00.000Z'],
		[['date'], 'Mon, 16 Nov 2026 09:30:00 GMT', '2026-11-16T09:30:00.000Z'],
		[['date'], 1794821400, '2026-11-16T09:30:00.000Z'],
		[['date'], 1794821400000, '2026-11-16T09:30:00.000Z'],
		[['date'], new Date(0), '1970-01-01T00:00:00.000Z'],
		[['dropEmpty'], '  ', undefined],
		[['dropEmpty'], 0, 0],
		[['lower', 'trim'], '  A ', 'a'],
		[['trim'], 5, 5],
		[[], ' a ', ' a '],
	])('%j turns %j into %j', (rules, value, expected) => {
		expect(normalise(value, rules)).toEqual(expected);
	});

	it('reaches into lists and objects, but leaves the names of fields alone', () => {
		expect(
			normalise({ ' A ': [' X ', null], empty: { '': '' } }, ['trim', 'lower', 'dropEmpty']),
		).toEqual({ ' A ': ['x'] });
	});

	it.each<[NormaliseRule, unknown, RegExp]>([
		['number', '1.234,50', /'1.234,50' is not a number/],
		['number', '12 EUR', /is not a number/],
		['number', '12345678901234567890', /more digits than a number can hold exactly/],
		['number', '0.1234567890123456789', /more digits/],
		['date', 'next Tuesday', /is not a date/],
		['date', '16.11.2026', /is not a date/],
		['date', true, /is not a date/],
	])('%s refuses %j', (rule, value, message) => {
		expect(() => normalise(value, [rule])).toThrow(message);
	});

	it('does not depend on the time zone of the host', () => {
		expect(timeOf('2026-11-16T09:30')).toBe(Date.UTC(2026, 10, 16, 9, 30));
	});

	it('composes characters after a change of case, too', () => {
		expect(normalise('\u1fe7', ['nfc', 'upper'])).toBe('\u03ab\u0342');
	});

	it('changes nothing more when it is done twice', () => {
		const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
		const text = fc.string({ unit });
		const rules = fc.subarray<NormaliseRule>(
			NORMALISE_RULES.filter((rule) => rule !== 'number' && rule !== 'date'),
		);
		fc.assert(
			fc.property(text, rules, (value, chosen) => {
				const once = normalise(value, chosen);
				expect(normalise(once, chosen)).toBe(once);
			}),
		);
	});
});
