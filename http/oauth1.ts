import { createHmac, randomBytes } from 'node:crypto';

export interface OAuth1Secrets {
	consumerKey: string;
	consumerSecret: string;
	token: string;
	tokenSecret: string;
	signatureMethod: 'HMAC-SHA1' | 'HMAC-SHA256' | 'HMAC-SHA512';
}

export interface Signable {
	method: string;
	/** With its query. */
	url: string;
	/** The fields of a form; of no other body (RFC 5849 §3.4.1.3.1). */
	form?: ReadonlyArray<readonly [name: string, value: string]>;
}

const HASHES = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256', 'HMAC-SHA512': 'sha512' };

/**
 * The Authorization header of OAuth 1.0 (RFC 5849). n8n's own helper replaces all headers of a request by this one, and with them
 * the idempotency key; hence our own.
 */
export function oauth1Header(
	{ method, url, form = [] }: Signable,
	secrets: OAuth1Secrets,
	nonce: string = randomBytes(16).toString('hex'),
	seconds: number = Math.floor(Date.now() / 1000),
): string {
	const oauth: Array<[string, string]> = [
		['oauth_consumer_key', secrets.consumerKey],
		['oauth_nonce', nonce],
		['oauth_signature_method', secrets.signatureMethod],
		['oauth_timestamp', String(seconds)],
		['oauth_token', secrets.token],
		['oauth_version', '1.0'],
	];
	const { origin, pathname, searchParams } = new URL(url);
	const parameters = [...searchParams, ...form, ...oauth]
		.map(([name, value]) => [encode(name), encode(value)])
		.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
		.map((pair) => pair.join('='))
		.join('&');
	const base = [method.toUpperCase(), origin + pathname, parameters].map(encode).join('&');
	const key = `${encode(secrets.consumerSecret)}&${encode(secrets.tokenSecret)}`;
	const signature = createHmac(HASHES[secrets.signatureMethod], key).update(base).digest('base64');
	const fields = [...oauth, ['oauth_signature', signature]];
	return `OAuth ${fields.map(([name, value]) => `${encode(name)}="${encode(value)}"`).join(', ')}`;
}

/** RFC 3986: stricter than encodeURIComponent. */
function encode(text: string): string {
	return encodeURIComponent(text).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
