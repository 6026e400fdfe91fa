import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { METHODS } from '../../http/methods';

// Names and shapes are those of n8n's own HTTP Request node: the editor's cURL import fills them in by name, and nobody has to
// learn them twice.

const nameAndValue: INodeProperties[] = [
	{ displayName: 'Name', name: 'name', type: 'string', default: '' },
	{ displayName: 'Value', name: 'value', type: 'string', default: '' },
];

function pairs(
	displayName: string,
	name: string,
	show: Record<string, Array<string | boolean>>,
	values: INodeProperties[] = nameAndValue,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: { parameters: [{ name: '', value: '' }] },
		options: [{ displayName: 'Parameter', name: 'parameters', values }],
		displayOptions: { show },
	};
}

const contentTypes: INodePropertyOptions[] = [
	{ name: 'Form URL-Encoded', value: 'form-urlencoded' },
	{ name: 'Form-Data (Multipart)', value: 'multipart-form-data' },
	{ name: 'JSON', value: 'json' },
	{ name: 'N8n Binary File', value: 'binaryData' },
	{ name: 'Raw', value: 'raw' },
];

const multipartValues: INodeProperties[] = [
	{
		displayName: 'Parameter Type',
		name: 'parameterType',
		type: 'options',
		options: [
			{ name: 'Form Data', value: 'formData' },
			{ name: 'N8n Binary File', value: 'formBinaryData' },
		],
		default: 'formData',
	},
	{ displayName: 'Name', name: 'name', type: 'string', default: '' },
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		displayOptions: { show: { parameterType: ['formData'] } },
	},
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		default: 'data',
		description: 'The name of the field of the item that holds the file',
		displayOptions: { show: { parameterType: ['formBinaryData'] } },
	},
];

export const requestProperties: INodeProperties[] = [
	{ displayName: '', name: 'curlImport', type: 'curlImport', default: '' },
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: METHODS.map((method) => ({ name: method, value: method })),
		default: 'POST',
		description: 'The request method to use',
	},
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://api.example.com/v1/charges',
		description: 'The URL to make the request to',
	},
];

export const contentProperties: INodeProperties[] = [
	{
		displayName: 'Send Query Parameters',
		name: 'sendQuery',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether the request has query parameters',
	},
	pairs('Query Parameters', 'queryParameters', { sendQuery: [true] }),
	{
		displayName: 'Send Headers',
		name: 'sendHeaders',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether the request has headers of its own',
	},
	pairs('Headers', 'headerParameters', { sendHeaders: [true] }),
	{
		displayName: 'Send Body',
		name: 'sendBody',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether the request has a body',
	},
	{
		displayName: 'Body Content Type',
		name: 'contentType',
		type: 'options',
		options: contentTypes,
		default: 'json',
		description: 'What the body is made of',
		displayOptions: { show: { sendBody: [true] } },
	},
	{
		displayName: 'Specify Body',
		name: 'specifyBody',
		type: 'options',
		options: [
			{
				name: 'Using Fields Below',
				value: 'keypair',
				description: 'Names and values; all values are text',
			},
			{ name: 'Using JSON', value: 'json', description: 'The whole body at once' },
		],
		default: 'json',
		description: 'How the body is given',
		displayOptions: { show: { sendBody: [true], contentType: ['json'] } },
	},
	{
		displayName: 'JSON',
		name: 'jsonBody',
		type: 'json',
		default: '={{ $json }}',
		description: 'The body, as text or as the object that an expression gives',
		displayOptions: { show: { sendBody: [true], contentType: ['json'], specifyBody: ['json'] } },
	},
	pairs('Body Parameters', 'bodyParameters', {
		sendBody: [true],
		contentType: ['json'],
		specifyBody: ['keypair'],
	}),
	pairs('Body Parameters', 'bodyParameters', {
		sendBody: [true],
		contentType: ['form-urlencoded'],
	}),
	pairs(
		'Body Parameters',
		'bodyParameters',
		{ sendBody: [true], contentType: ['multipart-form-data'] },
		multipartValues,
	),
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		default: 'data',
		description: 'The name of the field of the item that holds the file',
		displayOptions: { show: { sendBody: [true], contentType: ['binaryData'] } },
	},
	{
		displayName: 'Content Type',
		name: 'rawContentType',
		type: 'string',
		default: '',
		placeholder: 'e.g. text/xml',
		description: 'What the header Content-Type says',
		displayOptions: { show: { sendBody: [true], contentType: ['raw'] } },
	},
	{
		displayName: 'Body',
		name: 'body',
		type: 'string',
		default: '',
		description: 'The body, sent as it is',
		displayOptions: { show: { sendBody: [true], contentType: ['raw'] } },
	},
];
