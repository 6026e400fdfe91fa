import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { type Place, type Provider, PROVIDERS } from '../../http/providers';

function where(place: Place): string {
	switch (place.in) {
		case 'header':
			return `header ${place.name}`;
		case 'body':
			return `${place.path} in the body`;
		case 'query':
			return `${place.name} in the query`;
		case 'path':
			return 'the URL';
		case 'graphql':
			return `${place.directive} in the query`;
	}
}

function howLong({ retention }: Provider): string {
	if (typeof retention === 'string') return retention;
	const hours = retention / 3_600_000;
	if (hours < 1) return `${Math.round(hours * 60)} minutes`;
	return hours <= 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

function providerOption(provider: Provider): INodePropertyOptions {
	const { id, name, evidence, note } = provider;
	const facts = `Key: ${where(provider.place)}. Recognised: ${howLong(provider)}.`;
	return {
		name: evidence === 'unverified' ? `${name} (Unverified)` : name,
		value: id,
		description: note === undefined ? facts : `${facts} ${note}.`,
	};
}

const forKey = (...values: string[]) => ({ displayOptions: { show: { outgoingKey: values } } });

export const guardProperties: INodeProperties[] = [
	{
		displayName: 'Step Name',
		name: 'step',
		type: 'string',
		default: '',
		placeholder: 'e.g. charge',
		description:
			'Names this side effect within its event. Empty: the name of this node, so that renaming the node makes another step of it. Where an event has several items, add what tells them apart, such as the number of the line.',
	},
	{
		displayName: 'Outgoing Key',
		name: 'outgoingKey',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Auto-Detect Provider',
				value: 'auto',
				description:
					"As the provider of the URL takes it. To any other a header 'Idempotency-Key' is sent, but not relied on.",
			},
			{ name: 'Custom', value: 'custom', description: 'Say how the destination takes it' },
			{ name: 'None', value: 'none', description: 'Send no key' },
			{ name: 'Provider Preset', value: 'provider', description: 'Choose the provider' },
		],
		default: 'auto',
		description:
			'The key by which the destination recognises a repeated request: the same on every attempt and in every execution',
	},
	{
		displayName: 'Provider',
		name: 'provider',
		type: 'options',
		noDataExpression: true,
		options: PROVIDERS.map(providerOption).sort((a, b) => a.name.localeCompare(b.name)),
		default: 'stripe',
		description: 'Where the request goes',
		...forKey('provider'),
	},
	{
		displayName: 'Place of the Key',
		name: 'keyPlace',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Body Field', value: 'body' },
			{ name: 'GraphQL Directive', value: 'graphql' },
			{ name: 'Header', value: 'header' },
			{ name: 'Query Parameter', value: 'query' },
			{
				name: 'URL',
				value: 'path',
				description: 'Where the URL says {idempotencyKey}',
			},
		],
		default: 'header',
		description: 'Where the request carries its key',
		...forKey('custom'),
	},
	{
		displayName: 'Name of the Key',
		name: 'keyName',
		type: 'string',
		default: 'Idempotency-Key',
		description:
			'Of the header, query parameter or GraphQL directive, or the path of the field in the body, such as payment.reference',
		displayOptions: {
			show: { outgoingKey: ['custom'], keyPlace: ['body', 'graphql', 'header', 'query'] },
		},
	},
	{
		displayName: 'Form of the Key',
		name: 'keyEncoding',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: '22 Letters and Digits', value: 'base62' },
			{ name: '26 Characters A–V and 0–9 (Base32hex)', value: 'base32hex' },
			{ name: '32 Hexadecimal Digits', value: 'hex32' },
			{ name: '64 Hexadecimal Digits', value: 'hex64' },
			{ name: 'UUID', value: 'uuid' },
		],
		default: 'hex64',
		description: 'What the destination takes as a key',
		...forKey('custom'),
	},
	{
		displayName: 'Recognised For (Hours)',
		name: 'keyHours',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 3 },
		default: 24,
		description:
			'How long the destination recognises a repeat by its key. With 0 the key is sent, but not relied on.',
		...forKey('custom'),
	},
	{
		displayName: 'Answer 409 Means',
		name: 'keyConflict',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Already Done', value: 'exists', description: 'The step is done' },
			{
				name: 'Still in Progress',
				value: 'in_progress',
				description: 'Ask again with the same key',
			},
			{ name: 'The Request Is Refused', value: 'refused' },
		],
		default: 'refused',
		description: 'What the destination means by 409',
		...forKey('custom'),
	},
	{
		displayName: 'Look Up When in Doubt',
		name: 'lookUp',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to ask the destination if it happened, when nobody else can tell: found means done, not found means send again',
	},
	{
		displayName: 'Look-Up URL',
		name: 'lookUpUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://api.example.com/v1/charges?reference={{ $json.order }}',
		description:
			'Asked with GET and the same authentication. 404 means that it did not happen. {idempotencyKey} stands for the outgoing key.',
		displayOptions: { show: { lookUp: [true] } },
	},
	{
		displayName: 'Results In',
		name: 'lookUpResults',
		type: 'string',
		default: '',
		placeholder: 'e.g. data',
		description:
			'The field of the answer with the list of what was found. Empty: the answer itself. An empty list means that it did not happen; several entries, or one without its external ID, that it is unclear.',
		displayOptions: { show: { lookUp: [true] } },
	},
	{
		displayName: 'Only Results Where',
		name: 'lookUpField',
		type: 'string',
		default: '',
		placeholder: 'e.g. metadata.order',
		description: 'A field of each result that has to have the value below. Empty: all count.',
		displayOptions: { show: { lookUp: [true] } },
	},
	{
		displayName: 'Has the Value',
		name: 'lookUpValue',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.order }}',
		description: 'What the field above has to be',
		displayOptions: { show: { lookUp: [true] } },
	},
	{
		displayName: 'Store',
		name: 'store',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Chosen Fields of the Answer',
				value: 'fields',
				description: 'Status, and only these fields of the body',
			},
			{ name: 'Only the External ID', value: 'id', description: 'Status and external ID' },
			{
				name: 'The Whole Answer',
				value: 'answer',
				description: 'Status, headers and body, without secrets',
			},
		],
		default: 'answer',
		description:
			'What the ledger keeps of the answer, and a repeat gets. The first run gives out the same.',
	},
	{
		displayName: 'Fields',
		name: 'storeFields',
		type: 'string',
		requiresDataPath: 'multiple',
		default: '',
		placeholder: 'e.g. status, charges.data',
		description: 'Fields of the body, separated by commas',
		displayOptions: { show: { store: ['fields'] } },
	},
];
