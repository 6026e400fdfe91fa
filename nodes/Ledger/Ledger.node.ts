import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { ledgerConnectionTest } from '../shared/ledgerConnectionTest';
import { execute } from './execute';
import { properties } from './properties';

export class Ledger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Ledger',
		name: 'ledger',
		icon: {
			light: 'file:../../icons/ledger.svg',
			dark: 'file:../../icons/ledger.dark.svg',
		},
		group: ['transform'],
		version: [1],
		subtitle: '={{ $parameter["resource"] + ": " + $parameter["operation"] }}',
		description: 'Look up events, decide about them, undo their steps, import and count them',
		defaults: { name: 'Ledger' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'idempotencyLedgerApi', required: true, testedBy: 'ledgerConnectionTest' },
		],
		properties,
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await execute(this)];
	}
}
