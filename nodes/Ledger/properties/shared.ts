import type { INodeProperties } from 'n8n-workflow';

/** A resource's choice of operations, and the fields that only it has. */
export interface ResourceProperties {
	operation: INodeProperties[];
	fields: INodeProperties[];
}

export function show(resource: string, ...operations: string[]) {
	return { displayOptions: { show: { resource: [resource], operation: operations } } };
}

export function operations(
	resource: string,
	options: INodeProperties['options'],
	value: string,
): INodeProperties[] {
	return [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options,
			default: value,
		},
	];
}

const KEY: INodeProperties = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	required: true,
	default: '={{ $json.idempotency?.key ?? $json.key }}',
	description: 'The key of the event, as Claim Event has it. By default that of the item.',
};

const NAMESPACE: INodeProperties = {
	displayName: 'Namespace',
	name: 'namespace',
	type: 'string',
	default: '={{ $json.idempotency?.namespace ?? $json.namespace }}',
	description:
		'The namespace of the event. By default that of the item; empty means the namespace of this workflow.',
};

const OF_ONE_EVENT: Array<[resource: string, ...operations: string[]]> = [
	[
		'event',
		'complete',
		'delete',
		'fail',
		'get',
		'getHistory',
		'release',
		'runAgain',
		'sendToReview',
	],
	['import', 'importDone', 'reconcile'],
	['review', 'resolve', 'resolveStep'],
	['step', 'getMany', 'getUndos', 'markUndone'],
];

/** n8n wants a field of its own for each combination that does not multiply out. */
export const addressProperties: INodeProperties[] = OF_ONE_EVENT.flatMap(([resource, ...names]) => [
	{ ...KEY, ...show(resource, ...names) },
	{
		...NAMESPACE,
		// Sources of truth do not know of namespaces.
		...(resource === 'import' && {
			default: '',
			description: 'The namespace of the events. Empty means that of this workflow.',
		}),
		...show(resource, ...names),
	},
]);

/** For lists and figures, which may be about everything. */
export const namespaceProperties: INodeProperties[] = (
	[
		['event', 'getMany'],
		['review', 'getMany'],
		['statistics', 'get', 'getReport'],
	] as Array<[string, ...string[]]>
).flatMap(([resource, ...names]) => [
	{
		displayName: 'Only One Namespace',
		name: 'inNamespace',
		type: 'boolean' as const,
		default: false,
		description: 'Whether to leave out the events of all other namespaces',
		...show(resource, ...names),
	},
	{
		displayName: 'Namespace',
		name: 'namespace',
		type: 'string' as const,
		default: '',
		placeholder: 'e.g. orders',
		description: 'Empty means that of this workflow',
		displayOptions: {
			show: { resource: [resource], operation: names, inNamespace: [true] },
		},
	},
]);

const BY: INodeProperties = {
	displayName: 'By',
	name: 'by',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. olga@example.com',
	description: 'Who decides this. It is kept in the history of the event.',
};

const REASON: INodeProperties = {
	displayName: 'Reason',
	name: 'reason',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Looked it up: the invoice was sent',
	description: 'Why. It is kept in the history of the event.',
};

const BY_OPERATOR = ['complete', 'delete', 'fail', 'release', 'runAgain', 'sendToReview'];

export const operatorProperties: INodeProperties[] = [
	{ ...BY, ...show('event', ...BY_OPERATOR) },
	{ ...BY, ...show('review', 'resolve', 'resolveStep') },
	{
		...BY,
		required: false,
		description:
			'Who undoes the steps. Leave empty in the run that has the claim; by name, only what no run is working on can be undone.',
		...show('step', 'getUndos', 'markUndone'),
	},
	{ ...REASON, ...show('event', ...BY_OPERATOR) },
	{ ...REASON, ...show('review', 'resolve', 'resolveStep') },
	{ ...REASON, required: false, ...show('step', 'markUndone') },
];
