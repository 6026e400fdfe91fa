import { call, type Json, type Sample } from './types';

const slackMessage = {
	type: 'message',
	channel: 'C2147483705',
	user: 'U2147483697',
	text: 'Hello',
	ts: '1794821400.000005',
	event_ts: '1794821400.000005',
	channel_type: 'channel',
	client_msg_id: '0fd1fa2b',
};

const telegram = { update_id: 10000, message: { message_id: 1365, text: '/start' } };
const discord = {
	id: '846462639134605312',
	application_id: '845027738276462632',
	type: 2,
	token: 'unique_interaction_token',
	data: { name: 'ping' },
};

const sms = {
	AccountSid: 'AC1',
	MessageSid: 'SM1',
	MessageStatus: 'delivered',
	From: '+1555',
	To: '+1556',
};

const twilioEvent = {
	specversion: '1.0',
	type: 'com.twilio.messaging.inbound-message.received',
	source: '/2010-04-01/Accounts/AC1/Messages/SM1.json',
	id: 'EZ1',
	data: { messageSid: 'SM1' },
};

const whatsappMessage = {
	from: '491701234567',
	id: 'wamid.HBgL1',
	type: 'text',
	text: { body: 'Hi' },
};

const whatsappStatus = { id: 'wamid.HBgL1', status: 'delivered', recipient_id: '491701234567' };
function whatsapp(value: Json): Json {
	return {
		object: 'whatsapp_business_account',
		entry: [
			{
				id: 'WABA',
				changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', ...value } }],
			},
		],
	};
}
const telnyx = {
	data: { record_type: 'event', id: '0ccc7b54', event_type: 'call.initiated', payload: {} },
	meta: { attempt: 1, delivered_to: 'https://n8n.example.com' },
};

const sunshine = {
	app: { id: 'app1' },
	webhook: { id: 'hook1', version: 'v2' },
	events: [{ id: 'e1', type: 'conversation:message', createdAt: '2026-11-16', payload: { a: 1 } }],
};

export const messaging: Sample[] = [
	{
		preset: 'slack',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:slack:Ev9UQ52YNA',
		event: call(
			{ 'x-slack-request-timestamp': '1' },
			{ type: 'event_callback', event_id: 'Ev9UQ52YNA', team_id: 'T1', event: slackMessage },
		),
		again: { 'headers.x-slack-retry-num': '1', 'headers.x-slack-request-timestamp': '2' },
		other: { 'body.event_id': 'Ev2' },
	},
	{
		preset: 'slack',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:slack:message|C2147483705|1794821400.000005|0fd1fa2b',
		event: slackMessage,
		again: { user_resolved: 'Ann' },
		other: { ts: '1794821401.000000' },
	},
	{
		preset: 'slack',
		kind: 'reaction',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:slack:reaction_added|C1|1.1|U1|eyes|2.2',
		event: {
			type: 'reaction_added',
			user: 'U1',
			reaction: 'eyes',
			item: { channel: 'C1', ts: '1.1' },
			event_ts: '2.2',
		},
		other: { reaction: 'tada' },
	},
	{
		preset: 'slack',
		kind: 'new member',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:slack:team_join||3.3',
		event: { type: 'team_join', user: { id: 'U1' }, event_ts: '3.3' },
		other: { event_ts: '3.4' },
	},
	{
		preset: 'telegram',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:telegram:10000',
		event: call({}, telegram),
		again: { 'headers.date': 'x' },
		other: { 'body.update_id': 10001 },
	},
	{
		preset: 'telegram',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:telegram:10000',
		event: telegram,
		other: { update_id: 10001 },
	},
	{
		preset: 'discord',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:discord:846462639134605312',
		event: call({ 'x-signature-timestamp': '1' }, discord),
		again: { 'headers.x-signature-timestamp': '2' },
		other: { 'body.id': '1' },
	},
	{
		preset: 'discord',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:discord:846462639134605312',
		event: discord,
		other: { id: '1' },
	},
	{
		preset: 'twilio',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:twilio:tok1',
		event: call({ 'i-twilio-idempotency-token': 'tok1' }, sms),
		again: { 'headers.x-twilio-signature': 'x' },
		other: { 'headers.i-twilio-idempotency-token': 'tok2' },
	},
	{
		preset: 'twilio',
		kind: 'without the header',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:twilio:SM1|delivered',
		event: call({}, sms),
		again: { 'headers.x-twilio-signature': 'x' },
		other: { 'body.MessageStatus': 'sent' },
	},
	{
		preset: 'twilio',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:twilio:/2010-04-01/Accounts/AC1/Messages/SM1.json|EZ1',
		event: twilioEvent,
		other: { id: 'EZ2' },
	},
	{
		preset: 'whatsapp',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:whatsapp:wamid.HBgL1',
		event: call({ 'x-hub-signature-256': 'a' }, whatsapp({ messages: [whatsappMessage] })),
		again: { 'headers.x-hub-signature-256': 'b' },
		other: { 'body.entry[0].changes[0].value.messages[0].id': 'wamid.2' },
	},
	{
		preset: 'whatsapp',
		kind: 'status',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:whatsapp:wamid.HBgL1|delivered',
		event: call({}, whatsapp({ statuses: [whatsappStatus] })),
		again: { 'headers.date': 'x' },
		other: { 'body.entry[0].changes[0].value.statuses[0].status': 'read' },
	},
	{
		preset: 'whatsapp',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:whatsapp:wamid.HBgL1',
		event: { messaging_product: 'whatsapp', field: 'messages', messages: [whatsappMessage] },
		other: { 'messages[0].id': 'wamid.2' },
	},
	{
		preset: 'telnyx',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:telnyx:0ccc7b54',
		event: call({}, telnyx),
		again: { 'body.meta.attempt': 2 },
		other: { 'body.data.id': 'x' },
	},
	{
		preset: 'telnyx',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:telnyx:0ccc7b54',
		event: telnyx,
		again: { 'meta.attempt': 2 },
		other: { 'data.id': 'x' },
	},
	{
		preset: 'sunshine-conversations',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:sunshine-conversations:e1',
		event: call({}, sunshine),
		again: { 'headers.date': 'x' },
		other: { 'body.events[0].id': 'e2' },
	},
	{
		preset: 'sunshine-conversations',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:sunshine-conversations:e1',
		event: sunshine,
		other: { 'events[0].id': 'e2' },
	},
];
