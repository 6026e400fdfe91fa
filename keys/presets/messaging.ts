import type { Preset } from './types';

const SLACK_TRIGGER =
	"The Slack Trigger drops Slack's event ID: receive the event with the Webhook node to get it";

export const messaging: Preset[] = [
	{
		id: 'slack',
		name: 'Slack',
		evidence: 'verified',
		source: 'docs.slack.dev: bolt-js EnvelopedEvent; api.slack.com/types/event',
		detect: [
			{ 'body:type': 'event_callback', 'body:event_id': true },
			{ 'body:event_ts': true, 'body:type': true },
		],
		recipes: [
			{ use: ['body:event_id'], tier: 'strong' },
			{
				when: { 'body:reaction': true },
				use: [
					'body:type',
					'body:item.channel',
					'body:item.ts',
					'body:user',
					'body:reaction',
					'body:event_ts',
				],
				tier: 'weak',
				variant: 'trigger',
				evidence: 'unverified',
				because: SLACK_TRIGGER,
			},
			{
				use: ['body:type', 'body:channel|channel_id', 'body:ts', 'body:client_msg_id?'],
				tier: 'weak',
				variant: 'trigger',
				evidence: 'unverified',
				because: SLACK_TRIGGER,
			},
			{
				use: ['body:type', 'body:channel|channel_id|item.channel?', 'body:event_ts'],
				tier: 'weak',
				variant: 'trigger',
				evidence: 'unverified',
				because: SLACK_TRIGGER,
			},
		],
		// Names that the Slack Trigger looks up on request.
		volatile: ['user_resolved', 'item_user_resolved', 'channel_resolved'],
	},
	{
		id: 'telegram',
		name: 'Telegram',
		evidence: 'verified',
		source: 'core.telegram.org/bots/api (APIs-guru specification)',
		detect: [{ 'body:update_id': /^\d+$/ }],
		recipes: [{ use: ['body:update_id'], tier: 'strong' }],
	},
	{
		id: 'discord',
		name: 'Discord Interactions',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [{ 'body:application_id': /^\d+$/, 'body:id': /^\d+$/, 'body:token': true }],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
	},
	{
		id: 'twilio',
		name: 'Twilio',
		evidence: 'verified',
		source: 'twilio.com/docs: webhooks connection overrides, event delivery and duplication',
		detect: [
			{ 'header:I-Twilio-Idempotency-Token': true },
			{ 'body:type': /^com\.twilio\./, 'body:specversion': true },
			{ 'body:AccountSid': /^AC/, 'body:MessageSid|CallSid': true },
		],
		recipes: [
			{ use: ['header:I-Twilio-Idempotency-Token'], tier: 'strong' },
			{ when: { 'body:specversion': true }, use: ['body:source', 'body:id'], tier: 'strong' },
			{
				// The SID alone would block every later change of status.
				use: ['body:MessageSid|CallSid', 'body:MessageStatus|SmsStatus|CallStatus'],
				tier: 'weak',
				because: 'This delivery came without the header I-Twilio-Idempotency-Token',
			},
		],
		batch: [''],
	},
	{
		id: 'whatsapp',
		name: 'WhatsApp Cloud API',
		evidence: 'unverified',
		source: 'general knowledge; WhatsAppTrigger.node.ts of n8n',
		detect: [
			{ 'envelope:object': 'whatsapp_business_account' },
			{ 'envelope:messaging_product': 'whatsapp' },
		],
		recipes: [
			{ when: { 'body:status': true }, use: ['body:id', 'body:status'], tier: 'strong' },
			{ when: { 'body:from': true }, use: ['body:id'], tier: 'strong' },
		],
		batch: ['entry.changes.value.messages', 'entry.changes.value.statuses', 'messages', 'statuses'],
	},
	{
		id: 'telnyx',
		name: 'Telnyx',
		evidence: 'verified',
		source: 'developers.telnyx.com: receiving webhooks',
		detect: [{ 'body:data.record_type': 'event', 'body:data.event_type': true }],
		recipes: [{ use: ['body:data.id'], tier: 'strong' }],
		volatile: ['meta'],
	},
	{
		id: 'sunshine-conversations',
		name: 'Zendesk Sunshine Conversations',
		evidence: 'verified',
		source: 'zendesk/sunshine-conversations-javascript: EventSubSchema.md',
		detect: [{ 'envelope:app.id': true, 'envelope:webhook.id': true, 'body:payload': true }],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
		batch: ['events'],
	},
];
