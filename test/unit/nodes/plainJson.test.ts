import { plainJson } from '../../../nodes/shared/plainJson';

const claim = { key: 'k', token: 'secret', claimed: true };

describe('plainJson', () => {
	it('is what JSON makes of a value', () => {
		const value = { at: new Date(0), nothing: undefined, list: [undefined], nested: { n: 1 } };
		expect(plainJson(value)).toStrictEqual({
			at: '1970-01-01T00:00:00.000Z',
			list: [null],
			nested: { n: 1 },
		});
	});

	it('leaves out claims, however deep', () => {
		const value = { id: 1, idempotency: claim, items: [{ id: 2, idempotency: claim }] };
		expect(plainJson(value)).toStrictEqual({ id: 1, items: [{ id: 2 }] });
	});

	it('keeps what only has the name or the word', () => {
		const value = {
			idempotency: 'a text',
			note: '"idempotency"',
			inner: { idempotency: { key: 'k' } },
		};
		expect(plainJson(value)).toStrictEqual(value);
	});
});
