import type { NodeExecutionHint } from 'n8n-workflow';

import { idempotencyOf } from '../shared/item/idempotency';
import { Output, type Routed } from './routing';

/** "3 sent, 1 replayed", and what somebody should know. */
export function hints(routed: Routed[]): NodeExecutionHint[] {
	const counts = new Map<string, number>();
	for (const { outcome } of routed) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	const summary = [...counts].map(([outcome, count]) => `${count} ${outcome.replace('_', ' ')}`);
	const found: NodeExecutionHint[] = [hint(summary.join(', '), 'info')];
	const done = routed.filter(({ output }) => output === Output.Done);
	for (const field of ['note', 'bodyNotStored']) {
		const [first, ...others] = done.flatMap(({ item }) => {
			const note = idempotencyOf(item)[field];
			return typeof note === 'string' ? [note] : [];
		});
		if (first === undefined) continue;
		const what = field === 'note' ? first : `A repeat will not get the body: ${first}`;
		found.push(hint(others.length > 0 ? `${what} (and ${others.length} more)` : what, 'warning'));
	}
	return found;
}

function hint(message: string, type: NodeExecutionHint['type']): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}
