import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

/**
 * Starts an execution for every `size` items. n8n makes one of what a poll returns; the others are started in the way in which n8n does
 * that itself. Where there is none, as in a test by hand, all go into one.
 */
export function startExecutions(
	node: IPollFunctions,
	items: INodeExecutionData[],
	size: number,
): INodeExecutionData[][] | null {
	if (items.length === 0) return null;
	if (node.getMode() === 'manual') return [items];
	const rest = [...items];
	while (rest.length > size) node.__emit([rest.splice(0, size)]);
	return [rest];
}
