import type { ICredentialType, INodeProperties } from 'n8n-workflow';

const forStore = (store: string, more: Record<string, string[]> = {}) => ({
	displayOptions: { show: { store: [store], ...more } },
});

export class IdempotencyLedgerApi implements ICredentialType {
	name = 'idempotencyLedgerApi';

	displayName = 'Idempotency Ledger API';

	icon = { light: 'file:../icons/ledger.svg', dark: 'file:../icons/ledger.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-idempotency/n8n-nodes-idempotency#the-ledger-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Store',
			name: 'store',
			type: 'options',
			options: [
				{
					name: 'Embedded',
					value: 'embedded',
					description: 'A file next to n8n. Nothing to set up. Not for queue mode',
				},
				{
					name: 'Postgres',
					value: 'postgres',
					description: 'For queue mode, and the most durable',
				},
				{
					name: 'Redis',
					value: 'redis',
					description: 'For queue mode. Needs persistence switched on',
				},
			],
			default: 'embedded',
			description: 'Where the ledger keeps who works on what, and what is done',
		},
		{
			displayName: 'File',
			name: 'file',
			type: 'string',
			default: '',
			placeholder: 'e.g. /home/node/.n8n/idempotency/ledger.sqlite',
			description:
				"Full path of the ledger's file. Leave empty for the default in n8n's user folder",
			...forStore('embedded'),
		},
		{
			displayName: 'Connect With',
			name: 'connectWith',
			type: 'options',
			options: [
				{ name: 'Connection URL', value: 'url' },
				{ name: 'Fields', value: 'fields' },
			],
			default: 'fields',
			...forStore('postgres'),
		},
		{
			displayName: 'Connection URL',
			name: 'url',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. postgres://user:password@host:5432/database',
			...forStore('postgres', { connectWith: ['url'] }),
		},
		{
			displayName: 'Host',
			name: 'host',
			type: 'string',
			default: 'localhost',
			...forStore('postgres', { connectWith: ['fields'] }),
		},
		{
			displayName: 'Port',
			name: 'port',
			type: 'number',
			default: 5432,
			...forStore('postgres', { connectWith: ['fields'] }),
		},
		{
			displayName: 'Database',
			name: 'database',
			type: 'string',
			default: 'postgres',
			...forStore('postgres', { connectWith: ['fields'] }),
		},
		{
			displayName: 'User',
			name: 'user',
			type: 'string',
			default: 'postgres',
			...forStore('postgres', { connectWith: ['fields'] }),
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			...forStore('postgres', { connectWith: ['fields'] }),
		},
		{
			displayName: 'Schema',
			name: 'schema',
			type: 'string',
			default: 'idempotency',
			description: 'Created on first use, if the user may. The ledger wants it for itself',
			...forStore('postgres'),
		},
		{
			displayName: 'Pool Size',
			name: 'poolSize',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 10,
			description: 'Most connections that each n8n process opens',
			...forStore('postgres'),
		},
		{
			displayName: 'Topology',
			name: 'topology',
			type: 'options',
			options: [
				{ name: 'Cluster', value: 'cluster' },
				{ name: 'Sentinel', value: 'sentinel' },
				{ name: 'Single Server', value: 'single' },
			],
			default: 'single',
			...forStore('redis'),
		},
		{
			displayName: 'Host',
			name: 'host',
			type: 'string',
			default: 'localhost',
			...forStore('redis', { topology: ['single'] }),
		},
		{
			displayName: 'Port',
			name: 'port',
			type: 'number',
			default: 6379,
			...forStore('redis', { topology: ['single'] }),
		},
		{
			displayName: 'Nodes',
			name: 'nodes',
			type: 'string',
			default: '',
			placeholder: 'e.g. redis-1:6379, redis-2:6379',
			description: 'The sentinels, or some nodes of the cluster, with commas between',
			...forStore('redis', { topology: ['cluster', 'sentinel'] }),
		},
		{
			displayName: 'Master Name',
			name: 'masterName',
			type: 'string',
			default: 'mymaster',
			...forStore('redis', { topology: ['sentinel'] }),
		},
		{
			displayName: 'User',
			name: 'user',
			type: 'string',
			default: '',
			description: "Leave empty for Redis' default user",
			...forStore('redis'),
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			...forStore('redis'),
		},
		{
			displayName: 'Sentinel Password',
			name: 'sentinelPassword',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			...forStore('redis', { topology: ['sentinel'] }),
		},
		{
			displayName: 'Database Number',
			name: 'databaseNumber',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			...forStore('redis', { topology: ['sentinel', 'single'] }),
		},
		{
			displayName: 'Key Prefix',
			name: 'prefix',
			type: 'string',
			default: 'idempotency',
			description: 'What all keys of this ledger start with',
			...forStore('redis'),
		},
		{
			displayName: 'TLS',
			name: 'tls',
			type: 'options',
			options: [
				{ name: 'Off', value: 'off' },
				{ name: 'On', value: 'on' },
				{ name: 'On, With CA Certificate', value: 'ca' },
				{ name: 'On, With Client Certificate', value: 'client' },
			],
			default: 'off',
			displayOptions: { show: { store: ['postgres', 'redis'] } },
		},
		{
			displayName: 'CA Certificate',
			name: 'ca',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. -----BEGIN CERTIFICATE-----',
			description:
				"Who signed the server's certificate. Leave empty to trust the system's authorities",
			displayOptions: { show: { store: ['postgres', 'redis'], tls: ['ca', 'client'] } },
		},
		{
			displayName: 'Client Certificate',
			name: 'certificate',
			type: 'string',
			typeOptions: { rows: 4, password: true },
			default: '',
			placeholder: 'e.g. -----BEGIN CERTIFICATE-----',
			displayOptions: { show: { store: ['postgres', 'redis'], tls: ['client'] } },
		},
		{
			displayName: 'Client Private Key',
			name: 'privateKey',
			type: 'string',
			typeOptions: { rows: 4, password: true },
			default: '',
			placeholder: 'e.g. -----BEGIN PRIVATE KEY-----',
			displayOptions: { show: { store: ['postgres', 'redis'], tls: ['client'] } },
		},
		{
			displayName: 'Ignore TLS Issues (Insecure)',
			name: 'allowUnauthorized',
			type: 'boolean',
			default: false,
			description: "Whether to connect even if the server's certificate cannot be checked",
			displayOptions: { show: { store: ['postgres', 'redis'], tls: ['ca', 'client', 'on'] } },
		},
	];
}
