import { call, type Sample } from './types';

const cloudEvent = {
	specversion: '1.0',
	id: 'A1',
	source: '/orders',
	type: 'com.example.order',
	data: 1,
};

export const standards: Sample[] = [
	{
		preset: 'standard-webhooks',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:standard-webhooks:msg_1',
		event: call(
			{ 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'a' },
			{ type: 'user.created' },
		),
		again: { 'headers.webhook-timestamp': '2', 'headers.webhook-signature': 'b' },
		other: { 'headers.webhook-id': 'msg_2' },
	},
	{
		preset: 'standard-webhooks',
		kind: 'Svix',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:standard-webhooks:msg_1',
		event: call({ 'svix-id': 'msg_1', 'svix-timestamp': '1' }, { type: 'user.created' }),
		again: { 'headers.svix-timestamp': '2', 'headers.webhook-id': 'msg_1' },
		other: { 'headers.svix-id': 'msg_2' },
	},
	{
		preset: 'cloudevents',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:cloudevents:/orders|A1',
		event: call({ 'ce-id': 'A1', 'ce-source': '/orders', 'ce-time': '1' }, { order: 1 }),
		again: { 'headers.ce-time': '2' },
		other: { 'headers.ce-source': '/carts' },
	},
	{
		preset: 'cloudevents',
		kind: 'structured',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:cloudevents:/orders|A1',
		event: call({}, cloudEvent),
		again: { 'headers.date': 'x' },
		other: { 'body.id': 'A2' },
	},
	{
		preset: 'cloudevents',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:cloudevents:/orders|A1',
		event: cloudEvent,
		other: { source: '/carts' },
	},
	{
		preset: 'hookdeck',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:hookdeck:evt_h1',
		event: call({ 'x-hookdeck-event-id': 'evt_h1', 'x-hookdeck-attempt-count': '1' }, { a: 1 }),
		again: { 'headers.x-hookdeck-attempt-count': '2' },
		other: { 'headers.x-hookdeck-event-id': 'evt_h2' },
	},
];
