import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { PRESETS, type Evidence, type Preset } from '../../keys/presets';

const normaliseOptions: INodePropertyOptions[] = [
	{
		name: 'Collapse White Space',
		value: 'collapse',
		description: 'Turn every run of spaces, tabs and line breaks into one space',
	},
	{
		name: 'Date',
		value: 'date',
		description: 'Turn dates into ISO 8601 in UTC; a time without an offset counts as UTC',
	},
	{
		name: 'Drop If Empty',
		value: 'dropEmpty',
		description: 'Allow the value to be missing',
	},
	{ name: 'Lower Case', value: 'lower', description: 'Ignore upper and lower case' },
	{
		name: 'Number',
		value: 'number',
		description: 'Turn text such as 10.50 into a number, so that it equals 10.5',
	},
	{ name: 'Trim', value: 'trim', description: 'Remove white space at both ends' },
	{
		name: 'Unicode NFC',
		value: 'nfc',
		description: 'Make letters with accents equal, however they were typed',
	},
	{ name: 'Upper Case', value: 'upper', description: 'Write everything in upper case' },
];

const normalise: Omit<INodeProperties, 'name'> = {
	displayName: 'Normalise',
	type: 'multiOptions',
	noDataExpression: true,
	options: normaliseOptions,
	default: [],
	description: 'What to even out, so that two ways to write the same value give the same key',
};

const evidenceText: Record<Evidence, string> = {
	verified: '',
	secondary: ' (from a secondary source)',
	unverified: ' (not verified)',
};

/** `body:data.id|id?` → `data.id`, in the words of the dropdown. */
function wording(reference: string): string {
	const [place, names] = reference.replace('?', '').split(':');
	const [name] = names.split('|');
	return place === 'header' ? `header ${name}` : name;
}

function presetOption({ id, name, evidence, recipes }: Preset): INodePropertyOptions {
	return {
		name: evidence === 'unverified' ? `${name} (Unverified)` : name,
		value: id,
		description: `Uses ${recipes[0].use.map(wording).join(', ')}${evidenceText[evidence]}`,
	};
}

const presetOptions = PRESETS.map(presetOption).sort((a, b) => a.name.localeCompare(b.name, 'en'));

const unverifiedIds = PRESETS.filter(({ evidence }) => evidence === 'unverified').map(
	({ id }) => id,
);

const sourceProperty: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Auto-Detect Sender',
			value: 'auto',
			description: 'Recognise who sent the event and use what stays the same when it is sent again',
		},
		{
			name: 'Composite',
			value: 'composite',
			description: 'Put several values together, such as order number and status',
		},
		{
			name: 'Content Hash',
			value: 'content',
			description: 'Use a hash of the content, for events that have nothing to name them',
		},
		{
			name: 'Field or Expression',
			value: 'field',
			description: 'Use one value that identifies the event, such as an order number',
		},
		{
			name: 'Provider Preset',
			value: 'preset',
			description: 'Choose the sender yourself',
		},
		{
			name: 'Schedule Slot',
			value: 'schedule',
			description:
				'Use the time slot of a scheduled run, so that it counts once if it starts twice',
		},
	],
	default: 'auto',
	description: 'What identifies an event',
};

const presetProperties: INodeProperties[] = [
	{
		displayName: 'Sender',
		name: 'preset',
		type: 'options',
		noDataExpression: true,
		options: presetOptions,
		default: 'stripe',
		displayOptions: { show: { source: ['preset'] } },
		description: 'Who sends the events',
	},
	{
		displayName:
			'This preset was not checked against the documentation of the sender. Send one event twice and compare the keys before you rely on it.',
		name: 'unverifiedNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { source: ['preset'], preset: unverifiedIds } },
	},
];

const fieldProperties: INodeProperties[] = [
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.body.order_number }}',
		displayOptions: { show: { source: ['field'] } },
		description:
			'The value that identifies the event. It must be the same when the event is delivered again: never a time of this run or a new random ID.',
	},
	{
		...normalise,
		name: 'valueRules',
		displayOptions: { show: { source: ['field'] } },
	},
];

const compositeProperties: INodeProperties[] = [
	{
		displayName: 'Components',
		name: 'components',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true, multipleValueButtonText: 'Add Component' },
		placeholder: 'Add Component',
		default: { values: [{ name: '', value: '', rules: [] }] },
		displayOptions: { show: { source: ['composite'] } },
		description: 'The values that together identify the event, in this order',
		options: [
			{
				displayName: 'Component',
				name: 'values',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						noDataExpression: true,
						default: '',
						placeholder: 'e.g. order',
						description: 'Only for reading: it is shown beside the key and is not a part of it',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. {{ $json.body.order_number }}',
						description: 'One value, the same when the event is delivered again',
					},
					{ ...normalise, name: 'rules' },
				],
			},
		],
	},
];

