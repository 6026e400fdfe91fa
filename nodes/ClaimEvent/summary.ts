import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { idempotencyOf } from '../shared/item/idempotency';
import type { Routed } from './routing';

/** n8n keeps 512 characters, but complains in its log from 256 on. */
const CUSTOM_DATA_LENGTH = 255;

/** "3 new, 1 duplicate" */
export function summary(routed: Routed[]): string {
	const counts = new Map<string, number>();
	for (const { outcome } of routed) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	return [...counts].map(([outcome, count]) => `${count} ${outcome.replace('_', ' ')}`).join(', ');
}

export function hints(node: IExecuteFunctions, routed: Routed[]): NodeExecutionHint[] {
	const found: NodeExecutionHint[] = [hint(summary(routed), 'info')];
	const sameContent = routed.filter(({ item }) => idempotencyOf(item).sameContentAs !== undefined);
	if (sameContent.length > 0) {
		found.push(
			hint(
				`${sameContent.length} of the new items have the same content as an event with another key, named in 'sameContentAs': probably duplicates`,
				'warning',
			),
		);
	}
	const all = node.getExecuteData().data.main?.[0]?.length ?? 0;
	if (all > routed.length) {
		found.push(
			hint(
				`'Execute Once' is on: ${all - routed.length} of ${all} items were not claimed and go nowhere`,
				'warning',
			),
		);
	}
	return found;
}

function hint(message: string, type: NodeExecutionHint['type']): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

/** Notes keys and outcomes with the execution, so that it is found by them. A node may run often in one execution. */
export function noteOnExecution(node: IExecuteFunctions, routed: Routed[]): void {
	const keys = routed.flatMap(({ key }) => key ?? []);
	if (keys.length === 0) return;
	// Older versions of n8n do not have it.
	const note = (name: string, values: string[]) => {
		const before = node.customData?.get(name);
		const all = new Set(before ? [before] : []);
		for (const value of values) {
			all.add(value);
			// Each takes a character at least: there is no room for more.
			if (all.size === CUSTOM_DATA_LENGTH) break;
		}
		node.customData?.set(name, [...all].join(', ').slice(0, CUSTOM_DATA_LENGTH));
	};
	note('idempotency_key', keys);
	note('idempotency_outcome', [summary(routed)]);
}

/** All there is to say to an agent, in one item. */
export function toolSummary(routed: Routed[]): INodeExecutionData {
	const events = routed.map(({ outcome, key, item }) => {
		const { claimed, result, reason, step } = idempotencyOf(item);
		return { key, outcome, claimed, result, reason, step };
	});
	return {
		json: JSON.parse(JSON.stringify({ summary: summary(routed), events })) as IDataObject,
		pairedItem: routed.map((_, item) => ({ item })),
	};
}
