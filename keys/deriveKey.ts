import { KeyError } from './errors';
import { sha256 } from './hash';
import { asDate, isEmpty } from './normalise';

/**
 * Changes only if the same components would give another key: every key of every ledger would be new,
 * and every event that was done would be done again.
 */
const VERSION = 'v1';

/** What the ledger keeps as the name of an event. */
export const KEY_LIMIT = 512;

/** One part of what identifies an event. */
export interface Component {
	name: string;
	value: unknown;
	/** May be missing. Its place in the key stays empty, so that its neighbours cannot slip into it. */
	optional?: boolean;
}

export interface DerivedKey {
	key: string;
	/** What the key was made of, by name and readable. */
	components: Record<string, string>;
}

/**
 * ```text
 * v1:shopify:orders/paid|820982911946154508|2026-11-16T09:30:00Z
 * │  │       └ the components, separated by `|`
 * │  └ what they are: the preset or kind of source
 * └ how they were put together
 * ```
 * `%`, `|` and `~` within a component, and everything that cannot be seen, are percent-encoded, so that
 * different components never give the same key. A key that would be too long ends with `~` and the hash
 * of its full text; a hidden one is only that.
 *
 * @throws KeyError if a component is missing, empty or not a single value: a hole is never hashed,
 * because all events with the same hole would share one key
 */
export function deriveKey(
	label: string,
	components: readonly Component[],
	options: { hash?: boolean } = {},
): DerivedKey {
	const readable: Record<string, string> = {};
	let body = '';
	let hasValue = false;
	for (let i = 0; i < components.length; i++) {
		const text = componentText(components[i]);
		if (i > 0) body += '|';
		if (text === '') continue;
		hasValue = true;
		body += encode(text);
		addField(readable, components[i].name, text);
	}
	if (!hasValue) {
		throw new KeyError(
			'The key has no component with a value',
			'Name at least one field that every event has and that identifies it',
		);
	}
	const prefix = `${VERSION}:${label}:`;
	return {
		key: options.hash ? `${prefix}~${sha256(body)}` : shorten(prefix + body),
		components: readable,
	};
}

/** What JavaScript writes for a value that was not there or is an object: a hole, seen from outside. */
const WRITTEN_HOLE =
	/(^|[-_:|/,;.#])(undefined|null|NaN|Infinity)($|[-_:|/,;.#])|\[object Object\]/;

const HALF_CHARACTER = /\p{Surrogate}/u;

/** The text of a component; empty only if it is optional. */
function componentText({ name, value, optional }: Component): string {
	if (isEmpty(value)) {
		if (optional) return '';
		throw new KeyError(
			`The component '${name}' is ${value === undefined || value === null ? 'missing' : 'empty'}`,
			'Check the field or expression it comes from. If the sender may leave it out, use another field: ' +
				'all events without it would share one key',
		);
	}
	const text = scalarText(value);
	if (text === undefined) {
		throw new KeyError(
			`The component '${name}' is ${Array.isArray(value) ? 'a list' : 'an object'}, but a single value is needed`,
			"Choose one of the fields in it, or use the source 'Content Hash'",
		);
	}
	if (WRITTEN_HOLE.test(text)) {
		throw new KeyError(
			`The component '${name}' is '${text.slice(0, 60)}', in which a value is missing`,
			'Check the expression it comes from: one of the fields in it is missing or is an object',
		);
	}
	if (HALF_CHARACTER.test(text)) {
		throw new KeyError(
			`The component '${name}' contains half of a character`,
			'Do not cut text that may contain emoji, or use another field',
		);
	}
	return text;
}

function scalarText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
		return String(value);
	}
	const date = asDate(value);
	if (!date) return undefined;
	return Number.isNaN(date.getTime()) ? 'NaN' : date.toISOString();
}

// Control characters, and those that change how their neighbours look without being seen. The ranges are
// fixed here, because what Unicode counts as invisible grows with every version of Node.
const ENCODED = /[%|~\p{Cc}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

function encode(text: string): string {
	return text.replace(ENCODED, (character) =>
		Array.from(Buffer.from(character, 'utf8'), (byte) => `%${hex(byte)}`).join(''),
	);
}

function hex(byte: number): string {
	return byte.toString(16).toUpperCase().padStart(2, '0');
}

function shorten(key: string): string {
	if (key.length <= KEY_LIMIT) return key;
	const ending = `~${sha256(key)}`;
	const head = key.slice(0, KEY_LIMIT - ending.length);
	// Half of a surrogate pair at the cut would be no text.
	return head.replace(/\p{Surrogate}$/u, '') + ending;
}

/** Adds a field, under another name if there is one of that name already. */
function addField(fields: Record<string, string>, name: string, value: string): void {
	let unique = name;
	for (let n = 2; Object.hasOwn(fields, unique); n++) unique = `${name} ${n}`;
	if (unique === '__proto__') {
		// By assignment it would be no field.
		const field = { value, enumerable: true, configurable: true, writable: true };
		Object.defineProperty(fields, unique, field);
	} else {
		fields[unique] = value;
	}
}
