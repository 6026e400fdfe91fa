import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Ledger, TakeRequest, WorkKind } from '../../ledger/Ledger';
import type { EventState, EventSummary } from '../../ledger/records';
import { describeDetails } from '../shared/describeEvent';
import { runAgainItem } from './runAgain';
import type { TriggerOn } from './TriggerOn';

const STATE_OF: Record<WorkKind, EventState> = {
	stuck: 'processing',
	failed: 'failed',
	review: 'review',
	expired_gate: 'waiting',
};

/** For a test by hand: the most urgent event, or one that may become it. Nothing is taken. */
export async function sample(
	node: IPollFunctions,
	ledger: Ledger,
	triggerOn: TriggerOn,
	{ kinds, namespace }: TakeRequest,
): Promise<INodeExecutionData[]> {
	const pages = await Promise.all(
		kinds.map((kind) => ledger.list({ state: STATE_OF[kind], namespace, limit: 1 })),
	);
	const urgency = ({ dueAt = Infinity }: EventSummary) => dueAt;
	const [first] = pages.flatMap(({ events }) => events).sort((a, b) => urgency(a) - urgency(b));
	const [details] = first ? await ledger.get([first]) : [];
	if (!details) return [];
	if (triggerOn === 'runAgain') return [runAgainItem(node, details)];
	return [{ json: describeDetails(node, details, await ledger.history(details.event)) }];
}
