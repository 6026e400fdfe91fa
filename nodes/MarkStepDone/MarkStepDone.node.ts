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

export class MarkStepDone implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Mark Step Done',
		name: 'markStepDone',
		icon: {
			light: 'file:../../icons/mark-step-done.svg',
			dark: 'file:../../icons/mark-step-done.dark.svg',
		},
		group: ['transform'],
		version: [1],
		subtitle:
			'={{ ({ stepDone: "step: " + $parameter["step"], completeEvent: "complete event", failEvent: "fail event", renewLease: "renew lease", failExecution: "fail an execution" })[$parameter["operation"]] }}',
		description: 'Record what is finished, so that it is never done again',
		defaults: { name: 'Mark Step Done' },
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
