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

export class ClaimEvent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Claim Event',
		name: 'claimEvent',
		icon: {
			light: 'file:../../icons/claim-event.svg',
			dark: 'file:../../icons/claim-event.dark.svg',
		},
		group: ['transform'],
		version: [1],
		subtitle:
			'={{ $parameter["operation"] === "claimStep" ? "step: " + $parameter["step"] : "event" }}',
		description: 'Let only the first delivery of an event through, and give repeats its result',
		defaults: { name: 'Claim Event' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['New', 'Duplicate', 'Needs Review'],
		credentials: [
			{ name: 'idempotencyLedgerApi', required: true, testedBy: 'ledgerConnectionTest' },
		],
		properties,
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
