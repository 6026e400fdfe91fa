import { gunzipSync, gzipSync } from 'node:zlib';

import { InvalidValueError, ValueTooLargeError } from './errors';
import type { JsonValue } from './records';

/** Values above this many bytes of JSON are compressed. */
const COMPRESS_ABOVE = 8 * 1024;

/** JSON text never starts with a `g`, so this prefix cannot be mistaken for a plain value. */
const COMPRESSED = 'gzip:';

/** Deeper data would exhaust the stack of some JSON parser on the way. */
const MAX_DEPTH = 500;

/** No NUL and no half of a surrogate pair: Postgres keeps neither, so no store takes them. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** How JSON writes these; and it writes the text `\u0000`, which is harmless, with one more backslash. */
const MAYBE_UNSTORABLE = /\\u(0000|d[89a-f])/;

/**
 * Turns a value into the text that all stores keep: its JSON, or compressed JSON in base64.
 *
 * @throws InvalidValueError if it is not JSON or could not be given back exactly
 * @throws ValueTooLargeError if its JSON has more than `maxBytes` bytes
 */
export function encodeValue(value: JsonValue, what: string, maxBytes: number): string {
	const json = jsonOf(value, what);
	const bytes = Buffer.byteLength(json);
	if (bytes > maxBytes) {
		throw new ValueTooLargeError(
			`The ${what} has ${bytes} bytes as JSON; the limit is ${maxBytes}`,
			'Store less: an id or a link instead of the whole data, or raise the limit',
		);
	}
	if (bytes <= COMPRESS_ABOVE) return json;
	return COMPRESSED + gzipSync(json).toString('base64');
}

export function decodeValue(stored: string): JsonValue {
	const json = stored.startsWith(COMPRESSED)
		? gunzipSync(Buffer.from(stored.slice(COMPRESSED.length), 'base64')).toString('utf8')
		: stored;
	return JSON.parse(json) as JsonValue;
}

/** What keeps a value from being stored, and where in it. */
interface Fault {
	path: string;
	what: string;
	remedy: string;
}

/** Which text may be in a value. */
type TextTest = (text: string) => boolean;

const anyText: TextTest = () => true;

const isStorable: TextTest = (text) => !UNSTORABLE.test(text);

function jsonOf(value: JsonValue, what: string): string {
	// One look at the JSON is faster than one at each text in the value, and shows if these are needed at all.
	if (!faultOf(value, anyText, 0)) {
		const json = JSON.stringify(value);
		if (!MAYBE_UNSTORABLE.test(json)) return json;
	}
	const fault = faultOf(value, isStorable, 0);
	if (fault) throw new InvalidValueError(`The ${what}${fault.path} ${fault.what}`, fault.remedy);
	return JSON.stringify(value);
}

/** Paths are put together on the way back only: nearly all values are fine, and each item of a batch has one. */
function faultOf(value: unknown, isFine: TextTest, depth: number): Fault | undefined {
	if (value === null || typeof value === 'boolean') return undefined;
	if (typeof value === 'string') return isFine(value) ? undefined : unstorable();
	if (typeof value === 'number') {
		return Number.isFinite(value) ? undefined : notJson(`is ${String(value)}`);
	}
	if (typeof value !== 'object')
		return notJson(`is ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
	if (depth >= MAX_DEPTH)
		return notJson(`is nested more than ${MAX_DEPTH} levels deep, or refers to itself`);
	return Array.isArray(value)
		? faultInList(value, isFine, depth)
		: faultInObject(value, isFine, depth);
}

function faultInList(list: unknown[], isFine: TextTest, depth: number): Fault | undefined {
	// By index, because forEach skips the holes of a sparse array.
	for (let i = 0; i < list.length; i++) {
		const fault = faultOf(list[i], isFine, depth + 1);
		if (fault) return below(`[${i}]`, fault);
	}
	return undefined;
}

function faultInObject(object: object, isFine: TextTest, depth: number): Fault | undefined {
	// A Date, Map, Buffer or class instance would come back as something else.
	const prototype: unknown = Object.getPrototypeOf(object);
	if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
		return notJson(`is a ${object.constructor?.name ?? 'special object'}`);
	}
	for (const name in object) {
		const child = (object as Record<string, unknown>)[name];
		// A field without a value is no field: JSON has no other way to say it.
		if (child === undefined) continue;
		const fault = isFine(name) ? faultOf(child, isFine, depth + 1) : unstorable();
		if (fault) return below(`.${name}`, fault);
	}
	return undefined;
}

function below(place: string, fault: Fault): Fault {
	// Far down, only the end of the way is of use.
	return { ...fault, path: (place + fault.path).slice(-200) };
}

function unstorable(): Fault {
	return {
		path: '',
		what: 'contains a NUL character or half of a surrogate pair',
		remedy: 'Remove it before it is stored: not every ledger can keep such text',
	};
}

function notJson(what: string): Fault {
	return {
		path: '',
		what: `is not JSON: it ${what}`,
		remedy:
			'Store plain data only: text, finite numbers, true or false, null, lists and objects of these',
	};
}
