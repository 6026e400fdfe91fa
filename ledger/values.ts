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

/**
 * Turns a value into the text that all stores keep: its JSON, or compressed JSON in base64.
 *
 * @throws InvalidValueError if it is not JSON or could not be given back exactly
 * @throws ValueTooLargeError if its JSON has more than `maxBytes` bytes
 */
export function encodeValue(value: JsonValue, what: string, maxBytes: number): string {
	assertJson(value, what, new Set());
	const json = JSON.stringify(value);
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

function assertJson(value: unknown, path: string, parents: Set<object>): void {
	if (value === null || typeof value === 'boolean') return;
	if (typeof value === 'string') {
		if (!UNSTORABLE.test(value)) return;
		throw new InvalidValueError(
			`The ${path} contains a NUL character or half of a surrogate pair`,
			'Remove it before it is stored: not every ledger can keep such text',
		);
	}
	if (typeof value === 'number' && Number.isFinite(value)) return;
	if (typeof value === 'object') {
		if (parents.has(value)) refuse(path, 'refers to itself');
		if (parents.size >= MAX_DEPTH)
			refuse(path.slice(0, 80), `is nested more than ${MAX_DEPTH} levels deep`);
		parents.add(value);
		if (Array.isArray(value)) {
			// By index, because forEach skips the holes of a sparse array.
			for (let i = 0; i < value.length; i++) assertJson(value[i], `${path}[${i}]`, parents);
		} else {
			assertPlain(value, path);
			for (const [name, child] of Object.entries(value)) {
				assertJson(name, `name of a field of ${path}`, parents);
				// A field without a value is no field: JSON has no other way to say it.
				if (child !== undefined) assertJson(child, `${path}.${name}`, parents);
			}
		}
		parents.delete(value);
		return;
	}
	refuse(path, `is ${typeof value === 'number' ? String(value) : `a ${typeof value}`}`);
}

/** A Date, Map, Buffer or class instance would come back as something else. */
function assertPlain(value: object, path: string): void {
	const prototype: unknown = Object.getPrototypeOf(value);
	const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
	if (!plain) refuse(path, `is a ${value.constructor?.name ?? 'special object'}`);
}

function refuse(path: string, what: string): never {
	throw new InvalidValueError(
		`The ${path} is not JSON: it ${what}`,
		'Store plain data only: text, finite numbers, true or false, null, lists and objects of these',
	);
}
