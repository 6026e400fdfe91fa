import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** The nodes behind this one, with their parameters, which n8n's own `getChildNodes` leaves out. */
export function followingNodes(node: IExecuteFunctions): INode[] {
	const { workflow } = node as unknown as { workflow?: { getNode?(name: string): INode | null } };
	return node
		.getChildNodes(node.getNode().name)
		.flatMap(({ name }) => workflow?.getNode?.(name) ?? []);
}

/** Signs links on behalf of another node: n8n signs the address of a node with its ID, and asks no other than the one that waits. */
export function onBehalfOf(
	node: IExecuteFunctions,
	other: INode,
): Pick<IExecuteFunctions, 'getSignedResumeUrl'> {
	return Object.create(node, { node: { value: other } }) as IExecuteFunctions;
}
