import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import { type EventDetails, type HistoryEntry, WINNING_OUTCOMES } from '../../ledger/records';
import { describeDetails } from '../shared/describeEvent';

/** From here on hand-outs count. */
const BEGINNINGS: readonly string[] = [...WINNING_OUTCOMES, 'released'];

/**
 * Those of the events that can be run again. The others go to a person: without the input there is nothing to run, and what is handed
 * out again and again and never claimed would go in circles.
 */
export async function runnable(
	ledger: Ledger,
	taken: EventDetails[],
	histories: HistoryEntry[][],
	by: string,
): Promise<EventDetails[]> {
	const reasons = taken.map((details, i) => reasonNotRunnable(details, histories[i], by));
	const stopped = taken.flatMap(({ event: { namespace, key } }, i) => {
		const reason = reasons[i];
		return reason === undefined ? [] : [{ namespace, key, by, as: 'review' as const, reason }];
	});
	// Whatever became of one in the meantime: it is not run from here.
	if (stopped.length > 0) await ledger.failEvents(stopped);
	return taken.filter((_, i) => reasons[i] === undefined);
}

function reasonNotRunnable(
	{ event }: EventDetails,
	history: HistoryEntry[],
	by: string,
): string | undefined {
	if (event.input === undefined) {
		return "It cannot be run again: its input is not stored. Turn 'Store Input' on in Claim Event, or let the sender deliver it again";
	}
	const begun = history.map(({ kind }) => BEGINNINGS.includes(kind)).lastIndexOf(true);
	const handedOut = history
		.slice(begun + 1)
		.filter((entry) => entry.kind === 'taken' && entry.by === by);
	if (handedOut.length <= event.maxAttempts) return undefined;
	return `It was handed out ${event.maxAttempts} times to be run again and never claimed. Check that the Ledger Trigger leads to a Claim Event node`;
}

/** The item as the first trigger gave it, and which event it is. Claim Event and Derive Key know it by that: see `reclaimedEventOf`. */
export function runAgainItem(node: IPollFunctions, details: EventDetails): INodeExecutionData {
	const { input, namespace, key, fingerprint, ...event } = describeDetails(node, details);
	const json = isObject(input) ? input : { input };
	// Other content is nothing to run.
	delete event.conflictingDeliveries;
	return { json: { ...json, idempotency: { namespace, key, fingerprint, runAgain: true, event } } };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
