import { call, type Sample } from './types';

const shopifyOrder = {
	id: 820982911946154,
	admin_graphql_api_id: 'gid://shopify/Order/820982911946154',
	updated_at: '2026-11-16T09:30:00+01:00',
	total_price: '10.50',
};

const woo = {
	id: 727,
	status: 'processing',
	date_modified_gmt: '2026-11-16T09:30:00',
	_links: { self: [{ href: 'https://shop.example.com/wp-json/wc/v3/orders/727' }] },
};

export const commerce: Sample[] = [
	{
		preset: 'shopify',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:shopify:a.myshopify.com|orders/updated|b54557e4',
		event: call(
			{
				'x-shopify-topic': 'orders/updated',
				'x-shopify-shop-domain': 'a.myshopify.com',
				'x-shopify-webhook-id': 'b54557e4',
				'x-shopify-triggered-at': '1',
			},
			shopifyOrder,
		),
		again: { 'headers.x-shopify-triggered-at': '2' },
		other: { 'headers.x-shopify-webhook-id': 'c' },
	},
	{
		preset: 'shopify',
		kind: 'preview of events',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:shopify:||s1',
		event: call({ 'shopify-webhook-id': 's1' }, { id: 1 }),
		other: { 'headers.shopify-webhook-id': 's2' },
	},
	{
		preset: 'shopify',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:shopify:|gid://shopify/Order/820982911946154|2026-11-16T09:30:00+01:00',
		event: shopifyOrder,
		other: { updated_at: '2026-11-16T09:31:00+01:00' },
	},
	{
		preset: 'woocommerce',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:woocommerce:order.updated|https://shop.example.com/wp-json/wc/v3/orders/727|2026-11-16T09:30:00',
		event: call(
			{
				'x-wc-webhook-topic': 'order.updated',
				'x-wc-webhook-delivery-id': '1',
				'x-wc-webhook-id': '9',
			},
			woo,
		),
		again: { 'headers.x-wc-webhook-delivery-id': '2' },
		other: { 'body.date_modified_gmt': '2026-11-16T09:31:00' },
	},
	{
		preset: 'woocommerce',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:woocommerce:|https://shop.example.com/wp-json/wc/v3/orders/727|2026-11-16T09:30:00',
		event: woo,
		other: { '_links.self[0].href': 'https://shop.example.com/wp-json/wc/v3/orders/728' },
	},
	{
		preset: 'contentful',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:contentful:c0ffee',
		event: call({ 'x-contentful-idempotency-key': 'c0ffee' }, { sys: { id: '1' } }),
		again: { 'headers.date': 'x' },
		other: { 'headers.x-contentful-idempotency-key': 'd' },
	},
];
