/**
 * Everything that this package uses of n8n without a promise of n8n is in this folder. Each use was seen to work on n8n 2.40 and
 * 1.123, says what happens should it stop working, and fails on the safe side.
 *
 * | what | where | without it |
 * |---|---|---|
 * | `runExecutionData.resumeToken` (2.x; read, only its hash is used) | executionIdentity.ts | a random value is kept with the execution instead |
 * | `runExecutionData.executionData.runtimeData`, which n8n hands down to sub-executions (read and written) | inheritedHolders.ts | sub-workflows do not find the claims of their parent: an error |
 * | the node of `getExecuteData()`, in which n8n looks up the error settings (replaced) | failClosed.ts | 'Continue' and 'Always Output Data' would work as in other nodes |
 * | `runExecutionData.executionData.nodeExecutionStack[0]` of an execution that waits (read, and its node switched on) | waitingEntry.ts | all items leave through Not Approved |
 * | the node and workflow of a context, to sign a link for another node | waitingNode.ts | an error |
 * | `__emit` of poll functions, as n8n's own triggers use it | startExecutions.ts | an error |
 */
import type { IDataObject, IExecuteData } from 'n8n-workflow';

/** Of what n8n keeps of an execution, the parts that are used here. Any may be missing. */
export interface RunExecutionData {
	resumeToken?: unknown;
	executionData?: {
		nodeExecutionStack?: IExecuteData[];
		/** Also called the execution context. A sub-execution begins with a copy of its parent's. */
		runtimeData?: IDataObject;
	};
}

export function runExecutionDataOf(context: object): RunExecutionData {
	return (context as { runExecutionData?: RunExecutionData }).runExecutionData ?? {};
}
