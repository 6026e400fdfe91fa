import './environment';
import 'reflect-metadata';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	Workflow,
	type ExecuteWorkflowData,
	type ExecuteWorkflowOptions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteWorkflowInfo,
	type IExecuteResponsePromiseData,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IPinData,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { EngineRun } from './EngineRun';
import { NodeTypes } from './nodeTypes';
import { newExecutionId, workflow, type NodeSpec, type WorkflowJson } from './workflow';

export interface RunOptions {
	/** Our node classes, and nodes made with `defineNode`. */
	nodes?: ReadonlyArray<(new () => INodeType) | INodeType>;
	/** What the first node gives out: items, or only their data. */
	items?: Array<INodeExecutionData | IDataObject>;
	/** Decrypted credentials by type; every node that declares a type gets it. */
	credentials?: Record<string, ICredentialDataDecryptedObject>;
	pinData?: IPinData;
	/** `webhook` unless told otherwise: a production run. */
	mode?: WorkflowExecuteMode;
	executionId?: string;
	/** Where the run begins; the first node unless told otherwise. */
	startNode?: string;
	/** When it resolves, somebody presses Stop. */
	stop?: Promise<unknown>;
	/** What an Execute Workflow node can call, by ID. */
	subWorkflows?: WorkflowJson[];
	/** Where their runs are put when they have ended. */
	subRuns?: EngineRun[];
}

/** Runs a workflow from its first node to its end and never throws for what happens inside. */
export async function runWorkflow(
	json: WorkflowJson,
	options: RunOptions = {},
): Promise<EngineRun> {
	const flow = build(json, options);
	const start = flow.getNode(options.startNode ?? json.nodes[0].name);
	if (!start) throw new Error(`There is no node '${options.startNode}' to start from`);
	const items = (options.items ?? [{}]).map(asItem);
	const data = createRunExecutionData({
		resultData: { pinData: options.pinData ?? json.pinData },
		executionData: {
			nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }],
		},
	});
	return await execute(json, flow, data, options);
}

/** The shortest workflow: a trigger, and the node under test with these parameters and settings. */
export async function runNode(
	NodeClass: new () => INodeType,
	parameters: INodeParameters,
	options: RunOptions & { settings?: Partial<NodeSpec>; trigger?: string } = {},
): Promise<EngineRun> {
	const { displayName, name } = new NodeClass().description;
	const json = workflow([
		{ name: 'Trigger', type: options.trigger ?? 'webhook' },
		{ name: displayName, type: name, parameters, ...options.settings },
	]);
	return await runWorkflow(json, { ...options, nodes: [NodeClass, ...(options.nodes ?? [])] });
}

/**
 * What happens when somebody presses Retry on a failed execution: the data as it was stored, the failed
 * node first, a new execution id.
 */
export async function retryExecution(
	failed: EngineRun,
	changes: Pick<RunOptions, 'executionId' | 'credentials' | 'nodes'> = {},
): Promise<EngineRun> {
	const options: RunOptions = {
		...failed.options,
		executionId: undefined,
		...changes,
		mode: 'retry',
	};
	const flow = build(failed.workflow, options);
	// n8n reads it back from its database.
	const data = JSON.parse(JSON.stringify(failed.data)) as IRunExecutionData;

	const { resultData, executionData } = data;
	delete resultData.error;
	const lastRuns = resultData.runData[resultData.lastNodeExecuted ?? ''];
	if (lastRuns?.at(-1)?.error !== undefined) lastRuns.pop();
	for (const entry of executionData?.nodeExecutionStack ?? []) {
		entry.node = flow.getNode(entry.node.name) ?? entry.node;
	}
	return await execute(failed.workflow, flow, data, options);
}

/** The workflow as n8n makes it of its JSON. */
export function build(json: WorkflowJson, { nodes = [], credentials = {} }: RunOptions): Workflow {
	const nodeTypes = new NodeTypes(nodes);
	return new Workflow({
		...json,
		nodes: json.nodes.map((node) => {
			const type = nodeTypes.fullName(node.type);
			const declared = nodeTypes.getByName(type).description.credentials ?? [];
			const given = declared.filter(({ name }) => credentials[name]);
			return {
				...node,
				type,
				credentials: Object.fromEntries(
					given.map(({ name }) => [name, { id: `credential-${name}`, name }]),
				),
				...(node.credentials && { credentials: node.credentials }),
			};
		}),
		active: true,
		nodeTypes,
	});
}

