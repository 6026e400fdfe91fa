import type { Preset } from './types';

export const business: Preset[] = [
	{
		id: 'hubspot',
		name: 'HubSpot',
		evidence: 'secondary',
		source: 'skills.sh (payload); HubspotTrigger.node.ts of n8n (renamed fields)',
		detect: [{ 'body:portalId': true, 'body:subscriptionType': true, 'body:eventId': true }],
		recipes: [
			{
				// The eventId is not promised to be unique, so all that identifies the event goes in.
				use: [
					'body:portalId',
					'body:subscriptionId',
					'body:eventId',
					'body:objectId|contactId|companyId|dealId|ticketId|conversationId?',
					'body:occurredAt',
					'body:propertyName?',
				],
				tier: 'strong',
			},
		],
		batch: [''],
		volatile: ['attemptNumber'],
	},
	{
		id: 'pipedrive',
		name: 'Pipedrive',
		evidence: 'verified',
		source: 'devcommunity.pipedrive.com/t/4964',
		detect: [
			{ 'body:meta.webhook_id': true, 'body:meta.action': true, 'body:meta.company_id': true },
		],
		recipes: [
			{
				use: [
					'body:meta.webhook_id',
					'body:meta.object|meta.entity',
					'body:meta.action',
					'body:meta.id',
					'body:meta.timestamp',
				],
				tier: 'weak',
				because: 'Pipedrive sends no event ID; these fields together identify the event',
			},
		],
		volatile: ['retry', 'meta.attempt'],
	},
	{
		id: 'intercom',
		name: 'Intercom',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [{ 'body:type': 'notification_event', 'body:id': /^notif_/ }],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
		volatile: ['delivery_attempts', 'delivery_status', 'delivered_at', 'first_sent_at'],
	},
	{
		id: 'zendesk',
		name: 'Zendesk',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [
			{ 'header:X-Zendesk-Webhook-Invocation-Id': true },
			{ 'body:type': /^zen:event-type:/, 'body:id': true },
		],
		recipes: [
			{ use: ['header:X-Zendesk-Webhook-Invocation-Id'], tier: 'strong' },
			{ when: { 'body:type': /^zen:event-type:/ }, use: ['body:id'], tier: 'strong' },
		],
		advice:
			'The Zendesk Trigger drops the invocation ID: receive the event with the Webhook node, or choose the fields yourself',
	},
	{
		id: 'typeform',
		name: 'Typeform',
		evidence: 'unverified',
		source: 'general knowledge; TypeformTrigger.node.ts of n8n',
		detect: [{ 'body:form_response.token': true, 'body:event_type': true }],
		recipes: [{ use: ['body:event_type', 'body:form_response.token'], tier: 'strong' }],
		advice: "The Typeform Trigger keeps the ID of a response only if 'Only Answers' is off",
	},
	{
		id: 'calendly',
		name: 'Calendly',
		evidence: 'unverified',
		source: 'general knowledge',
		detect: [{ 'body:event': true, 'body:payload.uri': /calendly\.com\// }],
		recipes: [
			{
				use: ['body:event', 'body:payload.uri', 'body:created_at'],
				tier: 'weak',
				because: 'Calendly sends no event ID',
			},
		],
	},
	{
		id: 'pandadoc',
		name: 'PandaDoc',
		evidence: 'verified',
		source: 'developers.pandadoc.com changelog 2026-07-20',
		detect: [{ 'header:X-PandaDoc-Webhook-Event-Id': true }],
		recipes: [{ use: ['header:X-PandaDoc-Webhook-Event-Id'], tier: 'strong' }],
	},
	{
		id: 'prolific',
		name: 'Prolific',
		evidence: 'verified',
		source: 'docs.prolific.com: idempotency and the X-Event-ID header',
		detect: [{ 'header:X-Event-ID': true, 'header:X-Prolific-Request-Signature': true }],
		recipes: [{ use: ['header:X-Event-ID'], tier: 'strong' }],
	},
	{
		id: 'yousign',
		name: 'Yousign',
		evidence: 'verified',
		source: 'developers.yousign.com changelog',
		detect: [{ 'body:event_id': true, 'body:event_name': true, 'body:subscription_id': true }],
		recipes: [{ use: ['body:event_id'], tier: 'strong' }],
	},
];
