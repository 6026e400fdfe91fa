import { type AnswerClass, classifyAnswer, classifyError } from '../../../http/classify';
import { RequestError } from '../../../http/errors';
import type { Method } from '../../../http/methods';
import { providerById } from '../../../http/providers';

function answer(
	status: number,
	{
		method = 'POST' as Method,
		provider = undefined as string | undefined,
		headers = {} as Record<string, string>,
	} = {},
): AnswerClass {
	return classifyAnswer({ status, headers }, method, provider ? providerById(provider) : undefined);
}

describe('An answer', () => {
	it.each<[number, AnswerClass]>([
		[200, 'success'],
		[201, 'success'],
		[204, 'success'],
		[301, 'stuck'],
		[302, 'stuck'],
		[303, 'success'],
		[307, 'final'],
		[308, 'final'],
		[400, 'final'],
		[401, 'final'],
		[402, 'final'],
		[404, 'final'],
		[408, 'failing'],
		[409, 'final'],
		[422, 'final'],
		[425, 'refused'],
		[429, 'refused'],
		[500, 'failing'],
		[501, 'final'],
		[502, 'failing'],
		[503, 'failing'],
		[504, 'failing'],
		[505, 'final'],
	])('%i to a POST: %s', (status, expected) => {
		expect(answer(status)).toBe(expected);
	});

	it('with an old redirect to an idempotent method is no success, and no doubt either', () => {
		expect(answer(302, { method: 'PUT' })).toBe('final');
	});

	it.each<[string, number, AnswerClass]>([
		['stripe', 409, 'in_progress'],
		['gocardless', 409, 'exists'],
		['google-calendar', 409, 'exists'],
		['worldline', 409, 'in_progress'],
		['novu', 422, 'mismatch'],
		['stripe', 422, 'final'],
	])('of %s with %i: %s', (provider, status, expected) => {
		expect(answer(status, { provider })).toBe(expected);
	});

	it.each<[string, number, Record<string, string>, AnswerClass]>([
		['stripe', 500, { 'stripe-should-retry': 'true' }, 'failing'],
		['stripe', 500, { 'stripe-should-retry': 'false' }, 'stuck'],
		['stripe', 409, { 'Stripe-Should-Retry': 'false' }, 'final'],
		['stripe', 400, { 'Stripe-Should-Retry': 'true' }, 'in_progress'],
		['stripe', 429, { 'Stripe-Should-Retry': 'true' }, 'refused'],
		['stripe', 200, { 'Stripe-Should-Retry': 'true' }, 'success'],
		['stripe', 500, {}, 'failing'],
		['adyen', 500, { 'transient-error': 'true' }, 'failing'],
		['adyen', 422, { 'Transient-Error': 'true' }, 'in_progress'],
		['adyen', 500, {}, 'stuck'],
		['adyen', 422, {}, 'final'],
		['adyen', 429, {}, 'refused'],
	])('of %s with %i and the hint %j: %s', (provider, status, headers, expected) => {
		expect(answer(status, { provider, headers })).toBe(expected);
	});
});

function failure(fields: object): Error {
	return Object.assign(new Error('message' in fields ? String(fields.message) : 'failed'), fields);
}

describe('An error', () => {
	it.each<[string, unknown]>([
		['the name of the host is not found', failure({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
		['the name server is away', failure({ code: 'EAI_AGAIN' })],
		['the connection is refused', failure({ code: 'ECONNREFUSED', syscall: 'connect' })],
		['nobody answers the connection', failure({ code: 'ETIMEDOUT', syscall: 'connect' })],
		[
			'all addresses of the host are refused',
			Object.assign(new AggregateError([failure({ code: 'ECONNREFUSED' })]), {
				code: 'ECONNREFUSED',
			}),
		],
		['it is wrapped', failure({ message: 'x', cause: failure({ code: 'ENOTFOUND' }) })],
		['n8n gets no token', failure({ message: 'Failed to acquire OAuth2 access token: x' })],
		['n8n blocks the address', failure({ name: 'SsrfBlockedIpError' })],
		['n8n blocks the host', failure({ name: 'SsrfBlockedHostnameError' })],
		['the certificate has expired', failure({ code: 'CERT_HAS_EXPIRED' })],
		['the certificate is self-signed', failure({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
		['the certificate is of another host', failure({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })],
		['TLS meets plain HTTP', failure({ code: 'EPROTO', message: 'SSL: wrong version number' })],
		[
			'TLS breaks off',
			failure({
				code: 'ECONNRESET',
				message: 'Client network socket disconnected before secure TLS connection was established',
			}),
		],
	])('because %s: not sent', (_why, error) => {
		expect(classifyError(error)).toMatchObject({ kind: 'not_sent' });
		expect(classifyError(error).permanent).toBeUndefined();
		// It may be the second request that did not get out.
		expect(classifyError(error, { followsRedirects: true }).kind).toBe('unknown');
	});

	it.each<[string, unknown]>([
		['the time is over', failure({ code: 'ECONNABORTED', message: 'timeout of 100ms exceeded' })],
		['the time of the socket is over', failure({ code: 'ETIMEDOUT' })],
		['the connection breaks', failure({ code: 'ECONNRESET', message: 'socket hang up' })],
		['the pipe breaks', failure({ code: 'EPIPE' })],
		['it is cancelled', failure({ code: 'ERR_CANCELED', name: 'CanceledError' })],
		['the answer breaks off', failure({ code: 'ERR_BAD_RESPONSE' })],
		['TLS breaks in the middle', failure({ code: 'EPROTO', message: 'bad record mac' })],
		['nobody knows', failure({})],
		['it is no error', 'oops'],
		['it is nothing', undefined],
	])('because %s: unknown', (_why, error) => {
		expect(classifyError(error)).toMatchObject({ kind: 'unknown' });
	});

	it.each<[string, unknown]>([
		['a credential is not for this host', failure({ message: 'Domain not allowed: This …' })],
		['it cannot be made as asked for', new RequestError('The body has no fields', 'Send some')],
		['the URL is none', failure({ code: 'ERR_INVALID_URL', message: 'Invalid URL' })],
	])('because %s: not sent, and waiting does not help', (_why, error) => {
		expect(classifyError(error)).toMatchObject({ kind: 'not_sent', permanent: true });
	});

	it('of a request that was never made is the same where redirects are followed', () => {
		const error = new RequestError('The body has no fields', 'Send some');
		expect(classifyError(error, { followsRedirects: true })).toMatchObject({ kind: 'not_sent' });
	});

	it('says what happened, with its code', () => {
		expect(classifyError(failure({ message: 'socket hang up', code: 'ECONNRESET' })).message).toBe(
			'socket hang up (ECONNRESET)',
		);
		expect(
			classifyError(failure({ message: 'connect ECONNREFUSED ::1', code: 'ECONNREFUSED' })).message,
		).toBe('connect ECONNREFUSED ::1');
	});
});
