import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { ledgerConnectionTest } from '../shared/ledgerConnectionTest';
import { execute } from './execute';
import { properties } from './properties';
import { webhook } from './webhook';
import { webhooks } from './webhooks';

export class ApprovalGate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Approval Gate',
		name: 'approvalGate',
		icon: {
			light: 'file:../../icons/approval-gate.svg',
			dark: 'file:../../icons/approval-gate.dark.svg',
		},
		group: ['transform'],
		version: [1],
		subtitle:
			'={{ ({ sendAndWait: "ask and wait: " + $parameter["gate"], request: "request: " + $parameter["gate"], servePage: "serve page" })[$parameter["operation"]] }}',
		description: 'Let a person decide before anything happens. Nothing gets past without it.',
		defaults: { name: 'Approval Gate' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs:
			'={{ $parameter["operation"] === "sendAndWait" ? [{ type: "main", displayName: "Not Approved" }, { type: "main", displayName: "Approved" }] : [{ type: "main" }] }}',
		credentials: [
			{ name: 'idempotencyLedgerApi', required: true, testedBy: 'ledgerConnectionTest' },
		],
		waitingNodeTooltip:
			'=Waiting for a decision. <a href="{{ $execution.resumeUrl }}" target="_blank">Open the page</a>',
		sensitiveOutputFields: ['idempotency.approval.approvalUrl', 'idempotency.approval.links'],
		webhooks,
		properties,
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await webhook(this);
	}
}
