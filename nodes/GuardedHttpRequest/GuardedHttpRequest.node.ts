import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { ledgerConnectionTest } from '../shared/ledgerConnectionTest';
import { CREDENTIALS } from './credentials';
import { execute } from './execute';
import { properties } from './properties';

export class GuardedHttpRequest implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Guarded HTTP Request',
		name: 'guardedHttpRequest',
		icon: {
			light: 'file:../../icons/guarded-http-request.svg',
			dark: 'file:../../icons/guarded-http-request.dark.svg',
		},
		group: ['transform'],
		version: [1],
		subtitle: '={{ $parameter["method"] + ": " + $parameter["url"] }}',
		description: 'Make an HTTP request once, and give repeats its stored answer',
		defaults: { name: 'Guarded HTTP Request' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Done', 'Needs Review'],
		credentials: CREDENTIALS,
		properties,
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
