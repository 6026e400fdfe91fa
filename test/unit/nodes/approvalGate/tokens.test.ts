import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';

import { hashSecret, isSamePerson, isSecret } from '../../../../nodes/ApprovalGate/approvers';
import {
	batchOf,
	formToken,
	type Grant,
	linkToken,
	readLinkToken,
	type RequestRef,
} from '../../../../nodes/ApprovalGate/tokens';

const key = randomBytes(32);
const request: RequestRef = { namespace: 'n', key: 'k', gate: 'g', id: 'i' };

const name = fc.string({ minLength: 1, unit: 'grapheme' });
const anyRequest = fc.record({ namespace: name, key: name, gate: name, id: name });
const anyGrant: fc.Arbitrary<Grant> = fc.oneof(
	fc.record({ request: anyRequest, approver: name }, { requiredKeys: ['request'] }),
	fc.record({ batch: name, approver: name }, { requiredKeys: ['batch'] }),
);

describe('The token of a link', () => {
	it('says what it was made for', () => {
		fc.assert(
			fc.property(anyGrant, (grant) => {
				expect(readLinkToken(key, linkToken(key, grant))).toEqual(grant);
			}),
		);
	});

	it('is another for another approver, request or key', () => {
		const tokens = [
			linkToken(key, { request }),
			linkToken(key, { request, approver: 'olga' }),
			linkToken(key, { request: { ...request, id: 'j' } }),
			linkToken(key, { batch: batchOf([request]) }),
			linkToken(randomBytes(32), { request }),
		];
		expect(new Set(tokens).size).toBe(tokens.length);
	});

	it('is nothing when a single character is changed, cut off or added', () => {
		const token = linkToken(key, { request, approver: 'olga' });
		for (let i = 0; i < token.length; i++) {
			const other = token[i] === 'A' ? 'B' : 'A';
			expect(readLinkToken(key, token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined();
			expect(readLinkToken(key, token.slice(0, i))).toBeUndefined();
		}
		expect(readLinkToken(key, `${token}A`)).toBeUndefined();
		expect(readLinkToken(key, `${token}.`)).toBeUndefined();
	});

	it.each([
		undefined,
		null,
		'',
		'.',
		'..',
		7,
		['a', 'b'],
		{ token: 1 },
		'a.b',
		'x'.repeat(100_000),
		`${Buffer.from('["olga",null,["n","k","g","i"]]').toString('base64url')}.`,
	])('is nothing: %p', (token) => expect(readLinkToken(key, token)).toBeUndefined());

	it('cannot be the token of a form, nor the other way round', () => {
		const link = linkToken(key, { request });
		const form = formToken(key, link, [{ ...request, fingerprint: 'f' }]);
		const [text] = link.split('.');
		expect(readLinkToken(key, `${text}.${form}`)).toBeUndefined();
		expect(formToken(key, link, [{ ...request, fingerprint: 'g' }])).not.toBe(form);
		expect(formToken(key, `${link}x`, [{ ...request, fingerprint: 'f' }])).not.toBe(form);
	});

	it('cannot mix up two names: they are not just put together', () => {
		const one = batchOf([{ ...request, namespace: 'a', key: 'b","c' }]);
		const other = batchOf([{ ...request, namespace: 'a","b', key: 'c' }]);
		expect(one).not.toBe(other);
	});
});

describe('A PIN', () => {
	it('is kept as a salted hash', async () => {
		const [one, two] = [await hashSecret('1234'), await hashSecret('1234')];
		expect(one).not.toBe(two);
		expect(one).not.toContain('1234');
		expect(await isSecret('1234', one)).toBe(true);
		expect(await isSecret(' 1234 ', two)).toBe(true);
		expect(await isSecret('1235', one)).toBe(false);
		expect(await isSecret('', one)).toBe(false);
		expect(await isSecret(one, one)).toBe(false);
		expect(await isSecret('1234', 'not a hash')).toBe(false);
	});

	it('may be given as a hash', async () => {
		const hash = await hashSecret('geheim');
		expect(await hashSecret(hash)).toBe(hash);
	});
});

it('knows a person however the name is written', () => {
	expect(isSamePerson(' Olga@Example.com', 'olga@example.com ')).toBe(true);
	expect(isSamePerson('Ｏlga  P', 'olga p')).toBe(true);
	expect(isSamePerson('olga', 'olgа')).toBe(false);
});
