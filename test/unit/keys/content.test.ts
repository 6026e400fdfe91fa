import { chooseContent, contentHash, eventContent } from '../../../keys/content';
import { detectSender } from '../../../keys/detect';
import { fingerprint } from '../../../keys/fingerprint';
import { edit, parseFieldList, parsePath, select } from '../../../keys/path';

describe('Paths of fields', () => {
	it.each([
		['body.order.id', ['body', 'order', 'id']],
		['items[0].sku', ['items', '0', 'sku']],
		['body["event-data"].id', ['body', 'event-data', 'id']],
		["body['a.b']", ['body', 'a.b']],
	])('reads %s', (text, path) => {
		expect(parsePath(text)).toEqual(path);
	});

	it('refuses what names no field', () => {
		expect(() => parsePath(' ')).toThrow(/not the name of a field/);
		expect(() => parsePath('...')).toThrow(/not the name of a field/);
	});

	it('reads lists of names', () => {
		expect(parseFieldList(' a, b.c ,,')).toEqual(['a', 'b.c']);
	});

	it('finds own fields only, and the field of every element of a list', () => {
		const data = { items: [{ sku: 'a' }, { sku: 'b' }], text: 'abc' };
		expect(select(data, ['items', 'sku'])).toEqual(['a', 'b']);
		expect(select(data, ['items', '1', 'sku'])).toBe('b');
		expect(select(data, ['text', 'length'])).toBeUndefined();
		expect(select(data, ['constructor'])).toBeUndefined();
		expect(select(JSON.parse('{"__proto__":{"a":1}}'), ['__proto__', 'a'])).toBe(1);
	});

	it('edits a copy', () => {
		const data = { items: [{ sku: 'a', at: 1 }, { sku: 'b' }], other: { deep: true } };
		const before = structuredClone(data);
		expect(edit(data, ['items', 'at'], () => undefined)).toEqual({
			...before,
			items: [{ sku: 'a' }, { sku: 'b' }],
		});
		expect(edit(data, ['items', '0'], () => undefined)).toEqual({
			...before,
			items: [{ sku: 'b' }],
		});
		expect(edit(data, ['missing', 'field'], () => 1)).toBe(data);
		expect(data).toEqual(before);
	});

	it('edits a field called __proto__ without touching the prototype', () => {
		const edited = edit(JSON.parse('{"__proto__":1,"a":2}'), ['__proto__'], () => ({
			admin: true,
		}));
		expect(Object.keys(edited as object)).toEqual(['__proto__', 'a']);
		expect((edited as { admin?: boolean }).admin).toBeUndefined();
	});
});

describe('Content hash', () => {
	const order = { id: 7, total: '10.50', note: ' Hello  World ', seen: 1 };

	it('is the same for every order of the fields', () => {
		expect(contentHash({ b: 1, a: 2 })).toBe(contentHash({ a: 2, b: 1 }));
		expect(contentHash({ b: 1, a: 2 })).toMatch(/^[0-9a-f]{64}$/);
	});

	it('covers all fields, all but some, or only some', () => {
		expect(chooseContent(order, {})).toEqual(order);
		expect(chooseContent(order, { except: ['seen', 'missing'] })).toEqual({
			id: 7,
			total: '10.50',
			note: ' Hello  World ',
		});
		expect(chooseContent(order, { only: ['id'] })).toEqual({ id: 7 });
	});

	it('prefers a field that really has dots in its name', () => {
		expect(chooseContent({ 'a.b': 1, a: { b: 2 } }, { only: ['a.b'] })).toEqual({ 'a.b': 1 });
	});

	it('does not mistake the same value in another field', () => {
		expect(contentHash({ a: 1, b: 2 }, { only: ['a'] })).not.toBe(
			contentHash({ a: 2, b: 1 }, { only: ['b'] }),
		);
	});

	it('normalises single fields or all of them', () => {
		expect(
			chooseContent(order, {
				normalise: [{ field: 'total', rules: ['number'] }, { rules: ['trim', 'collapse'] }],
			}),
		).toEqual({ id: 7, total: 10.5, note: 'Hello World', seen: 1 });
	});

	it.each([
		[{ a: 1 }, 'b'],
		[{ b: null }, 'b'],
		[{ b: '' }, 'b'],
		[{ b: [] }, 'b'],
		[{ list: [{ x: 1 }, {}] }, 'list.x'],
	])('refuses a chosen field that is missing or empty: %j, %s', (json, field) => {
		expect(() => contentHash(json, { only: [field] })).toThrow(
			`The field '${field}' is missing or empty`,
		);
	});

	it('lets a field be missing if it may be dropped', () => {
		const choice = {
			only: ['a', 'b'],
			normalise: [{ field: 'b', rules: ['dropEmpty' as const] }],
		};
		expect(contentHash({ a: 1 }, choice)).toBe(contentHash({ a: 1, b: '' }, choice));
		expect(contentHash({ a: 1 }, choice)).not.toBe(contentHash({ a: 1, b: 2 }, choice));
	});

	it('refuses to hash nothing', () => {
		expect(() => contentHash({})).toThrow('There is no content to hash');
		expect(() => contentHash({ a: 1 }, { except: ['a'] })).toThrow('There is no content to hash');
	});
});

