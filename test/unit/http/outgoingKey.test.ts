import fc from 'fast-check';

import { type Encoding, FORMS, outgoingKey } from '../../../http/outgoingKey';

const origin = { namespace: 'orders', key: 'v1:stripe:evt_1', step: 'charge' };
const encodings = Object.keys(FORMS) as Encoding[];

describe('The outgoing key', () => {
	// A change of these would make new requests of all that are under way.
	it.each<[Encoding, string]>([
		['hex64', '6c934c7597f20360b10d1d3b4d31a70b3e23a0e644f0afe01869d62dd2eca6d6'],
		['uuid', '6c934c75-97f2-4360-b10d-1d3b4d31a70b'],
		['hex32', '6c934c7597f20360b10d1d3b4d31a70b'],
		['base62', '3IsUC0RgksSEosQpvjIQeJ'],
		['base32hex', 'di9kotcnu81m1c8d3ktkqcd71c'],
	])('is as ever in the form %s', (encoding, expected) => {
		expect(outgoingKey(origin, encoding)).toBe(expected);
	});

	it('differs for every namespace, key, step and version, however they are cut', () => {
		const keys = [
			origin,
			{ ...origin, namespace: 'orders2' },
			{ ...origin, key: 'v1:stripe:evt_2' },
			{ ...origin, step: 'refund' },
			{ ...origin, version: '2' },
			{ namespace: 'orders', key: 'v1:stripe:evt_1charge', step: '' },
			{ namespace: 'ordersv1', key: ':stripe:evt_1', step: 'charge' },
			{ namespace: 'orders', key: 'v1:stripe:evt_1', step: 'charge', version: '","' },
		].map((each) => outgoingKey(each, 'hex64'));
		expect(new Set(keys).size).toBe(keys.length);
		expect(outgoingKey({ ...origin, version: '' }, 'hex64')).toBe(keys[0]);
	});

	it('has the promised length and alphabet for any origin', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), fc.string(), (namespace, key, step) => {
				for (const encoding of encodings) {
					const { length, alphabet } = FORMS[encoding];
					const text = outgoingKey({ namespace, key, step }, encoding);
					expect(text).toHaveLength(length);
					expect(text).toMatch(alphabet);
				}
			}),
		);
	});

	it('is a UUID of version 4 and of the variant of RFC 9562', () => {
		fc.assert(
			fc.property(fc.string(), (key) => {
				expect(outgoingKey({ ...origin, key }, 'uuid')).toMatch(
					/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
				);
			}),
		);
	});

	it.each(encodings.filter((encoding) => encoding !== 'uuid'))(
		'has room for 128 bits in the form %s',
		(encoding) => {
			const sizes = { hex64: 16, hex32: 16, base62: 62, base32hex: 32, uuid: 16 };
			const { length } = FORMS[encoding];
			expect(length * Math.log2(sizes[encoding])).toBeGreaterThanOrEqual(128);
		},
	);
});
