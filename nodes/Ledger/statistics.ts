import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Ledger, Stats } from '../../ledger/Ledger';
import { namespaceOf } from '../shared/namespace';
import { statistics, statisticsByDay } from '../shared/statistics';
import type { Operation } from './Operation';
import { renderReport } from './report/render';

/** How many open events the report names. */
const LISTED = 20;

interface Question {
	namespace?: string;
	days: number;
}

function questionOf(node: IExecuteFunctions, i: number): Question {
	const inNamespace = node.getNodeParameter('inNamespace', i) as boolean;
	const namespace = inNamespace
		? namespaceOf(node, { namespace: node.getNodeParameter('namespace', i) }, i)
		: undefined;
	return { namespace, days: node.getNodeParameter('days', i) as number };
}

const forEach =
	(
		show: (
			node: IExecuteFunctions,
			ledger: Ledger,
			i: number,
			asked: Question,
			stats: Stats,
		) => Promise<IDataObject[]>,
	): Operation =>
	async (node, ledger) => {
		const output = [];
		for (const i of node.getInputData().keys()) {
			const asked = questionOf(node, i);
			const shown = await show(node, ledger, i, asked, await ledger.stats(asked));
			output.push(...shown.map((json) => ({ json, pairedItem: { item: i } })));
		}
		return output;
	};

const get = forEach(async (node, _ledger, i, _asked, stats) =>
	node.getNodeParameter('split', i) === 'byDay' ? statisticsByDay(stats) : [statistics(stats)],
);

const getReport = forEach(async (node, ledger, i, { namespace, days }, stats) => {
	const open = await Promise.all(
		(['review', 'failed', 'waiting'] as const).map((state) =>
			ledger.list({ state, namespace, limit: LISTED }),
		),
	);
	const html = renderReport({
		title: node.getNodeParameter('title', i) as string,
		namespace,
		days,
		stats,
		open: open.flatMap(({ events }) => events).slice(0, LISTED),
		at: Date.now(),
	});
	return [{ html }];
});

export const operations: Record<string, Operation> = { get, getReport };
