import type { INodeProperties } from 'n8n-workflow';

const forOperations = (...operations: string[]) => ({
	displayOptions: { show: { operation: operations } },
});

const ofHolder = ['stepDone', 'completeEvent', 'failEvent', 'renewLease'];

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Complete Event',
				value: 'completeEvent',
				action: 'Complete an event',
				description: 'The whole event is done. Repeats get its result.',
			},
			{
				name: 'Fail Event',
				value: 'failEvent',
				action: 'Fail an event',
				description: 'Give the event up for now, or for a person to look at',
			},
			{
				name: 'Fail Everything an Execution Holds',
				value: 'failExecution',
				action: 'Fail everything an execution holds',
				description: 'For an error workflow that starts with an Error Trigger',
			},
			{
				name: 'Mark Step Done',
				value: 'stepDone',
				action: 'Mark a step done',
				description: 'One side effect of the event is done and is not to be repeated',
			},
			{
				name: 'Renew Lease',
				value: 'renewLease',
				action: 'Renew the lease of an event',
				description: 'Say that this run is still alive, in the middle of long work',
			},
		],
		default: 'stepDone',
	},
	{
		displayName: 'Step Name',
		name: 'step',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. invoice',
		description: 'Names the side effect within its event',
		...forOperations('stepDone'),
	},
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.invoiceNumber }}',
		description: 'What the other system calls the thing that was made there',
		...forOperations('stepDone', 'completeEvent'),
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'json',
		default: '={{ $json }}',
		description: 'What a repeat gets instead of running the step again',
		...forOperations('stepDone'),
	},
	{
		displayName: 'Result',
		name: 'result',
		type: 'json',
		default: '={{ $json }}',
		description: 'What every repeat of the event gets',
		...forOperations('completeEvent'),
	},
	{
		displayName: 'Afterwards the Event',
		name: 'failAs',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'May Be Tried Again',
				value: 'failed',
				description: 'The next delivery goes on where this one stopped',
			},
			{ name: 'Needs Review', value: 'review', description: 'A person decides' },
		],
		default: 'failed',
		...forOperations('failEvent', 'failExecution'),
	},
	{
		displayName: 'Execution ID',
		name: 'executionId',
		type: 'string',
		required: true,
		default: '={{ $json.execution.id }}',
		description: 'The execution that failed. By default the one that an Error Trigger reports.',
		...forOperations('failExecution'),
	},
	{
		displayName: 'Reason',
		name: 'reason',
		type: 'string',
		default:
			'={{ $json.error?.message ?? $json.error ?? $json.execution?.error?.message ?? $json.idempotency?.reason ?? "Failed" }}',
		description: 'Why, for whoever looks at it later',
		...forOperations('failEvent', 'failExecution'),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		...forOperations(...ofHolder),
		options: [
			{
				displayName: 'Allow Failed Steps',
				name: 'allowFailedSteps',
				type: 'boolean',
				default: true,
				description:
					'Whether the event is done although steps of it failed, because the workflow gave them up and undid the rest',
				displayOptions: { show: { '/operation': ['completeEvent'] } },
			},
			{
				displayName: 'How to Undo',
				name: 'undo',
				type: 'json',
				default: '',
				placeholder: 'e.g. { "refund": "{{ $json.charge }}" }',
				description: 'What it takes to take the step back, should the rest fail',
				displayOptions: { show: { '/operation': ['stepDone'] } },
			},
			{
				displayName: 'Key',
				name: 'key',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $("Derive Key").item.json.idempotency.key }}',
				description:
					'The key of the event, where items have lost their way back to Claim Event. Found by itself otherwise.',
			},
			{
				displayName: 'Lease (Minutes)',
				name: 'leaseMinutes',
				type: 'number',
				typeOptions: { minValue: 0.01, numberPrecision: 2 },
				default: 30,
				description: 'How long this run may be silent from now on before it is taken for dead',
				displayOptions: { show: { '/operation': ['renewLease'] } },
			},
			{
				displayName: 'Namespace',
				name: 'namespace',
				type: 'string',
				default: '',
				placeholder: 'e.g. orders',
				description: "The namespace of the 'Key', if Claim Event has one",
			},
			{
				displayName: 'Retry After (Minutes)',
				name: 'retryAfterMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'When the event is handed out to be run again. A delivery does not wait for it.',
				displayOptions: { show: { '/operation': ['failEvent'] } },
			},
		],
	},
];
