import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Ledger, ListRequest } from '../../ledger/Ledger';
import type { EventSummary } from '../../ledger/records';
import { describeEvent } from '../shared/describeEvent';
import { namespaceOf } from '../shared/namespace';
import { text } from '../shared/text';

/** What the ledger gives at once. */
const PAGE = 1000;

interface Filters {
	executionId?: string;
	externalId?: string;
	fingerprint?: string;
	keyPart?: string;
	keyPrefix?: string;
	createdAfter?: string;
	createdBefore?: string;
}

/** Lists events for each item of the input, page by page until there are enough. */
export async function listEvents(
	node: IExecuteFunctions,
	ledger: Ledger,
	state: ListRequest['state'],
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (const i of node.getInputData().keys()) {
		const most = (node.getNodeParameter('returnAll', i) as boolean)
			? Infinity
			: (node.getNodeParameter('limit', i) as number);
		const request = { ...filtersOf(node, i), state };
		for await (const event of pages(ledger, request, most)) {
			output.push({ json: describeEvent(node, event), pairedItem: { item: i } });
		}
	}
	return output;
}

export async function* pages(
	ledger: Ledger,
	request: ListRequest,
	most = Infinity,
): AsyncGenerator<EventSummary> {
	let cursor: string | undefined;
	let left = most;
	do {
		const page = await ledger.list({ ...request, limit: Math.min(left, PAGE), cursor });
		yield* page.events;
		left -= page.events.length;
		({ cursor } = page);
	} while (cursor !== undefined && left > 0);
}

function filtersOf(node: IExecuteFunctions, itemIndex: number): ListRequest {
	const filters = node.getNodeParameter('filters', itemIndex, {}) as Filters;
	const inNamespace = node.getNodeParameter('inNamespace', itemIndex) as boolean;
	return {
		...(inNamespace && {
			namespace: namespaceOf(
				node,
				{ namespace: node.getNodeParameter('namespace', itemIndex) },
				itemIndex,
			),
		}),
		executionId: text(filters.executionId),
		externalId: text(filters.externalId),
		fingerprint: text(filters.fingerprint),
		keyPart: text(filters.keyPart),
		keyPrefix: text(filters.keyPrefix),
		createdAfter: timeOf(node, filters.createdAfter, 'Created After', itemIndex),
		createdBefore: timeOf(node, filters.createdBefore, 'Created Before', itemIndex),
	};
}

export function timeOf(
	node: IExecuteFunctions,
	value: unknown,
	name: string,
	itemIndex: number,
): number | undefined {
	const written = text(value);
	if (written === undefined) return undefined;
	const time = typeof value === 'object' ? Number(value) : Date.parse(written);
	if (!Number.isNaN(time)) return time;
	throw new NodeOperationError(node.getNode(), `'${name}' is '${written}', which is no date`, {
		itemIndex,
		description: 'Use a date and time like 2026-01-31T12:00:00Z',
	});
}
