import type { IDataObject } from 'n8n-workflow';

import { storableJson } from '../../../nodes/shared/item/storableJson';

describe('storableJson', () => {
	it('leaves out what this package added, and nothing of the item itself changes', () => {
		const json = { id: 1, idempotency: { key: 'k' }, body: { total: 2 } };
		expect(storableJson(json)).toStrictEqual({ id: 1, body: { total: 2 } });
		expect(json).toStrictEqual({ id: 1, idempotency: { key: 'k' }, body: { total: 2 } });
	});

	it('leaves out headers that prove who sent a request', () => {
		const headers = { host: 'example.com', Cookie: 'c', 'x-api-key': 'k' };
		expect(storableJson({ headers, body: {} })).toStrictEqual({
			headers: { host: 'example.com' },
			body: {},
		});
		expect(Object.keys(headers)).toHaveLength(3);
	});

	it('keeps a field called __proto__ like any other', () => {
		const text = '{"a":1,"__proto__":{"admin":true},"b":2}';
		const json = JSON.parse(text) as IDataObject;
		const stored = storableJson({ ...json, idempotency: { key: 'k' } });
		expect(JSON.stringify(stored)).toBe(text);
		expect(Object.getPrototypeOf(stored)).toBe(Object.prototype);
	});
});
