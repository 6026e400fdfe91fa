import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { execute } from './execute';
import { properties } from './properties';

export class DeriveKey implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Derive Key',
		name: 'deriveKey',
		icon: {
			light: 'file:../../icons/derive-key.svg',
			dark: 'file:../../icons/derive-key.dark.svg',
		},
		group: ['transform'],
		version: [1],
		subtitle:
			'={{ ({ auto: "auto-detect sender", preset: $parameter["preset"], field: "field or expression", composite: "composite", content: "content hash", schedule: "schedule slot" })[$parameter["source"]] }}',
		description: 'Give every event a stable key, the same on every delivery',
		defaults: { name: 'Derive Key' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [execute(this)];
	}
}
