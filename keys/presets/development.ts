import type { Preset } from './types';

export const development: Preset[] = [
	{
		id: 'github',
		name: 'GitHub',
		evidence: 'verified',
		source: 'github/docs: best practices for using webhooks, issue 32822',
		detect: [{ 'header:X-GitHub-Delivery': true }],
		recipes: [{ use: ['header:X-GitHub-Delivery'], tier: 'strong' }],
		advice: 'The delivery ID is in the headers, which the GitHub Trigger and the Webhook node keep',
	},
	{
		id: 'gitlab',
		name: 'GitLab',
		evidence: 'verified',
		source: 'gitlab-org/gitlab: merge requests 160952 and 125338, issue 388692',
		detect: [{ 'header:X-Gitlab-Event': true }],
		// X-Gitlab-Event-UUID may be shared by several events, so it is no substitute.
		recipes: [{ use: ['header:Idempotency-Key'], tier: 'strong' }],
		advice:
			'Newer versions of GitLab send an Idempotency-Key header: update, or choose the fields yourself',
	},
	{
		id: 'bitbucket',
		name: 'Bitbucket',
		evidence: 'unverified',
		source: 'general knowledge; gitlab-org/gitlab issue 14888 (attempt number)',
		detect: [
			{ 'header:X-Hook-UUID': true, 'header:X-Event-Key': true },
			{ 'body:repository.uuid': true, 'body:actor.uuid': true, 'body:repository.full_name': true },
		],
		recipes: [
			{ use: ['header:X-Request-UUID'], tier: 'strong' },
			{
				use: [
					'body:repository.uuid',
					'body:pullrequest.id',
					'body:pullrequest.updated_on',
					'body:comment.id?',
				],
				tier: 'weak',
				because:
					'The Bitbucket Trigger drops the request ID: receive the event with the Webhook node to get it',
			},
			{
				use: [
					'body:repository.uuid',
					'body:push.changes[0].new.name',
					'body:push.changes[0].new.target.hash',
				],
				tier: 'weak',
				because:
					'The Bitbucket Trigger drops the request ID: receive the event with the Webhook node to get it',
			},
		],
	},
	{
		id: 'jira',
		name: 'Jira',
		evidence: 'secondary',
		source: 'jira.js documentation, WebhookHeaders',
		detect: [
			{ 'header:X-Atlassian-Webhook-Identifier': true },
			{ 'body:webhookEvent': true, 'body:issue.id': true },
		],
		recipes: [
			{ use: ['header:X-Atlassian-Webhook-Identifier'], tier: 'strong' },
			{
				use: ['body:webhookEvent', 'body:comment.id', 'body:comment.updated'],
				tier: 'weak',
				evidence: 'unverified',
				because:
					'The Jira Trigger drops the delivery ID: receive the event with the Webhook node to get it',
			},
			{
				use: ['body:webhookEvent', 'body:issue.id', 'body:issue.fields.updated'],
				tier: 'weak',
				evidence: 'unverified',
				because:
					'The Jira Trigger drops the delivery ID: receive the event with the Webhook node to get it',
			},
		],
		volatile: ['timestamp'],
	},
	{
		id: 'linear',
		name: 'Linear',
		evidence: 'secondary',
		source:
			'smithery.ai/skills/jeremylongshore/linear-webhooks-events (header), Linear SDK changelog',
		detect: [
			{ 'header:Linear-Delivery': true },
			// The webhookId is that of the subscription, the same for all events.
			{ 'body:webhookId': true, 'body:webhookTimestamp': true, 'body:action': true },
		],
		recipes: [
			{ use: ['header:Linear-Delivery'], tier: 'strong' },
			{
				use: ['body:type', 'body:action', 'body:data.id', 'body:data.updatedAt'],
				tier: 'weak',
				because:
					'The Linear Trigger drops the delivery ID: receive the event with the Webhook node to get it',
			},
		],
		volatile: ['webhookTimestamp'],
	},
	{
		id: 'vercel',
		name: 'Vercel',
		evidence: 'secondary',
		source: 'github.com/hookdeck/webhook-skills',
		detect: [{ 'header:X-Vercel-Signature': true, 'body:id': true, 'body:type': true }],
		recipes: [{ use: ['body:id'], tier: 'strong' }],
	},
	{
		id: 'dynamic',
		name: 'Dynamic',
		evidence: 'verified',
		source: 'dynamic.xyz/docs',
		detect: [{ 'body:eventId': true, 'body:eventName': true, 'body:environmentId': true }],
		recipes: [{ use: ['body:eventId'], tier: 'strong' }],
		volatile: ['messageId', 'redelivery'],
	},
];
