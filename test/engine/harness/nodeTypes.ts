import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';

import { standIns } from './standIns';

/** What this package is called in node types. */
const PACKAGE = 'n8n-nodes-idempotency';

type NodeClass = new () => INodeType;
type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** A small node of a test's own: counts an effect, throws on the second call, … */
export function defineNode(
	name: string,
	execute: Execute,
	description: Partial<INodeTypeDescription> = {},
): INodeType {
	return {
		description: {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: name,
			defaults: { name },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
			...description,
		},
		execute,
	};
}

/** Ours by class, a test's own by object, and the stand-ins; all also by their short name. */
export class NodeTypes implements INodeTypes {
	private readonly types = new Map<string, INodeType>();

	constructor(nodes: ReadonlyArray<NodeClass | INodeType>) {
		for (const node of standIns(defineNode)) this.add('n8n-nodes-base', node);
		for (const node of nodes) this.add(PACKAGE, typeof node === 'function' ? new node() : node);
	}

	/** The full name that n8n stores in workflow JSON. */
	fullName(type: string): string {
		if (type.includes('.')) return type;
		const known = [...this.types.keys()].filter((name) => name.endsWith(`.${type}`));
		if (known.length === 0) throw new Error(`The harness has no node type '${type}'`);
		return known[known.length - 1];
	}

	getByName(type: string): INodeType {
		return this.getByNameAndVersion(type);
	}

	getByNameAndVersion(type: string): INodeType {
		const found = this.types.get(type);
		if (!found) throw new Error(`The harness has no node type '${type}'`);
		return found;
	}

	getKnownTypes() {
		return {};
	}

	private add(packageName: string, node: INodeType): void {
		this.types.set(`${packageName}.${node.description.name}`, node);
	}
}