const contentProperties: INodeProperties[] = [
	{
		displayName: 'Fields to Hash',
		name: 'hashFields',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'All Fields',
				value: 'all',
				description: 'Of a webhook call, all but its headers and address',
			},
			{
				name: 'All Fields Except',
				value: 'except',
				description: 'Leave out fields that change between deliveries',
			},
			{ name: 'Only These Fields', value: 'only', description: 'Every item must have them' },
		],
		default: 'all',
		displayOptions: { show: { source: ['content'] } },
		description: 'Which fields make two events the same',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		requiresDataPath: 'multiple',
		noDataExpression: true,
		default: '',
		required: true,
		placeholder: 'e.g. body.order_number, body.total',
		displayOptions: { show: { source: ['content'], hashFields: ['only', 'except'] } },
		description: 'Names of fields, separated by commas',
	},
	{
		displayName: 'Normalise',
		name: 'normalise',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Rule' },
		placeholder: 'Add Rule',
		default: {},
		displayOptions: { show: { source: ['content'] } },
		description: 'What to even out, so that two ways to write the same content give the same key',
		options: [
			{
				displayName: 'Rule',
				name: 'rules',
				values: [
					{
						displayName: 'Field',
						name: 'field',
						type: 'string',
						requiresDataPath: 'single',
						noDataExpression: true,
						default: '',
						placeholder: 'e.g. body.email',
						description: 'Name of the field. Leave empty for all fields.',
					},
					{ ...normalise, name: 'rules' },
				],
			},
		],
	},
];

const scheduleProperties: INodeProperties[] = [
	{
		displayName: 'Scheduled Time',
		name: 'scheduledTime',
		type: 'string',
		default: '={{ $json.timestamp }}',
		required: true,
		displayOptions: { show: { source: ['schedule'] } },
		description:
			'When the run was due. The Schedule Trigger gives it out as timestamp; the present time would put a delayed run into the wrong slot.',
	},
	{
		displayName: 'Slot Length',
		name: 'slotSize',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 1,
		displayOptions: { show: { source: ['schedule'] } },
		description: 'How long a slot is. Use the interval of the schedule.',
	},
	{
		displayName: 'Slot Unit',
		name: 'slotUnit',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Days', value: 'days' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Months', value: 'months' },
			{ name: 'Seconds', value: 'seconds' },
			{ name: 'Weeks', value: 'weeks' },
		],
		default: 'hours',
		displayOptions: { show: { source: ['schedule'] } },
	},
	{
		displayName: 'Schedule Name',
		name: 'scheduleName',
		type: 'string',
		default: '',
		placeholder: 'e.g. nightly-report',
		displayOptions: { show: { source: ['schedule'] } },
		description:
			'Tells the schedules of several workflows or triggers apart. Leave empty to use the ID of the workflow.',
	},
	{
		displayName: 'Time Zone',
		name: 'timezone',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. Europe/Berlin',
		displayOptions: { show: { source: ['schedule'] } },
		description: 'Where days and hours begin. Leave empty to use the time zone of the workflow.',
	},
];

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Fingerprint Fields',
			name: 'fingerprintFields',
			type: 'string',
			requiresDataPath: 'multiple',
			noDataExpression: true,
			default: '',
			placeholder: 'e.g. body.order_number, body.total',
			description:
				'The fields that define the event, separated by commas. If an event comes again with the same key but with other values in these fields, it is a conflict. Leave empty to use the whole event.',
		},
		{
			displayName: 'Fingerprint Ignored Fields',
			name: 'fingerprintIgnoredFields',
			type: 'string',
			requiresDataPath: 'multiple',
			noDataExpression: true,
			default: '',
			placeholder: 'e.g. body.sent_at',
			description:
				'Fields that may change when the event is delivered again, separated by commas. They never make a conflict.',
		},
		{
			displayName: 'Hash Key',
			name: 'hashKey',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether to replace the readable part of the key with a hash, so that personal data does not show in the ledger',
		},
		{
			displayName: 'Keep Components',
			name: 'keepComponents',
			type: 'boolean',
			noDataExpression: true,
			default: true,
			description:
				'Whether to put the readable values beside the key. Without this option they are kept, unless the key is hashed.',
		},
		{
			displayName: 'Split Batches',
			name: 'splitBatches',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			displayOptions: { show: { '/source': ['auto', 'preset'] } },
			description:
				'Whether to give out one item per event if the sender puts several into one request, as HubSpot, SendGrid and Kit do. Each item keeps the form of the request, with one event in it.',
		},
	],
};

export const properties: INodeProperties[] = [
	sourceProperty,
	...presetProperties,
	...fieldProperties,
	...compositeProperties,
	...contentProperties,
	...scheduleProperties,
	options,
];
