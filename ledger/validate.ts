import { InvalidNameError, InvalidRequestError } from './errors';
import { NEVER } from './stores/RecordStore';

/** Longest namespace, key and other name, in characters. */
export const NAME_LIMIT = 512;

/** A namespace and a key have to fit into one index entry of every store, also in scripts with three bytes a character. */
const NAMESPACE_BYTES = 1024;

/** Longest reason or comment. These are for people: cut and cleaned rather than refused. */
const TEXT_LIMIT = 2000;

/** Ten years: anything longer is a mistake in the unit. */
const LONGEST_MS = 10 * 365 * 24 * 60 * 60 * 1000;

// Control characters make keys that look alike; half of a surrogate pair is no text.
const FORBIDDEN = /[\p{Cc}\p{Surrogate}]/u;

/** The items of a batch have nearly everything in common: what was just found right need not be looked at again. */
const lastFound = new Map<string, string>();

/**
 * @throws InvalidNameError if `name` is not a readable text of 1 to 512 characters
 */
export function checkName(name: unknown, what: string): string {
	if (typeof name === 'string' && lastFound.get(what) === name) return name;
	if (typeof name !== 'string' || name.trim() === '') {
		throw new InvalidNameError(
			`The ${what} is empty`,
			`Give every item a ${what}: check the expression that makes it`,
		);
	}
	if (name.length > NAME_LIMIT) {
		throw new InvalidNameError(
			`The ${what} has ${name.length} characters; the limit is ${NAME_LIMIT}`,
			`Use a shorter ${what}, or a hash of it`,
		);
	}
	if (FORBIDDEN.test(name)) {
		throw new InvalidNameError(
			`The ${what} contains a control character or half of a surrogate pair`,
			'Remove line breaks, tabs and other characters that cannot be seen',
		);
	}
	lastFound.set(what, name);
	return name;
}

export function checkNamespace(namespace: unknown): string {
	const checked = checkName(namespace, 'namespace');
	if (Buffer.byteLength(checked) > NAMESPACE_BYTES) {
		throw new InvalidNameError(
			`The namespace has more than ${NAMESPACE_BYTES} bytes`,
			'Use a shorter namespace',
		);
	}
	return checked;
}

/** A length of time in milliseconds, whole and at least `least`. */
export function checkDuration(ms: unknown, what: string, least = 1): number {
	return checkInteger(ms, what, least, LONGEST_MS, ' milliseconds');
}

/** A point in time in milliseconds since 1970: whole, as all stores keep it. */
export function checkTime(time: unknown, what: string): number {
	return checkInteger(time, what, 0, NEVER, ' (milliseconds since 1970)');
}

export function checkInteger(
	value: unknown,
	what: string,
	least: number,
	most: number,
	unit = '',
): number {
	if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
		throw new InvalidRequestError(
			`The ${what} is ${String(value)}`,
			`Use a whole number from ${least} to ${most}${unit}`,
		);
	}
	return value as number;
}

export function checkFinite(value: unknown, what: string): number {
	if (typeof value !== 'number' || !Number.isFinite(value)) {
		throw new InvalidRequestError(`The ${what} is ${String(value)}`, 'Use a number');
	}
	return value;
}

export function checkOneOf<T extends string>(
	value: unknown,
	what: string,
	allowed: readonly T[],
): T {
	if (!allowed.includes(value as T)) {
		throw new InvalidRequestError(
			`The ${what} is '${String(value)}'`,
			`Use one of: ${allowed.join(', ')}`,
		);
	}
	return value as T;
}

/** Text for people. Failing an event must not fail because of an ugly message, so this never throws. */
export function readable(text: unknown): string {
	const clean = textOf(text)
		.replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ')
		.trim();
	if (clean.length <= TEXT_LIMIT) return clean;
	// The cut may go through a surrogate pair, and half of one is no text.
	const cut = clean.slice(0, TEXT_LIMIT - 1).replace(/\p{Surrogate}$/u, '');
	return `${cut.trimEnd()}…`;
}

function textOf(value: unknown): string {
	try {
		return String(value);
	} catch {
		// An object may be without a way to become text, or have one that fails.
		return 'something that cannot be shown as text';
	}
}
