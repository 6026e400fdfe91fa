import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (
	secret: string,
	salt: Buffer,
	length: number,
) => Promise<Buffer>;

const HASH = /^scrypt:([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/;

/** `scrypt:salt:hash`. What is a hash already is left as it is, so that a workflow need not hold the secret itself. */
export async function hashSecret(secret: string): Promise<string> {
	if (HASH.test(secret)) return secret;
	const salt = randomBytes(16);
	const hash = await derive(secret.normalize('NFKC'), salt, 32);
	return `scrypt:${salt.toString('base64url')}:${hash.toString('base64url')}`;
}

export async function isSecret(given: string, stored: string): Promise<boolean> {
	const [, salt, hash] = HASH.exec(stored) ?? [];
	if (salt === undefined) return false;
	const derived = await derive(given.trim().normalize('NFKC'), Buffer.from(salt, 'base64url'), 32);
	return timingSafeEqual(derived, Buffer.from(hash, 'base64url'));
}

/** Names are the same however they are written. */
export function isSamePerson(one: string, other: string): boolean {
	return nameOf(one) === nameOf(other);
}

function nameOf(name: string): string {
	return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
