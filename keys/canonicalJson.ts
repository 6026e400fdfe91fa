import { KeyError } from './errors';

/** Deeper data would exhaust the stack; no sender means it. */
const MAX_DEPTH = 500;

const LONE_SURROGATE = /\p{Surrogate}/u;

export interface CanonicalOptions {
	/**
	 * RFC 8785 refuses half of a surrogate pair, because it is no text. `escape` writes it as `\ud83d`
	 * instead: for fingerprints, where a broken emoji in a message must not stop the message.
	 */
	loneSurrogates?: 'refuse' | 'escape';
}

/**
 * The one text of a JSON value by RFC 8785 (JSON Canonicalization Scheme): the same for every order of
 * the fields and every way to write a number, and different for different values.
 *
 * Like JSON.stringify it leaves out fields without a value and asks objects such as dates for their
 * `toJSON`; unlike it, everything else that is not JSON is refused and never turned into `null`.
 */
export function canonicalJson(value: unknown, options: CanonicalOptions = {}): string {
	const refuseSurrogates = options.loneSurrogates !== 'escape';
	const parents = new Set<object>();

	function text(string: string, path: string): string {
		if (refuseSurrogates && LONE_SURROGATE.test(string)) {
			refuse(path, 'contains half of a surrogate pair, which is no text');
		}
		return JSON.stringify(string);
	}

	function serialise(input: unknown, path: string): string {
		const plain = hasToJson(input) ? input.toJSON() : input;
		if (plain === null || typeof plain === 'boolean') return String(plain);
		if (typeof plain === 'string') return text(plain, path);
		if (typeof plain === 'number') {
			if (!Number.isFinite(plain)) refuse(path, `is ${plain}, which JSON cannot express`);
			// RFC 8785 defines numbers by how ECMAScript writes them, and that is what this does (-0 is 0).
			return JSON.stringify(plain);
		}
		if (typeof plain !== 'object') {
			return refuse(path, plain === undefined ? 'has no value' : `is a ${typeof plain}`);
		}

		if (parents.has(plain)) refuse(path, 'contains itself');
		if (parents.size >= MAX_DEPTH) refuse(path, `is nested more than ${MAX_DEPTH} levels deep`);
		parents.add(plain);
		const result = Array.isArray(plain) ? list(plain, path) : object(plain, path);
		parents.delete(plain);
		return result;
	}

	function list(values: unknown[], path: string): string {
		// By index, because map and forEach skip the holes of a sparse list.
		const parts: string[] = [];
		for (let i = 0; i < values.length; i++) parts.push(serialise(values[i], `${path}[${i}]`));
		return `[${parts.join(',')}]`;
	}

	function object(fields: object, path: string): string {
		const parts: string[] = [];
		// Without a comparison function, sort compares UTF-16 code units, as the RFC demands. Own fields
		// only, so that a field called `__proto__` is one like any other.
		for (const name of Object.keys(fields).sort()) {
			const field = (fields as Record<string, unknown>)[name];
			if (field === undefined) continue;
			parts.push(`${text(name, path)}:${serialise(field, path ? `${path}.${name}` : name)}`);
		}
		return `{${parts.join(',')}}`;
	}

	return serialise(value, '');
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
	return (
		typeof value === 'object' &&
		value !== null &&
		typeof (value as { toJSON?: unknown }).toJSON === 'function'
	);
}

function refuse(path: string, what: string): never {
	const short = path.length > 80 ? `${path.slice(0, 79)}…` : path;
	throw new KeyError(
		short ? `The field '${short}' ${what}` : `The data ${what}`,
		'Leave this field out, or turn it into text, a finite number, true or false before this node',
	);
}
