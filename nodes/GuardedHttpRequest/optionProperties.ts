import type { INodeProperties } from 'n8n-workflow';

const seconds = (least: number): INodeProperties['typeOptions'] => ({
	minValue: least,
	numberPrecision: 3,
});

export const optionProperties: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Backoff (Seconds)',
			name: 'backoffSeconds',
			type: 'number',
			typeOptions: seconds(0),
			default: 1,
			description: 'The longest wait after the first attempt. It doubles with each one.',
		},
		{
			displayName: 'Backoff Limit (Seconds)',
			name: 'backoffLimitSeconds',
			type: 'number',
			typeOptions: seconds(0),
			default: 30,
			description: 'What the wait does not grow beyond',
		},
		{
			displayName: 'Check Content',
			name: 'checkContent',
			type: 'boolean',
			default: true,
			description:
				'Whether another method, URL or body under the same step is stopped and needs review',
		},
		{
			displayName: 'Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 5,
			description:
				'How many requests are under way at the same time. A crash leaves at most as many in doubt.',
		},
		{
			displayName: 'Deadline (Seconds)',
			name: 'deadlineSeconds',
			type: 'number',
			typeOptions: seconds(0),
			default: 120,
			description: 'No attempt begins later than this after the first',
		},
		{
			displayName: 'External ID Field',
			name: 'externalIdField',
			type: 'string',
			default: 'id',
			description: 'Where the answer says what the other system calls the thing that was made',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
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
			displayName: 'Key Version',
			name: 'keyVersion',
			type: 'string',
			default: '',
			description:
				'Another text makes another outgoing key, for a provider that has refused the first for good. Leave it alone while a request is in doubt.',
		},
		{
			displayName: 'Longest Wait (Seconds)',
			name: 'longestWaitSeconds',
			type: 'number',
			typeOptions: seconds(0),
			default: 60,
			description:
				'If a server asks for a longer one with Retry-After, the event is given back as failed and due then, instead of holding this execution up',
		},
		{
			displayName: 'Look-Up Delay (Seconds)',
			name: 'lookUpDelaySeconds',
			type: 'number',
			typeOptions: seconds(0),
			default: 10,
			description:
				'How long to wait before asking the destination. It has to be longer than a request may still be under way there.',
		},
		{
			displayName: 'Max Attempts',
			name: 'maxAttempts',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 4,
			description: 'How often the request is sent at most, in this run',
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
			displayName: 'Proxy',
			name: 'proxy',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://myproxy:3128',
			description: 'The HTTP proxy to use',
		},
		{
			displayName: 'Quote the Key',
			name: 'quoteKey',
			type: 'boolean',
			default: false,
			description:
				'Whether to put quotes around the key in a header, as the IETF draft on Idempotency-Key does',
		},
		{
			displayName: 'Redirects',
			name: 'redirect',
			type: 'fixedCollection',
			placeholder: 'Add redirect',
			default: { redirect: {} },
			description: 'A redirected request is sent twice, so it is off unless you say so',
			options: [
				{
					displayName: 'Redirect',
					name: 'redirect',
					values: [
						{
							displayName: 'Follow Redirects',
							name: 'followRedirects',
							type: 'boolean',
							noDataExpression: true,
							default: false,
							description: 'Whether to follow redirects',
						},
						{
							displayName: 'Max Redirects',
							name: 'maxRedirects',
							type: 'number',
							typeOptions: { minValue: 1, maxValue: 50 },
							default: 5,
							description: 'How many to follow at most',
							displayOptions: { show: { followRedirects: [true] } },
						},
					],
				},
			],
		},
		{
			displayName: 'Requests per Second',
			name: 'requestsPerSecond',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 3 },
			default: 0,
			description: 'The pace at which requests are begun; 0 is as fast as they go',
		},
		{
			displayName: 'Require Approval',
			name: 'approval',
			type: 'fixedCollection',
			placeholder: 'Add approval',
			default: {},
			description:
				'Send only what a person has approved. The ledger is asked right before, whatever branch the item came from.',
			options: [
				{
					displayName: 'Approval',
					name: 'values',
					values: [
						{
							displayName: 'Gate',
							name: 'gate',
							type: 'string',
							default: '',
							placeholder: 'e.g. Approve Refund',
							description: 'The name of the gate',
						},
						{
							displayName: 'Approved Content',
							name: 'content',
							type: 'json',
							default: '',
							description:
								"The same as the option 'Approved Content' of the gate. Empty: the body of the request.",
						},
					],
				},
			],
		},
		{
			displayName: 'Response',
			name: 'response',
			type: 'fixedCollection',
			placeholder: 'Add response',
			default: { response: {} },
			options: [
				{
					displayName: 'Response',
					name: 'response',
					values: [
						{
							displayName: 'Response Format',
							name: 'responseFormat',
							type: 'options',
							noDataExpression: true,
							options: [
								{ name: 'Autodetect', value: 'autodetect' },
								{ name: 'File', value: 'file', description: 'A file is never stored' },
								{ name: 'JSON', value: 'json' },
								{ name: 'Text', value: 'text' },
							],
							default: 'autodetect',
							description: 'What to make of the body of the answer',
						},
						{
							displayName: 'Put Output in Field',
							name: 'outputPropertyName',
							type: 'string',
							default: 'data',
							description: 'The name of the binary field for a file',
							displayOptions: { show: { responseFormat: ['autodetect', 'file'] } },
						},
					],
				},
			],
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 60000,
			description: 'How long to wait for an answer, in milliseconds',
		},
	],
};
