import type { INodeProperties } from 'n8n-workflow';

import { operations, type ResourceProperties, show } from './shared';

export const listFields = (resource: string): INodeProperties[] => [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		...show(resource, 'getMany'),
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: {
			show: { resource: [resource], operation: ['getMany'], returnAll: [false] },
		},
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		...show(resource, 'getMany'),
		options: [
			{ displayName: 'Created After', name: 'createdAfter', type: 'dateTime', default: '' },
			{ displayName: 'Created Before', name: 'createdBefore', type: 'dateTime', default: '' },
			{
				displayName: 'Execution ID',
				name: 'executionId',
				type: 'string',
				default: '',
				description: 'Only what this execution has or had last',
			},
			{
				displayName: 'External ID',
				name: 'externalId',
				type: 'string',
				default: '',
				description: 'Only events that have it, or one of whose steps has it',
			},
			{
				displayName: 'Fingerprint',
				name: 'fingerprint',
				type: 'string',
				default: '',
				description: "Only events with this content. Needs 'Only One Namespace'.",
			},
			{
				displayName: 'Key Contains',
				name: 'keyPart',
				type: 'string',
				default: '',
				description: 'Looks through all events that the other filters leave, which takes its time',
			},
			{
				displayName: 'Key Starts With',
				name: 'keyPrefix',
				type: 'string',
				default: '',
				description: "Needs 'Only One Namespace'",
			},
		],
	},
];

export const eventProperties: ResourceProperties = {
	operation: operations(
		'event',
		[
			{
				name: 'Complete',
				value: 'complete',
				action: 'Complete an event',
				description: 'It is done, whatever its run says. Repeats get the result.',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete an event',
				description: 'Forget it with all that belongs to it. Its next delivery is new.',
			},
			{
				name: 'Fail',
				value: 'fail',
				action: 'Fail an event',
				description: 'Take it from the run that has it. It may be tried again.',
			},
			{ name: 'Get', value: 'get', action: 'Get an event' },
			{
				name: 'Get History',
				value: 'getHistory',
				action: 'Get the history of an event',
				description: 'What happened to it, oldest first',
			},
			{ name: 'Get Many', value: 'getMany', action: 'Get many events' },
			{
				name: 'Release',
				value: 'release',
				action: 'Release an event',
				description: 'Its next delivery may have it, with all attempts anew',
			},
			{
				name: 'Run Again',
				value: 'runAgain',
				action: 'Run an event again',
				description: 'The Ledger Trigger of its workflow gets it at the next poll',
			},
			{
				name: 'Send to Review',
				value: 'sendToReview',
				action: 'Send an event to review',
				description: 'A person has to decide before anybody works on it again',
			},
		],
		'get',
	),
	fields: [
		{
			displayName: 'State',
			name: 'state',
			type: 'options',
			options: [
				{ name: 'Any', value: '' },
				{ name: 'Done', value: 'done' },
				{ name: 'Failed', value: 'failed' },
				{ name: 'Needs Review', value: 'review' },
				{ name: 'Processing', value: 'processing' },
				{ name: 'Stuck', value: 'stuck', description: 'Processing, and its lease is over' },
				{ name: 'Waiting', value: 'waiting' },
			],
			default: '',
			...show('event', 'getMany'),
		},
		...listFields('event'),
		{
			displayName: 'External ID',
			name: 'externalId',
			type: 'string',
			default: '',
			description: 'What the other system calls the thing that was made there',
			...show('event', 'complete'),
		},
		{
			displayName: 'Result',
			name: 'result',
			type: 'json',
			default: '',
			description: 'What every repeat of the event gets',
			...show('event', 'complete'),
		},
		{
			displayName: 'Retry After (Minutes)',
			name: 'retryAfterMinutes',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description: 'When Ledger Trigger hands it out. A delivery does not wait for it.',
			...show('event', 'fail'),
		},
	],
};
