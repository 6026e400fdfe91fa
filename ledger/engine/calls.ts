import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 16;

/** 128 random bits. */
export function randomToken(): string {
	return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Of this process: a counter is far cheaper than random bits for each call. */
const PROCESS = randomBytes(6).toString('base64url');
let calls = 0;

/** Tells a call from all others, of all processes. */
export function newCall(): string {
	calls++;
	return PROCESS + calls.toString(36);
}

/**
 * The revision that a new record starts with. Random, so that no record has a revision that an earlier one with the same key had: a
 * holder who knows that one would write over this one.
 */
export function firstRevision(): number {
	return 1 + Math.floor(Math.random() * 2 ** 44);
}
