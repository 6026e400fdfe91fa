import { RequestError } from './errors';
import { isIdempotent, type Method } from './methods';
import type { Provider } from './providers';
import { header } from './retryAfter';

/**
 * What an answer says about the effect:
 * - `success`: it happened. `exists`: it happened before.
 * - `refused`: it did not, and may be asked for again later.
 * - `final`: it did not, and asking again would not help.
 * - `failing`: it may have happened; asking again may help. `stuck`: the same, but asking again does not help.
 * - `in_progress`: another request with the same key is under way.
 * - `mismatch`: the key belongs to another request.
 */
export type AnswerClass =
	| 'success'
	| 'exists'
	| 'refused'
	| 'final'
	| 'failing'
	| 'stuck'
	| 'in_progress'
	| 'mismatch';

/** Nothing was sent, or nobody knows what became of it. A permanent fault is not healed by waiting. */
export interface Fault {
	kind: 'not_sent' | 'unknown';
	message: string;
	permanent?: boolean;
}

export interface Answer {
	status: number;
	headers: Readonly<Record<string, unknown>>;
}

export function classifyAnswer(
	{ status, headers }: Answer,
	method: Method,
	provider?: Provider,
): AnswerClass {
	const byStatus = classifyStatus(status, method, provider);
	if (!provider?.retryHint || byStatus === 'success' || byStatus === 'refused') return byStatus;
	const { header: name, retry, stop } = provider.retryHint;
	const hint = header(headers, name) ?? '';
	if (retry.test(hint)) return mayHaveActed(status) ? 'failing' : 'in_progress';
	// A provider that only says when to try again means by its silence that there is no use.
	if (stop && !stop.test(hint)) return byStatus;
	if (mayHaveActed(status)) return 'stuck';
	return byStatus === 'in_progress' ? 'final' : byStatus;
}

function classifyStatus(status: number, method: Method, provider?: Provider): AnswerClass {
	if (status >= 200 && status < 300) return 'success';
	if (status < 400) return classifyRedirect(status, method);
	// By their definitions (RFC 8470, RFC 6585) the server has done nothing.
	if (status === 425 || status === 429) return 'refused';
	if (status === 409 && provider?.conflict) return provider.conflict;
	if (status === 422 && provider?.unprocessable) return provider.unprocessable;
	// These say that the request itself cannot be served.
	if (status === 501 || status === 505) return 'final';
	return mayHaveActed(status) ? 'failing' : 'final';
}

/**
 * 303 is what a server answers that has done its work and shows the result elsewhere; 307 and 308 ask for the same request at
 * another address, so nothing was done here. The older ones are used for both.
 */
function classifyRedirect(status: number, method: Method): AnswerClass {
	if (status === 303) return 'success';
	if (status === 307 || status === 308) return 'final';
	return isIdempotent(method) ? 'final' : 'stuck';
}

/** Also 408: gateways use it when the server behind them took too long. */
function mayHaveActed(status: number): boolean {
	return status >= 500 || status === 408;
}

/** Codes of errors that come up before the first byte of a request is out. */
const NOT_SENT = new Set([
	'ENOTFOUND',
	'EAI_AGAIN',
	'EAI_FAIL',
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EHOSTDOWN',
	'ENETDOWN',
	'EADDRNOTAVAIL',
	'EMFILE',
	'ENFILE',
]);

/** The certificate is looked at before anything is sent. */
const CERTIFICATE = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;
const HANDSHAKE =
	/wrong.version.number|handshake.failure|unsupported.protocol|protocol.version|no.protocols.available|unknown.ca|alert.*certificate|certificate.*required|before secure TLS connection/i;

/** What n8n says when it does not let a request out: the address is forbidden, or wrong. */
const BLOCKED = /^Ssrf/;
/** n8n has no token to send the request with: none was given, or the one there was refused with 401. */
const NO_TOKEN =
	/^Failed to acquire OAuth2|^OAuth credentials not connected|needs to be reconnected/i;
const FORBIDDEN = /^Domain not allowed|^This credential is configured to prevent use|^Invalid URL/i;

/**
 * What an error of a request says about the effect. Whatever is not known to have stayed here may have happened. Where redirects
 * are followed nothing is known: the error may be that of the second request, after the first was answered.
 */
export function classifyError(error: unknown, { followsRedirects = false } = {}): Fault {
	const chain = causes(error);
	const message = describe(chain);
	if (error instanceof RequestError) return { kind: 'not_sent', message, permanent: true };
	if (followsRedirects) return { kind: 'unknown', message };
	if (chain.some(isForbidden)) return { kind: 'not_sent', message, permanent: true };
	const stayedHere = chain.some(
		(found) =>
			BLOCKED.test(found.name ?? '') ||
			NOT_SENT.has(found.code ?? '') ||
			CERTIFICATE.test(found.code ?? '') ||
			HANDSHAKE.test(found.message ?? '') ||
			NO_TOKEN.test(found.message ?? '') ||
			found.syscall === 'connect',
	);
	return { kind: stayedHere ? 'not_sent' : 'unknown', message };
}

interface Found {
	name?: string;
	code?: string;
	syscall?: string;
	message?: string;
	cause?: unknown;
	errors?: unknown;
}

function isForbidden({ message = '', code }: Found): boolean {
	return FORBIDDEN.test(message) || code === 'ERR_INVALID_URL' || code === 'ERR_INVALID_CHAR';
}

/** The error and what it was made of; of several connections that were tried, each. */
function causes(error: unknown): Found[] {
	const found: Found[] = [];
	const open: unknown[] = [error];
	while (open.length > 0 && found.length < 20) {
		const next = open.shift();
		if (typeof next !== 'object' || next === null) continue;
		const { cause, errors } = next as Found;
		found.push(next as Found);
		open.push(cause, ...(Array.isArray(errors) ? errors : []));
	}
	return found;
}

function describe(chain: Found[]): string {
	const message = chain.map((found) => found.message).find((text) => text) ?? 'Unknown error';
	const code = chain.map((found) => found.code).find((text) => text);
	return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
