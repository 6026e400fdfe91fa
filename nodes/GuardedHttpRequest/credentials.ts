import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/**
 * The generic types of authentication, one by one: n8n lets only its own HTTP Request node take a credential of any type. Of the
 * others each has to be named here to be readable.
 */
const TYPES = [
	{ name: 'Basic Auth', value: 'httpBasicAuth' },
	{ name: 'Bearer Auth', value: 'httpBearerAuth' },
	{ name: 'Custom Auth', value: 'httpCustomAuth' },
	{ name: 'Digest Auth', value: 'httpDigestAuth' },
	{ name: 'Header Auth', value: 'httpHeaderAuth' },
	{ name: 'None', value: 'none' },
	{ name: 'OAuth1 API', value: 'oAuth1Api' },
	{ name: 'OAuth2 API', value: 'oAuth2Api' },
	{ name: 'Query Auth', value: 'httpQueryAuth' },
];

export const CREDENTIALS: INodeCredentialDescription[] = [
	{ name: 'idempotencyLedgerApi', required: true, testedBy: 'ledgerConnectionTest' },
	...TYPES.filter(({ value }) => value !== 'none').map(({ value }) => ({
		name: value,
		required: true,
		displayOptions: { show: { authentication: [value] } },
	})),
	{
		name: 'httpSslAuth',
		required: true,
		displayOptions: { show: { provideSslCertificates: [true] } },
	},
];

export const authenticationProperties: INodeProperties[] = [
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		options: TYPES,
		default: 'none',
		description: 'How the request proves who sends it',
	},
	{
		displayName:
			"Credentials of single services cannot be used here: n8n keeps them to its own nodes. Use Header or Bearer Auth with the service's key, or guard n8n's own node: Claim Event (Claim Step) → that node → Mark Step Done.",
		name: 'authenticationNotice',
		type: 'notice',
		default: '',
		displayOptions: { hide: { authentication: ['none'] } },
	},
	{
		displayName: 'SSL Certificates',
		name: 'provideSslCertificates',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		isNodeSetting: true,
		description: 'Whether to prove who sends the request with a TLS client certificate',
	},
];
