import {
	NodeConnectionTypes,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type ISourceData,
} from 'n8n-workflow';

import type { defineNode } from './nodeTypes';

const { Main } = NodeConnectionTypes;

const passOn = async function (this: IExecuteFunctions) {
	return [this.getInputData()];
};

/** A trigger gives out the items that the run was started with. */
const TRIGGERS = [
	'manualTrigger',
	'webhook',
	'scheduleTrigger',
	'errorTrigger',
	'executeWorkflowTrigger',
	'shopifyTrigger',
	'slackTrigger',
];

/**
 * Nodes of n8n-nodes-base, each reduced to what it does to items and their links. Parameters are simpler
 * than the real ones where those are complicated; their names are the real ones where they are used.
 */
export function standIns(define: typeof defineNode): INodeType[] {
	return [
		...TRIGGERS.map((name) => define(name, passOn, { group: ['trigger'], inputs: [] })),
		define('noOp', passOn),

		// Edit Fields: `fields` is an object of values or expressions.
		define(
			'set',
			async function () {
				const items = this.getInputData().map((item, i) => ({
					json: { ...item.json, ...(this.getNodeParameter('fields', i) as IDataObject) },
					pairedItem: { item: i },
				}));
				return [items];
			},
			{
				properties: [{ displayName: 'Fields', name: 'fields', type: 'json', default: {} }],
			},
		),

		// Merge, mode Append.
		define(
			'merge',
			async function () {
				const inputs = [0, 1].flatMap((input) =>
					this.getInputData(input).map((item, i) => ({
						...item,
						pairedItem: { item: i, input },
					})),
				);
				return [inputs];
			},
			{ inputs: [Main, Main] },
		),

		// Split Out: one item per element of the list in `fieldToSplitOut`.
		define(
			'splitOut',
			async function () {
				const path = (this.getNodeParameter('fieldToSplitOut', 0) as string).split('.');
				const items = this.getInputData().flatMap((item, i) => {
					const list = path.reduce<unknown>(
						(found, name) => (found as IDataObject)[name],
						item.json,
					);
					return (list as IDataObject[]).map((json) => ({ json, pairedItem: { item: i } }));
				});
				return [items];
			},
			{
				properties: [
					{ displayName: 'Field', name: 'fieldToSplitOut', type: 'string', default: '' },
				],
			},
		),

		// Loop Over Items: outputs Done and Loop, `batchSize` items a round.
		define(
			'splitInBatches',
			async function () {
				const state = this.getContext('node') as {
					waiting?: INodeExecutionData[];
					processed?: INodeExecutionData[];
				};
				const size = this.getNodeParameter('batchSize', 0) as number;
				const linked = (source?: ISourceData) =>
					this.getInputData().map((item, i) => ({
						...item,
						// Items of a later round come from the node of the first round all the same.
						pairedItem: { item: i, ...(source && { sourceOverwrite: source }) },
					}));
				if (state.waiting) {
					state.processed = [...(state.processed ?? []), ...linked(this.getInputSourceData())];
				} else {
					state.waiting = linked(this.getInputSourceData());
				}
				const batch = state.waiting.splice(0, size);
				return batch.length > 0 ? [[], batch] : [state.processed ?? [], []];
			},
			{
				outputs: [Main, Main],
				outputNames: ['done', 'loop'],
				properties: [{ displayName: 'Size', name: 'batchSize', type: 'number', default: 1 }],
			},
		),

		// Execute Sub-workflow, run once with all items.
		define(
			'executeWorkflow',
			async function () {
				const { $execution, $workflow } = this.getWorkflowDataProxy(0) as unknown as {
					$execution: { id: string };
					$workflow: { id: string };
				};
				const { data } = await this.executeWorkflow(
					{ id: this.getNodeParameter('workflowId', 0) as string },
					this.getInputData(),
					undefined,
					{ parentExecution: { executionId: $execution.id, workflowId: $workflow.id } },
				);
				return [
					(data[0] ?? []).map((item, i) => ({
						...item,
						pairedItem: item.pairedItem ?? { item: i },
					})),
				];
			},
			{
				properties: [{ displayName: 'Workflow', name: 'workflowId', type: 'string', default: '' }],
			},
		),

		define('stopAndError', async function () {
			throw new NodeOperationError(this.getNode(), 'Stopped on purpose');
		}),
	];
}
