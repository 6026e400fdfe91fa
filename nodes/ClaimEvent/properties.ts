import type { INodeProperties } from 'n8n-workflow';

const forOperation = (operation: string) => ({
	displayOptions: { show: { operation: [operation] } },
});

/** The same inside of the options. */
const optionFor = (operation: string) => ({
	displayOptions: { show: { '/operation': [operation] } },
});

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Claim Event',
				value: 'claimEvent',
				action: 'Claim an event',
				description: 'Let the first delivery of an event through and hold repeats back',
			},
			{
				name: 'Claim Step',
				value: 'claimStep',
				action: 'Claim a step of an event',
				description: 'Ask right before a side effect whether it is to be run now',
			},
		],
		default: 'claimEvent',
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		required: true,
		default: '={{ $json.idempotency.key }}',
		description:
			'What identifies the event: the same on every delivery, another for every other event. By default the key that Derive Key made.',
		...forOperation('claimEvent'),
	},
	{
		displayName: 'Step Name',
		name: 'step',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. invoice',
		description: 'Names the side effect within its event',
		...forOperation('claimStep'),
	},
	{
		displayName: 'When Started Before and Not Finished',
		name: 'whenInDoubt',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Needs Review',
				value: 'review',
				description: 'Nobody knows whether it happened, so a person decides',
			},
			{
				name: 'Run Again',
				value: 'repeat',
				description: 'Only where the destination recognises a repeat by itself',
			},
		],
		default: 'review',
		description: 'What to do when an earlier attempt began the step and was cut off',
		...forOperation('claimStep'),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Answer Webhook for Duplicates',
				name: 'answerWebhook',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					"Whether to answer the webhook at once with the stored result when nothing is new. The Webhook node has to respond 'Using Respond to Webhook Node'.",
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Business Key',
				name: 'businessKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.body.orderNumber }}',
				description:
					'A second name of the event, such as the order number. What is submitted twice then counts once, although each delivery has a key of its own.',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Check Content',
				name: 'checkContent',
				type: 'boolean',
				default: true,
				description:
					'Whether the same key with other content needs review. Compares the fingerprint that Derive Key made.',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Keep Input',
				name: 'keepInput',
				type: 'boolean',
				default: false,
				description: 'Whether to keep the stored input after the event is done',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Key',
				name: 'key',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $("Derive Key").item.json.idempotency.key }}',
				description:
					'The key of the event, where items have lost their way back to Claim Event. Found by itself otherwise.',
				...optionFor('claimStep'),
			},
			{
				displayName: 'Lease (Minutes)',
				name: 'leaseMinutes',
				type: 'number',
				typeOptions: { minValue: 0.01, numberPrecision: 2 },
				default: 30,
				description:
					'How long a run may be silent before it is taken for dead. Every step it records renews it.',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Max Attempts',
				name: 'maxAttempts',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1000 },
				default: 5,
				description: 'How often an event may be tried before a person has to look at it',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Namespace',
				name: 'namespace',
				type: 'string',
				default: '',
				placeholder: 'e.g. orders',
				description:
					'Workflows with the same namespace share keys. Leave empty to keep them to this workflow.',
			},
			{
				displayName: 'Order',
				name: 'order',
				type: 'fixedCollection',
				placeholder: 'Add order',
				default: {},
				description: 'Skip an event if a newer one of the same object came before it',
				options: [
					{
						displayName: 'Order',
						name: 'values',
						values: [
							{
								displayName: 'Object',
								name: 'object',
								type: 'string',
								default: '',
								placeholder: 'e.g. {{ $json.body.contactId }}',
								description: 'What the event is about',
							},
							{
								displayName: 'Version',
								name: 'version',
								type: 'string',
								default: '',
								placeholder: 'e.g. {{ $json.body.updatedAt }}',
								description: 'A number or date that grows with every change of the object',
							},
						],
					},
				],
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Retention (Days)',
				name: 'retentionDays',
				type: 'number',
				typeOptions: { minValue: 0.001, numberPrecision: 3 },
				default: 30,
				description: 'How long a finished event is remembered',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Store Input',
				name: 'storeInput',
				type: 'boolean',
				default: true,
				description:
					'Whether to keep the item in the ledger until the event is done, so that it can be run again. Headers with secrets are left out. Items above 1 MiB are refused: turn it off for these.',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'Wait for First Run (Seconds)',
				name: 'waitSeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 300 },
				default: 0,
				description: 'How long a repeat waits for the run that has the event, to get its result',
				...optionFor('claimEvent'),
			},
			{
				displayName: 'When a Previous Run Stopped Midway',
				name: 'onStopped',
				type: 'options',
				options: [
					{
						name: 'Needs Review',
						value: 'review',
						description: 'A person decides whether it is safe to go on',
					},
					{
						name: 'Take Over',
						value: 'takeover',
						description: 'Go on where it stopped. Right if every side effect is a step of its own.',
					},
				],
				default: 'review',
				description: 'What to do when the lease of an earlier run is over and it did not finish',
				...optionFor('claimEvent'),
			},
		],
	},
];
