import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** Of an execution, as nodes see it, only who it is and what it keeps. */
export interface FakeExecution extends IExecuteFunctions {
	/** What n8n writes to its database. */
	saved(): object;
	/** Read back from there: by another worker, or with another ID for a retry by hand. */
	savedAndRead(executionId: string): FakeExecution;
	/** Called by a node of this execution, as n8n starts it. */
	subExecution(executionId: string): FakeExecution;
}

interface RunData {
	resumeToken?: string;
	executionData: { contextData: { flow: IDataObject }; runtimeData: IDataObject };
}

interface Start {
	resumeToken?: string;
	context?: IDataObject;
	runtimeData?: IDataObject;
}

export function execution(executionId: string, start: Start = {}): FakeExecution {
	const { context = {}, runtimeData = {} } = start;
	const resumeToken = 'resumeToken' in start ? start.resumeToken : `token of ${executionId}`;
	return fake(executionId, {
		...(resumeToken !== undefined && { resumeToken }),
		executionData: { contextData: { flow: context }, runtimeData },
	});
}

function fake(executionId: string, runExecutionData: RunData): FakeExecution {
	const { contextData, runtimeData } = runExecutionData.executionData;
	return {
		runExecutionData,
		getExecutionId: () => executionId,
		getInstanceId: () => 'instance',
		getContext: () => contextData.flow,
		saved: () => runExecutionData,
		savedAndRead: (id: string) => fake(id, JSON.parse(JSON.stringify(runExecutionData)) as RunData),
		subExecution: (id: string) =>
			execution(id, { runtimeData: { ...runtimeData, parentExecutionId: executionId } }),
	} as unknown as FakeExecution;
}
