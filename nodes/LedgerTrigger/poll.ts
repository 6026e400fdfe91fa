import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import type { Ledger, TakeRequest, WorkKind } from '../../ledger/Ledger';
import type { EventDetails } from '../../ledger/records';
import { describeDetails } from '../shared/describeEvent';
import { withLedger } from '../shared/ledger/withLedger';
import { startExecutions } from '../shared/n8n/startExecutions';
import { nodeError } from '../shared/nodeErrors';
import { statistics } from '../shared/statistics';
import { text } from '../shared/text';
import { registerRecovery } from './registerRecovery';
import { runnable, runAgainItem } from './runAgain';
import { sample } from './sample';
import type { TriggerOn } from './TriggerOn';

interface Options {
	backoffMinutes?: number;
	batchSize?: number;
	days?: number;
	maxBackoffMinutes?: number;
	maxEvents?: number;
	minAgeMinutes?: number;
	minAttempts?: number;
}

const MINUTE = 60_000;

/** Gives out what it has taken in the ledger, and nothing else: however many processes poll, each event goes to one of them. */
export async function poll(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const triggerOn = node.getNodeParameter('triggerOn') as TriggerOn;
	const options = node.getNodeParameter('options', {}) as Options;
	try {
		const namespace = namespaceOf(node);
		if (triggerOn === 'summary') {
			const { days = 1 } = options;
			const stats = await withLedger(node, (ledger) => ledger.stats({ namespace, days }));
			return [[{ json: statistics(stats) }]];
		}
		const items = await withLedger(node, (ledger) => {
			const request = takeRequest(node, triggerOn, options, namespace);
			return node.getMode() === 'manual'
				? sample(node, ledger, triggerOn, request)
				: takeDueEvents(node, ledger, triggerOn, request);
		});
		return startExecutions(node, items, options.batchSize ?? 1);
	} catch (error) {
		throw nodeError(node, error);
	}
}

async function takeDueEvents(
	node: IPollFunctions,
	ledger: Ledger,
	triggerOn: TriggerOn,
	request: TakeRequest,
): Promise<INodeExecutionData[]> {
	const taken = await ledger.take(request);
	if (triggerOn === 'runAgain') await registerRecovery(node, ledger, request);
	if (taken.length === 0) return [];
	const histories = await ledger.histories(taken.map(({ event }) => event));
	if (triggerOn === 'attention') {
		return taken.map((details, i) => ({ json: describeDetails(node, details, histories[i]) }));
	}
	const found = await runnable(ledger, taken, histories, request.by);
	return found.map((details: EventDetails) => runAgainItem(node, details));
}

function takeRequest(
	node: IPollFunctions,
	triggerOn: TriggerOn,
	options: Options,
	namespace: string | undefined,
): TakeRequest {
	const kinds = node.getNodeParameter('kinds') as WorkKind[];
	if (kinds.length === 0) {
		throw new NodeOperationError(node.getNode(), "'Kinds' is empty, so nothing would ever start", {
			description: 'Choose at least one kind of event',
		});
	}
	const minutes = (value: number) => Math.round(value * MINUTE);
	return {
		kinds,
		namespace,
		limit: options.maxEvents ?? 50,
		visibilityMs: minutes(node.getNodeParameter('visibilityMinutes') as number),
		minAgeMs: minutes(options.minAgeMinutes ?? 0),
		minAttempts: options.minAttempts ?? 0,
		...(triggerOn === 'runAgain' && {
			backoffMs: minutes(options.backoffMinutes ?? 1),
			maxBackoffMs: minutes(options.maxBackoffMinutes ?? 60),
		}),
		by: `Ledger Trigger of workflow ${node.getWorkflow().id ?? '(new)'}`,
	};
}

/** Nothing for all of them. */
function namespaceOf(node: IPollFunctions): string | undefined {
	const eventsOf = node.getNodeParameter('eventsOf') as 'workflow' | 'namespace' | 'all';
	if (eventsOf === 'all') return undefined;
	if (eventsOf === 'workflow') return node.getWorkflow().id ?? 'default';
	const namespace = text(node.getNodeParameter('namespace'));
	if (namespace !== undefined) return namespace;
	throw new NodeOperationError(node.getNode(), "The 'Namespace' is empty", {
		description: 'Name the namespace, or choose whose events are meant in another way',
	});
}
