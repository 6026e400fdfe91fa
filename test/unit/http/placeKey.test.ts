import { RequestError } from '../../../http/errors';
import { canCarry, placeKey } from '../../../http/placeKey';
import type { Place } from '../../../http/providers';
import type { Body, Request } from '../../../http/request';

const KEY = '0a1b';
const json = (value: unknown): Body => ({ kind: 'json', value });

function request(more: Partial<Request> = {}): Request {
	return { method: 'POST', url: 'https://x.example/a', query: [], headers: {}, ...more };
}

describe('A key is placed', () => {
	it.each<[string, Request, Place, Partial<Request>]>([
		[
			'into a header',
			request({ headers: { Accept: '*/*' } }),
			{ in: 'header', name: 'Idempotency-Key' },
			{ headers: { Accept: '*/*', 'Idempotency-Key': KEY } },
		],
		[
			'into a header as the IETF draft writes it',
			request(),
			{ in: 'header', name: 'Idempotency-Key', quoted: true },
			{ headers: { 'Idempotency-Key': `"${KEY}"` } },
		],
		[
			'into the query',
			request(),
			{ in: 'query', name: 'requestid' },
			{ query: [['requestid', KEY]] },
		],
		[
			'into the path',
			request({ url: 'https://x.example/send/{idempotencyKey}?a=1' }),
			{ in: 'path' },
			{ url: `https://x.example/send/${KEY}?a=1` },
		],
		[
			'into a field of the body',
			request({ body: json({ amount: 1 }) }),
			{ in: 'body', path: 'idempotency_key' },
			{ body: json({ amount: 1, idempotency_key: KEY }) },
		],
		[
			'into a field deep in the body, which is made',
			request({ body: json({ amount: 1 }) }),
			{ in: 'body', path: 'header.batch.id' },
			{ body: json({ amount: 1, header: { batch: { id: KEY } } }) },
		],
		[
			'into the one object of the body',
			request({ body: json({ sales_invoice: { total: 1 }, draft: true }) }),
			{ in: 'body', path: '*.idempotency_id' },
			{ body: json({ sales_invoice: { total: 1, idempotency_id: KEY }, draft: true }) },
		],
		[
			'into the body, with what belongs to it',
			request({ body: json({ content: 'hi' }) }),
			{ in: 'body', path: 'nonce', beside: { enforce_nonce: true } },
			{ body: json({ content: 'hi', nonce: KEY, enforce_nonce: true }) },
		],
		[
			'into a form',
			request({ body: { kind: 'form', fields: [['amount', '1']] } }),
			{ in: 'body', path: 'key' },
			{
				body: {
					kind: 'form',
					fields: [
						['amount', '1'],
						['key', KEY],
					],
				},
			},
		],
		[
			'into the variables of a GraphQL request',
			request({
				body: json({
					query: 'mutation($idempotencyKey: String!) { a @idempotent(key: $idempotencyKey) }',
					variables: { b: 1 },
				}),
			}),
			{ in: 'graphql', directive: '@idempotent' },
			{
				body: json({
					query: 'mutation($idempotencyKey: String!) { a @idempotent(key: $idempotencyKey) }',
					variables: { b: 1, idempotencyKey: KEY },
				}),
			},
		],
	])('%s', (_where, given, place, expected) => {
		const before = structuredClone(given);
		expect(placeKey(given, place, KEY)).toEqual({ ...given, ...expected });
		expect(given).toEqual(before);
	});

	it.each<[string, Request, Place, RegExp]>([
		[
			'a header that is set by hand',
			request({ headers: { 'idempotency-key': 'mine' } }),
			{ in: 'header', name: 'Idempotency-Key' },
			/^The header 'idempotency-key' is set, and this node sets it itself/,
		],
		[
			'a query parameter that is set by hand',
			request({ url: 'https://x.example/?requestid=1' }),
			{ in: 'query', name: 'requestid' },
			/'requestid' is set/,
		],
		[
			'a field that is set by hand',
			request({ body: json({ nonce: '1' }) }),
			{ in: 'body', path: 'nonce' },
			/'nonce' of the body is set/,
		],
		['a URL without a place', request(), { in: 'path' }, /no place for the outgoing key/],
		['no body', request(), { in: 'body', path: 'a' }, /the body has no fields/],
		['a list as body', request({ body: json([1]) }), { in: 'body', path: 'a' }, /has no fields/],
		[
			'two objects where one is meant',
			request({ body: json({ a: {}, b: {} }) }),
			{ in: 'body', path: '*.id' },
			/and it has 2/,
		],
		[
			'a parent that is no object',
			request({ body: json({ a: 1 }) }),
			{ in: 'body', path: 'a.id' },
			/'a' is no object/,
		],
		[
			'a GraphQL query that does not use it',
			request({ body: json({ query: 'mutation { a }' }) }),
			{ in: 'graphql', directive: '@idempotent' },
			/does not use the outgoing key/,
		],
		[
			'something else than GraphQL',
			request({ body: json({ a: 1 }) }),
			{ in: 'graphql', directive: '@idempotent' },
			/no GraphQL request/,
		],
	])('not into %s', (_where, given, place, message) => {
		expect(() => placeKey(given, place, KEY)).toThrow(RequestError);
		expect(() => placeKey(given, place, KEY)).toThrow(message);
	});
});

it('is known beforehand whether a request has a place for a key', () => {
	const carries = (place: Place, more: Partial<Request>) => canCarry(request(more), place);
	expect(carries({ in: 'header', name: 'a' }, {})).toBe(true);
	expect(carries({ in: 'query', name: 'a' }, {})).toBe(true);
	expect(carries({ in: 'path' }, {})).toBe(false);
	expect(carries({ in: 'path' }, { url: 'https://x.example/%7BidempotencyKey%7D' })).toBe(true);
	expect(carries({ in: 'body', path: 'a' }, {})).toBe(false);
	expect(carries({ in: 'body', path: 'a' }, { body: json([]) })).toBe(false);
	expect(carries({ in: 'body', path: 'a' }, { body: json({ a: 1 }) })).toBe(true);
	expect(carries({ in: 'body', path: 'a' }, { body: { kind: 'form', fields: [] } })).toBe(true);
	expect(carries({ in: 'body', path: 'a.b' }, { body: { kind: 'form', fields: [] } })).toBe(false);
	expect(carries({ in: 'body', path: '*.a' }, { body: json({ b: {} }) })).toBe(true);
	expect(carries({ in: 'body', path: '*.a' }, { body: json({ b: {}, c: {} }) })).toBe(false);
	const graphql: Place = { in: 'graphql', directive: '@idempotent' };
	expect(carries(graphql, { body: json({ query: '{ shop { name } }' }) })).toBe(false);
	expect(carries(graphql, { body: json({ query: 'a @idempotent(key: $idempotencyKey)' }) })).toBe(
		true,
	);
});
