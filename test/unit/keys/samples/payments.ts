import { call, type Sample } from './types';

const stripe = {
	id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
	object: 'event',
	api_version: '2026-09-30',
	created: 1794821400,
	type: 'payment_intent.succeeded',
	pending_webhooks: 2,
	data: { object: { id: 'pi_1', object: 'payment_intent', amount: 1000 } },
};

const paypal = {
	id: 'WH-58D329510W468432D-8HN650336L201105X',
	event_type: 'PAYMENT.CAPTURE.COMPLETED',
	resource_type: 'capture',
	resource: { id: '42311647XV020574X' },
	create_time: '2026-11-16T09:30:00Z',
};

const square = {
	merchant_id: '6SSW7HV8K2ST5',
	type: 'payment.created',
	event_id: '6a8f5f28-54a1-4eb0-a98a-3111513fd4fc',
	created_at: '2026-11-16T09:30:00Z',
	data: { type: 'payment', id: 'hYy9pRFVxpDsO1FB05SunFWUe9JZY', object: { payment: {} } },
};

const adyen = {
	eventCode: 'AUTHORISATION',
	success: 'true',
	pspReference: '7914073381342284',
	merchantAccountCode: 'TestMerchant',
	merchantReference: 'order-1',
	amount: { value: 1130, currency: 'EUR' },
};

const razorpay = {
	entity: 'event',
	account_id: 'acc_BFQ7uQEaa7j2z7',
	event: 'payment.captured',
	contains: ['payment'],
	payload: { payment: { entity: { id: 'pay_DESlfW9H8K9uqM', amount: 100 } } },
	created_at: 1794821400,
};

const paddle = {
	event_id: 'evt_01hv8x29kz0t586xy6zn1a62ny',
	event_type: 'transaction.paid',
	occurred_at: '2026-11-16T09:30:00Z',
	notification_id: 'ntf_01hv8x2azg4q2s8r2qcm1nc8ya',
	data: { id: 'txn_1' },
};

const lemon = {
	meta: { event_name: 'subscription_updated' },
	data: {
		type: 'subscriptions',
		id: '1',
		attributes: { store_id: 1, updated_at: '2026-11-16T09:30:00Z' },
	},
};

const chargebee = {
	id: 'ev_16BHbhF4s42tO2lK',
	occurred_at: 1794821400,
	source: 'admin_console',
	object: 'event',
	api_version: 'v2',
	content: { subscription: { id: 's1' } },
	event_type: 'subscription_created',
	webhook_status: 'not_configured',
	webhooks: [{ id: 'w1', webhook_status: 'scheduled' }],
};

export const payments: Sample[] = [
	{
		preset: 'stripe',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:stripe:evt_1NG8Du2eZvKYlo2CUI79vXWy',
		event: call({ 'stripe-signature': 't=1' }, stripe),
		again: { 'headers.stripe-signature': 't=2', 'body.pending_webhooks': 1 },
		other: { 'body.id': 'evt_2' },
	},
	{
		preset: 'stripe',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:stripe:evt_1NG8Du2eZvKYlo2CUI79vXWy',
		event: stripe,
		again: { pending_webhooks: 0 },
		other: { id: 'evt_2' },
	},
	{
		preset: 'paypal',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:paypal:WH-58D329510W468432D-8HN650336L201105X',
		event: call({ 'paypal-transmission-id': 'a' }, paypal),
		again: { 'headers.paypal-transmission-id': 'b' },
		other: { 'body.id': 'WH-2' },
	},
	{
		preset: 'paypal',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:paypal:WH-58D329510W468432D-8HN650336L201105X',
		event: paypal,
		other: { id: 'WH-2' },
	},
	{
		preset: 'square',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:square:6a8f5f28-54a1-4eb0-a98a-3111513fd4fc',
		event: call({ 'square-retry-number': '0' }, square),
		again: { 'headers.square-retry-number': '1' },
		other: { 'body.event_id': 'x' },
	},
	{
		preset: 'square',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:square:6a8f5f28-54a1-4eb0-a98a-3111513fd4fc',
		event: square,
		other: { event_id: 'x' },
	},
	{
		preset: 'adyen',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:adyen:7914073381342284|AUTHORISATION|true',
		event: call({}, { live: 'false', notificationItems: [{ NotificationRequestItem: adyen }] }),
		again: { 'headers.date': 'x', 'body.live': false },
		other: { 'body.notificationItems[0].NotificationRequestItem.eventCode': 'CAPTURE' },
	},
	{
		preset: 'adyen',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:adyen:7914073381342284|AUTHORISATION|true',
		event: adyen,
		other: { success: 'false' },
	},
	{
		preset: 'razorpay',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:razorpay:RZ1',
		event: call({ 'x-razorpay-event-id': 'RZ1', 'x-razorpay-signature': 'a' }, razorpay),
		again: { 'headers.x-razorpay-signature': 'b' },
		other: { 'headers.x-razorpay-event-id': 'RZ2' },
	},
	{
		preset: 'razorpay',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:razorpay:payment.captured|pay_DESlfW9H8K9uqM|1794821400',
		event: razorpay,
		other: { 'payload.payment.entity.id': 'pay_2' },
	},
	{
		preset: 'paddle',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:paddle:evt_01hv8x29kz0t586xy6zn1a62ny',
		event: call({}, paddle),
		again: { 'body.notification_id': 'ntf_2' },
		other: { 'body.event_id': 'evt_2' },
	},
	{
		preset: 'paddle',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:paddle:evt_01hv8x29kz0t586xy6zn1a62ny',
		event: paddle,
		other: { event_id: 'evt_2' },
	},
	{
		preset: 'lemon-squeezy',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:lemon-squeezy:subscription_updated|subscriptions|1|2026-11-16T09:30:00Z',
		event: call({ 'x-signature': 'a' }, lemon),
		again: { 'headers.x-signature': 'b' },
		other: { 'body.data.attributes.updated_at': '2026-11-17T09:30:00Z' },
	},
	{
		preset: 'lemon-squeezy',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:lemon-squeezy:subscription_updated|subscriptions|1|2026-11-16T09:30:00Z',
		event: lemon,
		other: { 'meta.event_name': 'subscription_cancelled' },
	},
	{
		preset: 'chargebee',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:chargebee:ev_16BHbhF4s42tO2lK',
		event: call({}, chargebee),
		again: { 'body.webhook_status': 'failed', 'body.webhooks[0].webhook_status': 're_scheduled' },
		other: { 'body.id': 'ev_2' },
	},
	{
		preset: 'chargebee',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:chargebee:ev_16BHbhF4s42tO2lK',
		event: chargebee,
		again: { webhook_status: 'failed' },
		other: { id: 'ev_2' },
	},
];