/** Goes on from whatever is in `data`. */
export async function execute(
	json: WorkflowJson,
	flow: Workflow,
	data: IRunExecutionData,
	options: RunOptions,
): Promise<EngineRun> {
	const { mode = 'webhook', executionId = newExecutionId() } = options;
	const responses: IExecuteResponsePromiseData[] = [];
	const hooks = new ExecutionLifecycleHooks(mode, executionId, json as IWorkflowBase);
	hooks.addHandler('sendResponse', (response) => void responses.push(response));
	const additionalData = { ...surroundings(executionId, options), hooks };

	const running = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(flow);
	void options.stop?.then(() => running.cancel());
	const run = await running;
	return new EngineRun(executionId, run, responses, json, options);
}

/** Runs another workflow for a node of this one, as n8n's server does it: `getRunData` and `executeWorkflow` of n8n 2.40. */
async function executeSubWorkflow(
	{ id }: IExecuteWorkflowInfo,
	{ inputData = [], parentExecution }: ExecuteWorkflowOptions,
	parent: RunOptions,
): Promise<ExecuteWorkflowData> {
	const json = parent.subWorkflows?.find((each) => each.id === id);
	if (!json) throw new Error(`There is no workflow '${id}' to call`);
	const flow = build(json, parent);
	const start = {
		node: flow.getNode(json.nodes[0].name)!,
		data: { main: [inputData] },
		metadata: { parentExecution },
		source: null,
	};
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [start] },
		parentExecution,
	});
	const { credentials, nodes, subWorkflows, subRuns } = parent;
	const options = { credentials, nodes, subWorkflows, subRuns, mode: 'integrated' as const };
	const run = await execute(json, flow, data, options);
	subRuns?.push(run);
	if (run.error) throw run.error;
	const last = run.data.resultData.lastNodeExecuted!;
	return { executionId: run.executionId, data: run.task(last).data!.main };
}

/** What nodes of ours can reach of n8n's server, which is not here. */
export function surroundings(
	executionId: string,
	options: RunOptions,
): IWorkflowExecuteAdditionalData {
	const { credentials = {} } = options;
	return {
		executionId,
		executeWorkflow: async (
			called: IExecuteWorkflowInfo,
			_data: unknown,
			how: ExecuteWorkflowOptions,
		) => await executeSubWorkflow(called, how, options),
		credentialsHelper: new Credentials(credentials),
		instanceBaseUrl: 'http://localhost:5678/',
		restApiUrl: 'http://localhost:5678/rest',
		webhookBaseUrl: 'http://localhost:5678/webhook',
		webhookTestBaseUrl: 'http://localhost:5678/webhook-test',
		webhookWaitingBaseUrl: 'http://localhost:5678/webhook-waiting',
		formWaitingBaseUrl: 'http://localhost:5678/form-waiting',
		variables: {},
		userId: 'user',
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

function asItem(item: INodeExecutionData | IDataObject): INodeExecutionData {
	const isItem = typeof item.json === 'object' && item.json !== null;
	return isItem ? (item as INodeExecutionData) : { json: item as IDataObject };
}

/** Hands out what it was given; nothing is stored, so nothing is encrypted. */
class Credentials extends ICredentialsHelper {
	constructor(private readonly byType: Record<string, ICredentialDataDecryptedObject>) {
		super();
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: unknown,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.byType[type];
		if (!data) throw new Error(`The run was given no credentials of type '${type}'`);
		return data;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getParentTypes(): string[] {
		return [];
	}

	getCredentialsProperties() {
		return [];
	}

	async authenticate(): Promise<never> {
		return unsupported('authenticate');
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<never> {
		return unsupported('getCredentials');
	}

	async updateCredentials(): Promise<never> {
		return unsupported('updateCredentials');
	}

	async updateCredentialsOauthTokenData(
		_details: unknown,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.byType[type] = data;
	}
}

function unsupported(what: string): never {
	throw new Error(`The harness does not support '${what}' of credentials`);
}
