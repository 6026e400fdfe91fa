import { createHash } from 'node:crypto';

/** What the key of a request stands for: one step of one event. Neither attempt nor execution is part of it. */
export interface KeyOrigin {
	namespace: string;
	key: string;
	step: string;
	/** Changed by a person who wants the provider to take the request for a new one. */
	version?: string;
}

interface Form {
	length: number;
	alphabet: RegExp;
	encode(digest: Buffer): string;
}

/** Changing how a key is made makes new requests of all that are under way: the version is part of it. */
const DERIVATION = 'n8n-nodes-idempotency/outgoing-key/v1';

/**
 * The forms in which providers take keys. Each has 128 bits or more, but for the UUID, whose version and variant take six of them.
 */
export const FORMS = {
	hex64: { length: 64, alphabet: /^[0-9a-f]+$/, encode: (digest) => digest.toString('hex') },
	uuid: { length: 36, alphabet: /^[0-9a-f-]+$/, encode: uuid },
	hex32: {
		length: 32,
		alphabet: /^[0-9a-f]+$/,
		encode: (digest) => digest.toString('hex', 0, 16),
	},
	base62: {
		length: 22,
		alphabet: /^[0-9A-Za-z]+$/,
		encode: (digest) =>
			inBase(
				'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
				bits(digest, 128),
				22,
			),
	},
	base32hex: {
		length: 26,
		alphabet: /^[0-9a-v]+$/,
		encode: (digest) => inBase('0123456789abcdefghijklmnopqrstuv', bits(digest, 130), 26),
	},
} satisfies Record<string, Form>;

export type Encoding = keyof typeof FORMS;

/** The key that goes out with a request: the same on every attempt and in every execution. */
export function outgoingKey(origin: KeyOrigin, encoding: Encoding): string {
	const { namespace, key, step, version = '' } = origin;
	// A list in JSON, so that no two origins are written alike.
	const text = JSON.stringify([DERIVATION, namespace, key, step, version]);
	return FORMS[encoding].encode(createHash('sha256').update(text, 'utf8').digest());
}

/** With version 4 and the variant of RFC 9562, because some providers check them. */
function uuid(digest: Buffer): string {
	const bytes = Buffer.from(digest.subarray(0, 16));
	bytes[6] = (bytes[6] & 0x0f) | 0x40;
	bytes[8] = (bytes[8] & 0x3f) | 0x80;
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function bits(digest: Buffer, count: number): bigint {
	return BigInt(`0x${digest.toString('hex')}`) >> BigInt(256 - count);
}

function inBase(digits: string, value: bigint, length: number): string {
	const base = BigInt(digits.length);
	let rest = value;
	let text = '';
	while (text.length < length) {
		text = digits[Number(rest % base)] + text;
		rest /= base;
	}
	return text;
}
