import { call, type Sample } from './types';

const sendgrid = {
	email: 'ann@example.com',
	timestamp: 1794821400,
	event: 'delivered',
	sg_event_id: 'ZGVsaXZlcmVk',
	sg_message_id: '14c5d75ce93.dfd.64b469',
};

const mailgun = {
	signature: { token: 't1', timestamp: '1794821400', signature: 's1' },
	'event-data': { id: 'G9Bn5sl1TC6nu79C8C0bwg', event: 'delivered' },
};

const postmark = {
	RecordType: 'Delivery',
	MessageID: '883953f4',
	Recipient: 'ann@example.com',
	DeliveredAt: '2026-11-16T09:30:00Z',
	MessageStream: 'outbound',
};

const kit = { delivery_id: 'd1', events: [{ id: 'e1', type: 'subscriber.created', data: {} }] };
const message = {
	messageId: '<CAF1234@mail.example.com>',
	subject: 'Invoice',
	attributes: { uid: 17 },
	labelIds: ['UNREAD'],
};

export const mail: Sample[] = [
	{
		preset: 'sendgrid',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:sendgrid:ZGVsaXZlcmVk',
		event: call({}, [sendgrid]),
		again: { 'headers.date': 'x' },
		other: { 'body[0].sg_event_id': 'x' },
	},
	{
		preset: 'sendgrid',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:sendgrid:ZGVsaXZlcmVk',
		event: sendgrid,
		other: { sg_event_id: 'x' },
	},
	{
		preset: 'mailgun',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:mailgun:G9Bn5sl1TC6nu79C8C0bwg',
		event: call({}, mailgun),
		again: { 'body.signature.token': 't2' },
		other: { 'body.event-data.id': 'x' },
	},
	{
		preset: 'mailgun',
		kind: 'received mail',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:mailgun:<m1@example.com>|in@example.com',
		event: call(
			{},
			{
				'Message-Id': '<m1@example.com>',
				recipient: 'in@example.com',
				'body-plain': 'Hi',
				token: 'a',
				timestamp: '1',
				signature: 'b',
			},
		),
		again: { 'body.token': 'c', 'body.timestamp': '2', 'body.signature': 'd' },
		other: { 'body.Message-Id': '<m2@example.com>' },
	},
	{
		preset: 'mailgun',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:mailgun:G9Bn5sl1TC6nu79C8C0bwg',
		event: mailgun,
		again: { 'signature.token': 't2' },
		other: { 'event-data.id': 'x' },
	},
	{
		preset: 'postmark',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:postmark:Delivery|883953f4|2026-11-16T09:30:00Z|ann@example.com',
		event: call({}, postmark),
		again: { 'headers.date': 'x' },
		other: { 'body.MessageID': 'x' },
	},
	{
		preset: 'postmark',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:postmark:Delivery|883953f4|2026-11-16T09:30:00Z|ann@example.com',
		event: postmark,
		other: { RecordType: 'Bounce' },
	},
	{
		preset: 'kit',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:kit:e1',
		event: call({}, kit),
		again: { 'body.delivery_id': 'd2' },
		other: { 'body.events[0].id': 'e2' },
	},
	{
		preset: 'kit',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:kit:e1',
		event: kit,
		other: { 'events[0].id': 'e2' },
	},
	{
		preset: 'email',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:email:<CAF1234@mail.example.com>',
		event: message,
		again: { labelIds: [], 'attributes.uid': 18 },
		other: { messageId: '<2@mail.example.com>' },
	},
	{
		preset: 'email',
		kind: 'Gmail, simplified',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:email:18c2',
		event: {
			id: '18c2',
			threadId: '18c0',
			internalDate: '1794821400000',
			historyId: '1',
			Subject: 'Hi',
		},
		again: { historyId: '2' },
		other: { id: '18c3' },
	},
];
