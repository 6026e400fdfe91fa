import { timeOf } from './normalise';

/** What may be wrong with a component although a key can be made of it. */
export type Suspicion = 'timestamp' | 'random' | 'email' | 'phone' | 'rounded';

/** A value made while the workflow ran is at most as old as the run; queues make runs wait. */
const RECENT_MS = 5 * 60 * 1000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
// One character before the @ is enough; more of them would take quadratic time on long text without one.
const EMAIL = /[^\s@<>|,;]@[^\s@<>|,;]{1,253}\.[^\s@<>|,;]{2}/;
const PHONE = /^(\+|00)\d[\d\s()./-]{6,20}$/;
const PHONE_NAME = /phone|mobile|\btel\b|msisdn/i;

/**
 * What a component looks like. A current time or a random id is harmless if the sender made it, and fatal
 * if this workflow did: every delivery would get another key. Which of the two it is, the caller knows.
 */
export function suspicions(name: string, value: unknown, now = Date.now()): Suspicion[] {
	const found = disclosures(name, value);
	if (looksCurrent(value, now)) found.push('timestamp');
	if (looksRandom(value)) found.push('random');
	return found;
}

/** Those of them that hold wherever the value was made. */
export function disclosures(name: string, value: unknown): Suspicion[] {
	const found: Suspicion[] = [];
	if (looksLikeEmail(value)) found.push('email');
	if (looksLikePhone(name, value)) found.push('phone');
	if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		found.push('rounded');
	}
	return found;
}

function looksCurrent(value: unknown, now: number): boolean {
	// A small number is a count or an id rather than a time in 1970.
	if (typeof value === 'number' && value < 1e9) return false;
	const time = timeOf(value);
	return !Number.isNaN(time) && Math.abs(now - time) <= RECENT_MS;
}

function looksRandom(value: unknown): boolean {
	if (typeof value === 'number') return value > 0 && value < 1 && String(value).length > 12;
	if (typeof value !== 'string') return false;
	return UUID.test(value) || looksLikeToken(value);
}

/** As `nanoid` and `$crypto` write them: long, without words, with letters of both cases and digits. */
function looksLikeToken(text: string): boolean {
	if (!/^[\w-]{21,64}$/.test(text)) return false;
	const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(text)).length;
	return kinds === 3 && new Set(text).size >= 14;
}

/** A Message-ID looks like an address but names no person; it is written in angle brackets. */
function looksLikeEmail(value: unknown): boolean {
	return typeof value === 'string' && !/^<.+>$/.test(value.trim()) && EMAIL.test(value);
}

function looksLikePhone(name: string, value: unknown): boolean {
	const text = String(value).trim();
	return PHONE.test(text) || (PHONE_NAME.test(name) && /^[\d\s()./-]{7,20}$/.test(text));
}

/** Every item would count as a repetition of the first. */
export function allEqual(keys: readonly string[]): boolean {
	return keys.length > 1 && keys.every((key) => key === keys[0]);
}

const MADE_HERE =
	/\$(now|today)\b|\bDateTime\.(now|local|utc)\b|\bDate\.now\b|new Date\(\s*\)|\bMath\.random\b|\buuid\b|\brandomUUID\b|\$execution\.id\b|\$runIndex\b|\$itemIndex\b|x-request-id|traceparent|cf-ray/i;

/** The part of an expression that gives another value on every run or delivery, if it has one. */
export function changesEveryRun(expression: string): string | undefined {
	return expression.startsWith('=') ? MADE_HERE.exec(expression)?.[0] : undefined;
}

/**
 * Whether an expression puts its value together from several parts. n8n writes nothing for a part that is
 * missing, so a hole in it cannot be seen from outside.
 */
export function hidesHoles(expression: string): boolean {
	if (!expression.startsWith('=')) return false;
	const text = expression.slice(1).trim();
	const parts = text.match(/\{\{[\s\S]*?\}\}/g) ?? [];
	return parts.length > 1 || (parts.length === 1 && text !== parts[0]);
}
