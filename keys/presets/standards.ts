import type { Preset } from './types';

/** Conventions that many senders share, and gateways in between: the sender itself is recognised first. */
export const standards: Preset[] = [
	{
		// Svix is where the convention comes from: the same ID under its own or the common name, or both.
		id: 'standard-webhooks',
		name: 'Standard Webhooks, Svix (Clerk, OpenAI, Resend, …)',
		evidence: 'verified',
		source: 'standard-webhooks/spec/standard-webhooks.md; docs.svix.com/idempotency',
		detect: [
			{ 'header:webhook-id': true, 'header:webhook-timestamp': true },
			{ 'header:svix-id': true, 'header:svix-timestamp': true },
		],
		recipes: [{ use: ['header:webhook-id|svix-id'], tier: 'strong' }],
	},
	{
		id: 'cloudevents',
		name: 'CloudEvents',
		evidence: 'verified',
		source: 'cloudevents/spec: spec.md',
		detect: [
			{ 'header:ce-id': true, 'header:ce-source': true },
			{ 'body:specversion': true, 'body:id': true, 'body:source': true, 'body:type': true },
		],
		// Only the two together are unique.
		recipes: [
			{ use: ['header:ce-source', 'header:ce-id'], tier: 'strong' },
			{ use: ['body:source', 'body:id'], tier: 'strong' },
		],
		batch: [''],
	},
	{
		id: 'hookdeck',
		name: 'Hookdeck Event Gateway',
		evidence: 'secondary',
		source: 'github.com/hookdeck/webhook-skills',
		detect: [{ 'header:X-Hookdeck-Event-Id': true }],
		recipes: [{ use: ['header:X-Hookdeck-Event-Id'], tier: 'strong' }],
	},
];
