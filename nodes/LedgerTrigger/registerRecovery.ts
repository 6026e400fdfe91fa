import type { IPollFunctions } from 'n8n-workflow';

import type { Ledger, TakeRequest } from '../../ledger/Ledger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Where the polls follow a cron expression. */
const UNKNOWN_INTERVAL_MS = HOUR;

/** For how many polls a registration is good: one may be late, and another may fail. */
const POLLS = 3;

/** Of frequent polls: n8n may be restarted in between. */
const SHORTEST_MS = 10 * MINUTE;

const INTERVALS: Record<string, number> = {
	everyMinute: MINUTE,
	everyHour: HOUR,
	everyDay: 24 * HOUR,
	everyWeek: 7 * 24 * HOUR,
	everyMonth: 31 * 24 * HOUR,
};

interface PollTime {
	mode?: string;
	value?: number;
	unit?: 'minutes' | 'hours';
}

/**
 * Tells the ledger that unfinished events of the namespace are run again from here, so that senders need not keep them. Only where that
 * is true of all: what stopped and what failed.
 */
export async function registerRecovery(
	node: IPollFunctions,
	ledger: Ledger,
	{ kinds, namespace }: TakeRequest,
): Promise<void> {
	if (!kinds.includes('stuck') || !kinds.includes('failed')) return;
	const by = `workflow ${node.getWorkflow().id ?? '(new)'}, node ${node.getNode().name}`;
	await ledger.registerRecovery({ by, namespace, forMs: validFor(pollTimes(node)) });
}

/** Until it should have registered again. */
export function validFor(times: PollTime[]): number {
	const intervals = times.map(intervalOf);
	const shortest = Math.min(...(intervals.length > 0 ? intervals : [UNKNOWN_INTERVAL_MS]));
	return Math.max(POLLS * shortest, SHORTEST_MS);
}

function pollTimes(node: IPollFunctions): PollTime[] {
	// A parameter that n8n adds to all nodes that poll.
	const { item = [] } = (node.getNode().parameters.pollTimes ?? {}) as { item?: PollTime[] };
	return item;
}

function intervalOf({ mode = '', value = 0, unit }: PollTime): number {
	if (mode === 'everyX' && value > 0) return value * (unit === 'minutes' ? MINUTE : HOUR);
	return INTERVALS[mode] ?? UNKNOWN_INTERVAL_MS;
}
