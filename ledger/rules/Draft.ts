import type { HistoryEntry, HistoryKind } from '../records';
import type { Conflict, Count, Decision, Event, Found, Step } from './Event';

/** A decision in the making: a copy of the event that a rule may change, and what is to be told of it. */
export class Draft implements Decision<unknown> {
	reply: unknown;
	readonly event: Event;
	readonly steps: Step[] = [];
	readonly contents: Array<{ gate: string; content: string | undefined }> = [];
	readonly history: HistoryEntry[] = [];
	readonly counts: Count[] = [];
	conflict?: Conflict;
	input?: string | null;
	result?: string | null;
	duplicates = 0;
	lastSeenAt?: number;

	constructor(
		event: Event,
		readonly now: number,
	) {
		this.event = { ...event };
	}

	/** Adds to the history and the tally. */
	log(kind: HistoryKind, details: Partial<HistoryEntry> = {}): void {
		this.remember(kind, details);
		this.count(kind);
	}

	/** Adds to the history alone. */
	remember(kind: HistoryKind, details: Partial<HistoryEntry> = {}): void {
		const { attempt, executionId } = this.event;
		this.history.push({ at: this.now, kind, attempt, executionId, ...details });
	}

	count(kind: string, n = 1): void {
		this.counts.push({ kind, n });
	}

	/** Writes a step, and keeps the event's count of what is open. */
	putStep(step: Step, before: Step | undefined): void {
		if (!before) this.event.steps++;
		this.event.openSteps += Number(isOpen(step)) - Number(before !== undefined && isOpen(before));
		this.event.failedSteps +=
			Number(isFailed(step)) - Number(before !== undefined && isFailed(before));
		this.steps.push(step);
	}

	decide<Reply>(reply: Reply): Decision<Reply> {
		this.reply = reply;
		return this as Decision<Reply>;
	}
}

/** A step that was begun, and is not done. */
export function isOpen({ state }: Step): boolean {
	return state === 'started' || state === 'failed';
}

function isFailed({ state }: Step): boolean {
	return state === 'failed';
}

export function unchanged<Reply>(reply: Reply): Decision<Reply> {
	return { reply, steps: [], contents: [], history: [], counts: [], duplicates: 0 };
}

export type Rule<Command, Reply> = (found: Found, command: Command, now: number) => Decision<Reply>;
