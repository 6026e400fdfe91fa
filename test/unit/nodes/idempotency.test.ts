import type { IDataObject } from 'n8n-workflow';

import { claimIn, idempotencyOf, withIdempotency } from '../../../nodes/shared/item/idempotency';

const item = (idempotency: unknown) => ({ json: { id: 1, idempotency } as IDataObject });

const shown = { namespace: 'n', key: 'k', attempt: 1, executionId: '1' };

describe('What an item carries of its claim', () => {
	it('is added to what was there; what is undefined goes', () => {
		const before = item({ key: 'k', tier: 'chosen', attempt: 1 });
		const after = withIdempotency(before, 3, { key: 'k2', attempt: undefined, claimed: false });
		expect(after).toStrictEqual({
			json: { id: 1, idempotency: { key: 'k2', tier: 'chosen', claimed: false } },
			pairedItem: { item: 3 },
		});
		expect(idempotencyOf(before)).toEqual({ key: 'k', tier: 'chosen', attempt: 1 });
	});

	it('is a claim only if all of it is there', () => {
		expect(claimIn({ ...shown, claimed: true, outcome: 'new' })).toEqual(shown);
		expect(claimIn({ ...shown, claimed: false })).toBeUndefined();
		for (const name of Object.keys(shown)) {
			expect(claimIn({ ...shown, claimed: true, [name]: undefined })).toBeUndefined();
			expect(claimIn({ ...shown, claimed: true, [name]: {} })).toBeUndefined();
		}
	});

	it('is never inherited from something that a sender put in the way', () => {
		const claim = JSON.stringify({ ...shown, claimed: true });
		const sent = JSON.parse(`{ "__proto__": ${claim} }`) as IDataObject;
		const after = withIdempotency(item(sent), 0, { outcome: 'new' });
		expect(claimIn(idempotencyOf(after))).toBeUndefined();
		expect(Object.getPrototypeOf(idempotencyOf(after))).toBe(Object.prototype);
	});
});
