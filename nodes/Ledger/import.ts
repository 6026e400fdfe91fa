import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { idempotencyOf } from '../shared/item/idempotency';
import { jsonParameter } from '../shared/jsonParameter';
import { sendBatch } from '../shared/ledger/sendBatch';
import { text } from '../shared/text';
import { addressOf, forEachItem } from './forEachItem';
import { pages, timeOf } from './list';
import type { Operation } from './Operation';

const DAY = 24 * 60 * 60 * 1000;

interface Options {
	externalId?: string;
	result?: unknown;
	doneAt?: string;
	retentionDays?: number;
}

const importDone: Operation = (node, ledger) =>
	forEachItem(
		node,
		(i) => readImport(node, i),
		(asked) => sendBatch(node, asked, (requests) => ledger.importRecords(requests)),
		(outcome, { namespace, key }, i) => ({
			...node.getInputData()[i].json,
			idempotency: { ...idempotencyOf(node.getInputData()[i]), namespace, key, import: outcome },
		}),
	);

function readImport(node: IExecuteFunctions, i: number) {
	const options = node.getNodeParameter('options', i, {}) as Options;
	const { fingerprint } = idempotencyOf(node.getInputData()[i]);
	return {
		...addressOf(node, i),
		// A later delivery has it too, if it goes through the same Derive Key.
		fingerprint: typeof fingerprint === 'string' ? fingerprint : undefined,
		externalId: text(options.externalId),
		result: jsonParameter(node, options.result, 'Result', i),
		doneAt: timeOf(node, options.doneAt, 'Done At', i),
		retentionMs: Math.round((options.retentionDays ?? 30) * DAY),
	};
}

/** All items together are the source of truth. */
const reconcile: Operation = async (node, ledger) => {
	const items = node.getInputData();
	const wanted = items.map((_, i) => addressOf(node, i));
	const found = await ledger.get(wanted);
	const output: INodeExecutionData[] = [];
	for (const [i, details] of found.entries()) {
		const status = !details ? 'missing' : details.event.state === 'done' ? 'done' : 'unfinished';
		const isWanted = status !== 'done' || node.getNodeParameter('includeMatching', 0) === true;
		if (!isWanted) continue;
		const { reason, state, attempt } = details?.event ?? {};
		const reconciled = { status, ...wanted[i], state, attempt, reason };
		output.push({ json: { ...items[i].json, ...plain(reconciled) }, pairedItem: { item: i } });
	}
	if (node.getNodeParameter('findExtra', 0) !== true) return output;
	return [...output, ...(await extra(ledger, wanted))];
};

/** What the ledger has in the same namespaces and the source has not. */
async function extra(ledger: Ledger, wanted: EventAddress[]): Promise<INodeExecutionData[]> {
	const known = new Set(wanted.map(({ namespace, key }) => JSON.stringify([namespace, key])));
	const output: INodeExecutionData[] = [];
	for (const namespace of new Set(wanted.map((address) => address.namespace))) {
		for await (const { key, state, attempt } of pages(ledger, { namespace })) {
			if (known.has(JSON.stringify([namespace, key]))) continue;
			output.push({ json: { status: 'extra', namespace, key, state, attempt } });
		}
	}
	return output;
}

function plain(fields: object): IDataObject {
	return JSON.parse(JSON.stringify(fields)) as IDataObject;
}

export const operations: Record<string, Operation> = { importDone, reconcile };
