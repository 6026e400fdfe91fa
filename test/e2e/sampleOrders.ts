import type { WorkflowJson } from '../../scripts/n8n/N8nApi';

const orders = [{ id: 'A-1' }, { id: 'A-2' }, { id: 'A-1' }];

/** Three orders, two of them the same, and a key for each. */
export const sampleOrders: WorkflowJson = {
	name: 'Sample orders',
	nodes: [
		{
			id: 'start',
			name: 'Run by Hand',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'sample',
			name: 'Sample Orders',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [220, 0],
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ orders }), options: {} },
		},
		{
			id: 'split',
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [440, 0],
			parameters: { fieldToSplitOut: 'orders', options: {} },
		},
		{
			id: 'key',
			name: 'Derive Key',
			type: 'n8n-nodes-idempotency.deriveKey',
			typeVersion: 1,
			position: [660, 0],
			parameters: { source: 'field', value: '={{ $json.id }}' },
		},
	],
	connections: {
		'Run by Hand': { main: [[{ node: 'Sample Orders', type: 'main', index: 0 }]] },
		'Sample Orders': { main: [[{ node: 'Split Out', type: 'main', index: 0 }]] },
		'Split Out': { main: [[{ node: 'Derive Key', type: 'main', index: 0 }]] },
	},
	settings: { executionOrder: 'v1' },
};
