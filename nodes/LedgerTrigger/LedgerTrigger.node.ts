import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { ledgerConnectionTest } from '../shared/ledgerConnectionTest';
import { poll } from './poll';
import { properties } from './properties';

export class LedgerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Ledger Trigger',
		name: 'ledgerTrigger',
		icon: {
			light: 'file:../../icons/ledger-trigger.svg',
			dark: 'file:../../icons/ledger-trigger.dark.svg',
		},
		group: ['trigger'],
		version: [1],
		subtitle:
			'={{ ({ runAgain: "run again", attention: "needs attention", summary: "summary" })[$parameter["triggerOn"]] }}',
		description: 'Start a workflow for events that got stuck, failed or need somebody',
		defaults: { name: 'Ledger Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'idempotencyLedgerApi', required: true, testedBy: 'ledgerConnectionTest' },
		],
		properties,
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
