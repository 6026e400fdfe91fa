import type {
	IDataObject,
	IExecuteResponsePromiseData,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { RunOptions } from './engine';
import type { WorkflowJson } from './workflow';

/** One execution, as n8n would store it, and short ways to look into it. */
export class EngineRun {
	constructor(
		readonly executionId: string,
		readonly run: IRun,
		/** What nodes answered the webhook with. */
		readonly responses: IExecuteResponsePromiseData[],
		/** What it was started with, for a retry. */
		readonly workflow: WorkflowJson,
		readonly options: RunOptions,
	) {}

	get status(): string {
		return this.run.status;
	}

	get data(): IRunExecutionData {
		return this.run.data;
	}

	/** What stopped the execution. */
	get error() {
		return this.data.resultData.error as
			| (Error & { description?: string; context?: IDataObject })
			| undefined;
	}

	/** What nodes noted about the execution with `customData`. */
	get metadata(): Record<string, string> {
		return this.data.resultData.metadata ?? {};
	}

	/** Names of the nodes that ran. */
	get nodes(): string[] {
		return Object.keys(this.data.resultData.runData);
	}

	task(node: string, runIndex = 0): ITaskData {
		const task = this.data.resultData.runData[node]?.[runIndex];
		if (!task) throw new Error(`'${node}' did not run for the ${runIndex + 1}. time`);
		return task;
	}

	/** How often a node ran. */
	runs(node: string): number {
		return this.data.resultData.runData[node]?.length ?? 0;
	}

	items(node: string, output = 0, runIndex = 0): INodeExecutionData[] {
		return this.task(node, runIndex).data?.main[output] ?? [];
	}

	json(node: string, output = 0, runIndex = 0): IDataObject[] {
		return this.items(node, output, runIndex).map((item) => item.json);
	}

	hints(node: string, runIndex = 0): NodeExecutionHint[] {
		return this.task(node, runIndex).hints ?? [];
	}
}
