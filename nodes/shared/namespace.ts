import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { text } from './text';

/**
 * The namespace of a node's options: the workflow's own unless another is given. An expression that gives nothing is refused: the
 * event would be looked for in the wrong place and found to be new.
 */
export function namespaceOf(
	node: IExecuteFunctions,
	options: { namespace?: unknown },
	itemIndex: number,
): string {
	const { namespace = '' } = options;
	if ('namespace' in options && (options.namespace === undefined || options.namespace === null)) {
		throw new NodeOperationError(node.getNode(), "The 'Namespace' has no value", {
			itemIndex,
			description: 'Check its expression, or leave the field empty to use the workflow',
		});
	}
	return text(namespace) ?? node.getWorkflow().id ?? 'default';
}
