import type { Preset } from './types';

export const commerce: Preset[] = [
	{
		id: 'shopify',
		name: 'Shopify',
		evidence: 'verified',
		source: 'shopify.dev: webhooks/verify-deliveries, ignore-duplicates, changelog 2024-09-10',
		detect: [
			{ 'header:X-Shopify-Topic': true },
			{ 'header:Shopify-Webhook-Id': true },
			{ 'body:admin_graphql_api_id': /^gid:\/\/shopify\// },
		],
		recipes: [
			{
				use: [
					'header:X-Shopify-Shop-Domain?',
					'header:X-Shopify-Topic?',
					'header:X-Shopify-Webhook-Id|Shopify-Webhook-Id',
				],
				tier: 'strong',
			},
			{
				// The id of the order or product alone would block every later update of it.
				use: ['header:X-Shopify-Topic?', 'body:admin_graphql_api_id|id', 'body:updated_at'],
				tier: 'weak',
				because:
					'The Shopify Trigger drops the delivery ID: receive the event with the Webhook node to get it',
			},
		],
		advice:
			'The Shopify Trigger drops the delivery ID, and this event has no updated_at: receive it with the Webhook node',
	},
	{
		id: 'woocommerce',
		name: 'WooCommerce',
		evidence: 'secondary',
		source: 'github.com/hookdeck/webhook-skills',
		detect: [
			{ 'header:X-WC-Webhook-Topic': true },
			{ 'body:_links.self[0].href': /\/wp-json\/wc\//, 'body:date_modified_gmt': true },
		],
		recipes: [
			{
				// X-WC-Webhook-Delivery-ID is another one on every attempt.
				use: [
					'header:X-WC-Webhook-Topic?',
					'body:_links.self[0].href|id',
					'body:date_modified_gmt',
				],
				tier: 'weak',
				because: 'WooCommerce sends no ID that stays the same when a delivery is repeated',
			},
		],
	},
	{
		id: 'contentful',
		name: 'Contentful',
		evidence: 'verified',
		source: 'contentful.com changelog',
		detect: [{ 'header:X-Contentful-Idempotency-Key': true }],
		recipes: [{ use: ['header:X-Contentful-Idempotency-Key'], tier: 'strong' }],
	},
];
