import { KeyError } from './errors';
import { isObject } from './path';

/** In the order in which they are applied, whatever the order in which they were chosen. */
export const NORMALISE_RULES = [
	'nfc',
	'collapse',
	'trim',
	'lower',
	'upper',
	'number',
	'date',
	'dropEmpty',
] as const;
export type NormaliseRule = (typeof NORMALISE_RULES)[number];

/**
 * Makes different ways to write one value equal. Lists and objects are normalised value by value; the
 * names of fields stay as they are. `undefined` means: dropped because it is empty.
 *
 * @throws KeyError if a value is not the number or date that it was said to be
 */
export function normalise(value: unknown, rules: readonly NormaliseRule[]): unknown {
	if (rules.length === 0) return value;
	let result = value;
	if (Array.isArray(value)) {
		result = value.map((element) => normalise(element, rules)).filter((e) => e !== undefined);
	} else if (isObject(value) && !asDate(value)) {
		const fields = Object.entries(value).map(([name, field]) => [name, normalise(field, rules)]);
		result = Object.fromEntries(fields.filter(([, field]) => field !== undefined));
	} else {
		for (const rule of NORMALISE_RULES) {
			if (rules.includes(rule) && rule !== 'dropEmpty') result = applyToLeaf[rule](result);
		}
		// A change of case may take apart what was put together.
		if (rules.includes('nfc')) result = applyToLeaf.nfc(result);
	}
	return rules.includes('dropEmpty') && isEmpty(result) ? undefined : result;
}

/** Nothing that could tell one event from another: no value, blank text, an empty list or object. */
export function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	if (Array.isArray(value)) return value.length === 0;
	return isObject(value) && !asDate(value) && Object.keys(value).length === 0;
}

/** A Date, or a luxon DateTime as n8n's expressions make them. */
export function asDate(value: unknown): Date | undefined {
	if (value instanceof Date) return value;
	if (!isObject(value) || typeof value.toJSDate !== 'function') return undefined;
	return (value as { toJSDate(): Date }).toJSDate();
}

const applyToLeaf: Record<Exclude<NormaliseRule, 'dropEmpty'>, (value: unknown) => unknown> = {
	nfc: (value) => (typeof value === 'string' ? value.normalize('NFC') : value),
	collapse: (value) => (typeof value === 'string' ? value.replace(/\s+/gu, ' ') : value),
	trim: (value) => (typeof value === 'string' ? value.trim() : value),
	// Never toLocaleLowerCase: the key must not depend on the language of the machine.
	lower: (value) => (typeof value === 'string' ? value.toLowerCase() : value),
	upper: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
	number: toNumber,
	date: toIsoDate,
};

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** More digits than a number can tell apart would make different values equal. */
const EXACT_DIGITS = 15;

function toNumber(value: unknown): unknown {
	if (typeof value !== 'string' || value.trim() === '') return value;
	const text = value.trim();
	if (!DECIMAL.test(text)) {
		throw new KeyError(
			`'${shorten(text)}' is not a number`,
			'Use digits with a point as in 1234.50, without thousands separators, units or currency',
		);
	}
	const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
	if (digits.length > EXACT_DIGITS) {
		throw new KeyError(
			`'${shorten(text)}' has more digits than a number can hold exactly`,
			`Do not normalise this value as a number: it would become equal to its neighbours`,
		);
	}
	return Number(text);
}

const ISO_DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Dates of other notations are clear only if they name their offset. */
const NAMES_ITS_OFFSET = /(GMT|UTC|Z|[+-]\d{2}:?\d{2})$/i;

/** Numbers below are seconds since 1970, numbers above milliseconds: the year 5138 against 1973. */
const FIRST_MILLISECONDS = 1e11;

function toIsoDate(value: unknown): unknown {
	if (value === undefined || value === null || value === '') return value;
	const time = timeOf(value);
	if (Number.isNaN(time)) {
		throw new KeyError(
			`'${shorten(String(value))}' is not a date`,
			'Use ISO 8601 as in 2026-11-16T09:30:00+01:00, or seconds or milliseconds since 1970',
		);
	}
	return new Date(time).toISOString();
}

/** Milliseconds since 1970 or NaN. A time without an offset is UTC, never the time zone of the host. */
export function timeOf(value: unknown): number {
	const date = asDate(value);
	if (date) return date.getTime();
	if (typeof value === 'number') {
		const time = Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value;
		return Math.abs(time) <= 8.64e15 ? Math.round(time) : NaN;
	}
	if (typeof value !== 'string') return NaN;
	const text = value.trim();
	if (/^-?\d{9,14}$/.test(text)) return timeOf(Number(text));
	const iso = ISO_DATE.exec(text);
	if (!iso) return NAMES_ITS_OFFSET.test(text) ? Date.parse(text) : NaN;
	const [, day, time = '00:00', offset = 'Z'] = iso;
	return Date.parse(`${day}T${time.replace(',', '.')}${fullOffset(offset)}`);
}

function fullOffset(offset: string): string {
	if (offset.toUpperCase() === 'Z') return 'Z';
	const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
	return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function shorten(text: string): string {
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
