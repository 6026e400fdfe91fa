import type { Preset } from './types';

export const payments: Preset[] = [
	{
		id: 'stripe',
		name: 'Stripe',
		evidence: 'secondary',
		source: 'dev.to/shannonllc, citing docs.stripe.com/webhooks',
		detect: [
			{ 'body:object': 'event', 'body:id': /^evt_/ },
			{ 'body:object': 'v2.core.event', 'body:id': /^evt_/ },
		],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
		volatile: ['pending_webhooks'],
	},
	{
		id: 'paypal',
		name: 'PayPal',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [{ 'body:id': /^WH-/, 'body:event_type': true, 'body:resource_type': true }],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
		volatile: ['transmissions'],
	},
	{
		id: 'square',
		name: 'Square',
		evidence: 'verified',
		source: 'developer.squareup.com/docs/webhooks/what-it-does',
		detect: [{ 'body:event_id': true, 'body:merchant_id': true, 'body:data.object': true }],
		recipes: [{ use: ['body:event_id'], tier: 'strong' }],
	},
	{
		id: 'adyen',
		name: 'Adyen',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [
			{ 'body:pspReference': true, 'body:eventCode': true, 'body:merchantAccountCode': true },
		],
		recipes: [
			{
				use: ['body:pspReference', 'body:eventCode', 'body:success'],
				tier: 'weak',
				because: 'Adyen sends no event ID',
			},
		],
		batch: ['notificationItems.NotificationRequestItem'],
	},
	{
		id: 'razorpay',
		name: 'Razorpay',
		evidence: 'secondary',
		source: 'razorpay.com/docs/webhooks/best-practices (retries), dev.to/pritom14 (header)',
		detect: [
			{ 'header:X-Razorpay-Event-Id': true },
			{ 'body:entity': 'event', 'body:account_id': /^acc_/, 'body:event': true },
		],
		recipes: [
			{ use: ['header:X-Razorpay-Event-Id'], tier: 'strong' },
			{
				use: [
					'body:event',
					'body:payload.payment.entity.id|payload.refund.entity.id|payload.payout.entity.id|payload.order.entity.id|payload.subscription.entity.id',
					'body:created_at',
				],
				tier: 'weak',
				evidence: 'unverified',
				because:
					'Without its headers, a Razorpay event has no ID: receive it with the Webhook node',
			},
		],
	},
	{
		id: 'paddle',
		name: 'Paddle',
		evidence: 'verified',
		source: 'paddle-node-sdk (mocks)',
		detect: [{ 'body:event_id': /^evt_/, 'body:notification_id': /^ntf_/ }],
		recipes: [{ use: ['body:event_id'], tier: 'strong' }],
		volatile: ['notification_id'],
	},
	{
		id: 'lemon-squeezy',
		name: 'Lemon Squeezy',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [
			{
				'body:meta.event_name': true,
				'body:data.type': true,
				'body:data.attributes.store_id': true,
			},
		],
		recipes: [
			{
				use: [
					'body:meta.event_name',
					'body:data.type',
					'body:data.id',
					'body:data.attributes.updated_at',
				],
				tier: 'weak',
				because: 'Lemon Squeezy sends no event ID',
			},
		],
	},
	{
		id: 'chargebee',
		name: 'Chargebee',
		evidence: 'secondary',
		source: 'github.com/hookdeck/webhook-skills',
		detect: [{ 'body:id': /^ev_/, 'body:event_type': true, 'body:content': true }],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
		volatile: ['webhook_status', 'webhooks'],
	},
];
