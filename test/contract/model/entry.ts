import type {
	EventAddress,
	EventState,
	EventSummary,
	HistoryEntry,
	WinningOutcome,
} from '../../../ledger/records';
import type * as wire from '../../../ledger/Store';

/** All that is known of one event. */
export interface Entry {
	event: wire.StoredEvent;
	token: string;
	claimant: string;
	/** Of the present claim, for the repetition of its command. */
	outcome: WinningOutcome;
	lease: number;
	retention: number;
	keepInput: boolean;
	releasedAttempt: number;
	steps: Map<string, ModelStep>;
	gates: Map<string, Gate>;
	history: HistoryEntry[];
}

export type ModelStep = wire.StoredStep & {
	claimant?: string;
	undoing?: Undoing;
};

/** Until when a step is handed out to be undone, by which call, and of which attempt if its run has it. */
export interface Undoing {
	until: number;
	call: string;
	attempt?: number;
}

export interface Gate {
	approval: wire.StoredApproval;
	/** What each vote was answered. */
	answers: Map<string, wire.DecisionReply['outcome']>;
}

export type Author = { token?: string; by?: string; inState?: EventState };

export function id({ namespace, key }: EventAddress): string {
	return JSON.stringify([namespace, key]);
}

/** A copy, without the fields that have no value. */
export function plain<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}

export function summary(event: wire.StoredEvent): EventSummary {
	const copy = { ...event };
	delete copy.input;
	delete copy.result;
	return copy as EventSummary;
}

export function differ(a: string | undefined, b: string | undefined): boolean {
	return a !== undefined && b !== undefined && a !== b;
}

export function usedUp(attempts: number, last?: string): string {
	const used = `All ${attempts} attempts are used up`;
	return last === undefined ? used : `${used}; last: ${last}`;
}

export type Place = { time: number; namespace: string; key: string };

export function compare(a: Place, b: Place): number {
	return (
		a.time - b.time ||
		Buffer.compare(Buffer.from(a.namespace), Buffer.from(b.namespace)) ||
		Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))
	);
}
