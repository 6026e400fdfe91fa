import type { INodeProperties } from 'n8n-workflow';

const forTriggers = (...triggers: string[]) => ({
	displayOptions: { show: { triggerOn: triggers } },
});

/** The same inside of the options. */
const optionFor = (...triggers: string[]) => ({
	displayOptions: { show: { '/triggerOn': triggers } },
});

const STUCK = {
	name: 'Stuck',
	value: 'stuck',
	description: 'The run stopped midway: its lease is over',
};
const FAILED = {
	name: 'Failed',
	value: 'failed',
	description: 'The run gave up, and the event may be tried again',
};

export const properties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Events to Run Again',
				value: 'runAgain',
				description:
					'Stuck and failed events, with their stored input, as their first trigger gave it',
			},
			{
				name: 'Events That Need Attention',
				value: 'attention',
				description: 'What a person should know about, with all that the ledger knows',
			},
			{
				name: 'Summary',
				value: 'summary',
				description: 'The statistics of the ledger, at every poll',
			},
		],
		default: 'runAgain',
	},
	{
		displayName:
			"Connect this to the Claim Event node of the workflow, beside its first trigger. Events are claimed by the key that they have in the ledger, finished steps are skipped, and after the last attempt they go to review. Nodes behind it should read the event from <code>$('Claim Event').item.json</code>, and not from the first trigger",
		name: 'runAgainNotice',
		type: 'notice',
		default: '',
		...forTriggers('runAgain'),
	},
	{
		displayName: 'Kinds',
		name: 'kinds',
		type: 'multiOptions',
		noDataExpression: true,
		options: [FAILED, STUCK],
		default: ['stuck', 'failed'],
		...forTriggers('runAgain'),
	},
	{
		displayName: 'Kinds',
		name: 'kinds',
		type: 'multiOptions',
		noDataExpression: true,
		options: [
			{
				name: 'Expired Approval',
				value: 'expired_gate',
				description: 'Nobody decided in time',
			},
			FAILED,
			{ name: 'Needs Review', value: 'review', description: 'A person has to decide about it' },
			STUCK,
		],
		default: ['review', 'expired_gate'],
		description:
			'What is handed out here is not handed out to another Ledger Trigger for the same time',
		...forTriggers('attention'),
	},
	{
		displayName: 'Events Of',
		name: 'eventsOf',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'This Workflow', value: 'workflow' },
			{ name: 'A Namespace', value: 'namespace' },
		],
		default: 'workflow',
		...forTriggers('runAgain'),
	},
	{
		displayName: 'Events Of',
		name: 'eventsOf',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'This Workflow', value: 'workflow' },
			{ name: 'A Namespace', value: 'namespace' },
			{ name: 'All Namespaces', value: 'all' },
		],
		default: 'all',
		...forTriggers('attention', 'summary'),
	},
	{
		displayName: 'Namespace',
		name: 'namespace',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. orders',
		description:
			'The namespace that Claim Event has in its options. If it has none, the ID of that workflow, which also works when the workflow no longer exists.',
		displayOptions: { show: { eventsOf: ['namespace'] } },
	},
	{
		displayName: 'Hand Out Again After (Minutes)',
		name: 'visibilityMinutes',
		type: 'number',
		typeOptions: { minValue: 0.01, numberPrecision: 2 },
		default: 15,
		description:
			'When an event that was handed out and not claimed since is handed out once more. Longer than it may wait in the queue of n8n.',
		...forTriggers('runAgain'),
	},
	{
		displayName: 'Remind After (Minutes)',
		name: 'visibilityMinutes',
		type: 'number',
		typeOptions: { minValue: 0.01, numberPrecision: 2 },
		default: 1440,
		description: 'When an event that still needs attention is handed out once more',
		...forTriggers('attention'),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Days',
				name: 'days',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3660 },
				default: 1,
				description: 'How many days the summary is about, today included',
				...optionFor('summary'),
			},
			{
				displayName: 'Events per Execution',
				name: 'batchSize',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1000 },
				default: 1,
				description:
					'How many events one execution gets. One each keeps an event that fails from taking others with it.',
				...optionFor('runAgain', 'attention'),
			},
			{
				displayName: 'Longest Backoff (Minutes)',
				name: 'maxBackoffMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 60,
				description: 'The backoff grows no further than this',
				...optionFor('runAgain'),
			},
			{
				displayName: 'Max Events per Poll',
				name: 'maxEvents',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1000 },
				default: 50,
				description: 'The most urgent come first',
				...optionFor('runAgain', 'attention'),
			},
			{
				displayName: 'Minimum Age (Minutes)',
				name: 'minAgeMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'Only events that came first at least this long ago',
				...optionFor('runAgain', 'attention'),
			},
			{
				displayName: 'Minimum Attempts',
				name: 'minAttempts',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'Only events that were tried at least this often',
				...optionFor('runAgain', 'attention'),
			},
			{
				displayName: 'Backoff (Minutes)',
				name: 'backoffMinutes',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 2 },
				default: 1,
				description:
					'How long to wait after the first attempt, and twice as long after each further one',
				...optionFor('runAgain'),
			},
		].sort((a, b) => a.displayName.localeCompare(b.displayName)) as INodeProperties[],
	},
];
