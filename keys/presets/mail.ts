import type { Preset } from './types';

export const mail: Preset[] = [
	{
		id: 'sendgrid',
		name: 'SendGrid Event Webhook',
		evidence: 'secondary',
		source: 'github.com/hookdeck/webhook-skills',
		detect: [{ 'body:sg_event_id': true }],
		recipes: [{ use: ['body:sg_event_id'], tier: 'strong' }],
		batch: [''],
	},
	{
		id: 'mailgun',
		name: 'Mailgun',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [
			{ 'body:event-data.id': true, 'body:event-data.event': true },
			{ 'body:Message-Id': true, 'body:recipient': true, 'body:body-plain': true },
		],
		recipes: [
			{ use: ['body:event-data.id'], tier: 'strong' },
			{
				use: ['body:Message-Id', 'body:recipient'],
				tier: 'weak',
				because: 'Mailgun gives received mail no ID of its own',
			},
		],
		// Signed anew for every request.
		volatile: ['signature', 'token', 'timestamp'],
	},
	{
		id: 'postmark',
		name: 'Postmark',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [{ 'body:MessageID': true, 'body:RecordType|MessageStream': true }],
		recipes: [
			{
				use: [
					'body:RecordType|MessageStream',
					'body:MessageID',
					'body:ReceivedAt|DeliveredAt|BouncedAt|ChangedAt|Date?',
					'body:Recipient|Email|OriginalRecipient?',
				],
				tier: 'weak',
				because: 'Postmark sends no event ID',
			},
		],
	},
	{
		id: 'kit',
		name: 'Kit (ConvertKit)',
		evidence: 'verified',
		source: 'developers.kit.com/webhooks/delivery-format',
		// The delivery_id is that of the request, which may carry many events.
		detect: [{ 'envelope:delivery_id': true, 'body:id': true }],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
		batch: ['events'],
	},
	{
		id: 'email',
		name: 'Email via IMAP or Gmail',
		evidence: 'unverified',
		source: 'RFC 5322 (Message-ID); output of the Email and Gmail triggers of n8n',
		detect: [
			{ 'body:messageId|metadata.message-id|headers.message-id': /<.+>/ },
			{ 'body:threadId': true, 'body:internalDate': true, 'body:id': true },
		],
		recipes: [
			{ use: ['body:messageId|metadata.message-id|headers.message-id'], tier: 'strong' },
			{
				when: { 'body:threadId': true },
				use: ['body:id'],
				tier: 'weak',
				because:
					"Gmail's own ID is valid for one mailbox only: turn off 'Simplify' in the Gmail Trigger to get the Message-ID",
			},
		],
		// Read, starred, moved: not another message.
		volatile: ['labelIds', 'labels', 'historyId', 'attributes'],
	},
];
