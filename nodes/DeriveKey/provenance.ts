import type { IExecuteFunctions } from 'n8n-workflow';

/** Nodes that make values of their own, rather than receive or fetch them. */
const MAKERS =
	/\.(set|code|function|functionItem|crypto|dateTime|scheduleTrigger|cron|interval|manualTrigger)$/;

/**
 * Whether a value came into being in this workflow: no node before this one has it, or the first that has
 * it is one that makes values. What a sender sent or a service answered is found in the output of the
 * node that received it.
 */
export function madeInWorkflow(node: IExecuteFunctions, value: string, itemIndex: number): boolean {
	const before = node.getParentNodes(node.getNode().name);
	const holders = before.filter(({ name }) => outputHas(node, name, value, itemIndex));
	if (holders.length === 0) return true;
	const names = new Set(holders.map(({ name }) => name));
	const origins = holders.filter(
		({ name }) => !node.getParentNodes(name).some((parent) => names.has(parent.name)),
	);
	return origins.every(({ type }) => MAKERS.test(type));
}

function outputHas(
	node: IExecuteFunctions,
	name: string,
	value: string,
	itemIndex: number,
): boolean {
	try {
		const { item } = node.getWorkflowDataProxy(itemIndex).$(name) as { item?: { json: unknown } };
		const text = JSON.stringify(item?.json ?? {}).toLowerCase();
		return text.includes(JSON.stringify(value).slice(1, -1).toLowerCase());
	} catch {
		// A node of a branch that did not run, or whose items are not linked to this one.
		return false;
	}
}