describe('Fingerprint', () => {
	const call = {
		headers: { 'x-request-id': '1', date: 'now' },
		params: {},
		query: { shop: '1' },
		body: { id: 1, total: 5 },
		webhookUrl: 'http://a',
		executionMode: 'production',
	};

	it('of a webhook call leaves out headers and address, and what our nodes added', () => {
		expect(eventContent({ ...call, idempotency: { key: 'k' } })).toEqual({
			params: {},
			query: { shop: '1' },
			body: { id: 1, total: 5 },
		});
		expect(fingerprint(call, undefined)).toBe(
			fingerprint({ ...call, headers: { date: 'later' }, webhookUrl: 'http://b' }, undefined),
		);
		expect(fingerprint(call, undefined)).not.toBe(
			fingerprint({ ...call, body: { id: 1, total: 6 } }, undefined),
		);
	});

	it('of a known sender leaves out what changes between deliveries', () => {
		const event = (pending: number, amount: number) => ({
			headers: {},
			body: {
				object: 'event',
				id: 'evt_1',
				pending_webhooks: pending,
				data: { object: { amount } },
			},
		});
		const preset = detectSender(event(1, 5))?.preset;
		expect(preset?.id).toBe('stripe');
		expect(fingerprint(event(1, 5), preset)).toBe(fingerprint(event(0, 5), preset));
		expect(fingerprint(event(1, 5), preset)).not.toBe(fingerprint(event(1, 6), preset));
	});

	it('does not change because a key was derived before', () => {
		const update = { update_id: 1, message: { text: 'Hi' } };
		const again = { ...update, idempotency: { key: 'v1:telegram:1' } };
		const preset = detectSender(update)?.preset;
		expect(preset?.id).toBe('telegram');
		expect(fingerprint(again, preset)).toBe(fingerprint(update, preset));
		expect(fingerprint(again, undefined)).toBe(fingerprint(update, undefined));
	});

	it('can be limited to fields, or spared some', () => {
		const changed = { ...call, body: { id: 1, total: 6 } };
		const only = { only: ['body.id'] };
		const except = { except: ['body.total'] };
		expect(fingerprint(call, undefined, only)).toBe(fingerprint(changed, undefined, only));
		expect(fingerprint(call, undefined, except)).toBe(fingerprint(changed, undefined, except));
		expect(() => fingerprint(call, undefined, { only: ['body.typo'] })).toThrow(/'body.typo'/);
	});

	it('is made even of an empty body or broken text', () => {
		expect(fingerprint({}, undefined)).toMatch(/^[0-9a-f]{64}$/);
		expect(fingerprint({ text: 'broken \ud83d' }, undefined)).toMatch(/^[0-9a-f]{64}$/);
	});
});
