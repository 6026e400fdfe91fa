import { METHODS } from '../../../http/methods';
import { outgoingKey } from '../../../http/outgoingKey';
import {
	detectProvider,
	protectsFor,
	providerById,
	PROVIDERS,
	takesKey,
} from '../../../http/providers';

const DAY = 24 * 60 * 60 * 1000;

function detected(url: string, method: (typeof METHODS)[number] = 'POST') {
	return detectProvider(new URL(url), method)?.id;
}

describe('The providers', () => {
	it('are at least 25, each with an ID and a name of its own', () => {
		expect(PROVIDERS.length).toBeGreaterThanOrEqual(25);
		expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length);
		expect(new Set(PROVIDERS.map(({ name }) => name)).size).toBe(PROVIDERS.length);
		for (const provider of PROVIDERS) {
			expect(provider.id).toMatch(/^[a-z0-9-]+$/);
			expect(providerById(provider.id)).toBe(provider);
			expect(provider.source).not.toBe('');
		}
	});

	it.each(PROVIDERS.map(({ id }) => id))('%s gets keys within its published limits', (id) => {
		const { encoding, limits, place } = providerById(id)!;
		for (let i = 0; i < 200; i++) {
			const key = outgoingKey({ namespace: 'n', key: `k${i}`, step: 's' }, encoding);
			expect(key.length).toBeGreaterThanOrEqual(limits.least ?? 1);
			expect(key.length).toBeLessThanOrEqual(limits.most ?? Infinity);
			expect(key).toMatch(limits.alphabet ?? /./);
			// In a header, a URL and JSON alike, without any escaping.
			expect(key).toMatch(/^[0-9A-Za-z-]+$/);
		}
		if (place.in === 'header') expect(place.name).toMatch(/^[A-Za-z-]+$/);
	});

	it('have every kind of place among them', () => {
		const places = new Set(PROVIDERS.map(({ place }) => place.in));
		expect([...places].sort()).toEqual(['body', 'graphql', 'header', 'path', 'query']);
	});

	it.each([
		['https://api.stripe.com/v1/charges', 'stripe'],
		['https://api.stripe.com/v2/core/accounts', 'stripe-v2'],
		['https://api-m.paypal.com/v2/checkout/orders', 'paypal-orders'],
		['https://api-m.sandbox.paypal.com/v2/payments/captures/1/refund', 'paypal-payments'],
		['https://api-m.paypal.com/v1/payments/payouts', 'paypal-payouts'],
		['https://connect.squareup.com/v2/payments', 'square'],
		['https://checkout-test.adyen.com/v72/payments', 'adyen'],
		['https://1a2b-acme-checkout-live.adyenpayments.com/checkout/v72/payments', 'adyen'],
		['https://acme.api.checkout.com/payments', 'checkout-com'],
		['https://acme.myshopify.com/admin/api/2026-04/graphql.json', 'shopify'],
		['https://discord.com/api/v10/channels/123/messages', 'discord'],
		['https://www.googleapis.com/calendar/v3/calendars/primary/events', 'google-calendar'],
		['https://rest.sandbox.eu.zuora.com/v1/orders', 'zuora'],
	])('recognise %s', (url, id) => {
		expect(detected(url)).toBe(id);
	});

	it.each([
		['https://example.com/v1/charges'],
		['https://api.stripe.com.evil.example/v1/charges'],
		['https://notadyen.com/payments'],
		['https://api.stripe.com/healthcheck'],
		['https://evil.example/api.stripe.com/v1/charges'],
		['https://www.googleapis.com/gmail/v1/users/me/messages/send'],
		['https://connect.squareup.com/v2/orders/search'],
	])('do not take %s for one of theirs', (url) => {
		expect(detected(url)).toBeUndefined();
	});

	it('take keys only where they say so, and never to read', () => {
		expect(detected('https://api.stripe.com/v1/charges/1', 'DELETE')).toBeUndefined();
		expect(detected('https://api.stripe.com/v2/x', 'DELETE')).toBe('stripe-v2');
		for (const provider of PROVIDERS) {
			for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
				expect(takesKey(provider, method)).toBe(false);
			}
			expect(METHODS.some((method) => takesKey(provider, method))).toBe(true);
		}
	});

	it('protect for as long as they publish, else for half an hour', () => {
		expect(protectsFor(providerById('stripe')!)).toBe(DAY);
		expect(protectsFor(providerById('square')!)).toBe(30 * 60 * 1000);
		expect(protectsFor(providerById('amazon-pay')!)).toBeUndefined();
	});
});
