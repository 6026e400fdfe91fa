import type { IDataObject } from 'n8n-workflow';

import { claimIn, idempotencyOf, withIdempotency } from '../../../nodes/shared/claimOnItem';

const item = (idempotency: unknown) => ({ json: { id: 1, idempotency } as IDataObject });

describe('What an item carries of its claim', () => {
	it('is added to what was there; what is undefined goes', () => {
		const before = item({ key: 'k', tier: 'chosen', token: 'old' });
		const after = withIdempotency(before, 3, { key: 'k2', token: undefined, claimed: false });
		expect(after).toStrictEqual({
			json: { id: 1, idempotency: { key: 'k2', tier: 'chosen', claimed: false } },
			pairedItem: { item: 3 },
		});
		expect(idempotencyOf(before)).toEqual({ key: 'k', tier: 'chosen', token: 'old' });
	});

	it('is never inherited from something that a sender put in the way', () => {
		const sent = JSON.parse(
			'{ "__proto__": { "namespace": "n", "key": "k", "token": "t", "claimed": true } }',
		) as IDataObject;
		const after = withIdempotency(item(sent), 0, { outcome: 'new' });
		expect(claimIn(idempotencyOf(after))).toBeUndefined();
		expect(Object.getPrototypeOf(idempotencyOf(after))).toBe(Object.prototype);
	});
});
