import { HISTORY_LIMIT, type HistoryEntry } from '../records';
import type { Decision, Event, Found, Step, Steps } from '../rules/Event';
import { stepId } from '../rules/Event';
import type { Count, Part, Swap } from '../stores/RecordStore';
import { newCall } from './calls';
import {
	bodyOf,
	conflictPart,
	contentPart,
	firstEntry,
	headOf,
	historyText,
	stepPart,
} from './codec';

/** How many writes of others may come between a lost answer and its repetition. */
const CALLS_KEPT = 6;

/** What an event is before a change: which revision, and what is known of it. */
export interface Base extends Found {
	/** 0 if there is no record. */
	revision: number;
	steps: Map<string, Step>;
}

/** All that several decisions, one after the other, make of one event: one swap. */
export class Change implements Found, Steps {
	/** Tells this change from all others. */
	readonly call = newCall();
	event?: Event;
	result?: string;
	/** Those that change. */
	private readonly newSteps = new Map<string, Step>();
	private readonly shown: Map<string, string>;
	private readonly parts = new Map<string, Part>();
	private readonly history: HistoryEntry[] = [];
	private readonly counts = new Map<string, number>();
	private input?: string | null;
	private newResult?: string | null;
	private duplicates = 0;
	private lastSeenAt?: number;
	private isChanged = false;

	constructor(private readonly base: Base) {
		this.event = base.event;
		this.result = base.result;
		this.shown = new Map(base.contents);
	}

	get steps(): Steps {
		return this;
	}

	get(id: string): Step | undefined {
		return this.newSteps.get(id) ?? this.base.steps.get(id);
	}

	values(): Iterable<Step> {
		return new Map([...this.base.steps, ...this.newSteps]).values();
	}

	/** After the swap: the base's own steps, brought up to date. An event may have very many, of which few change. */
	settledSteps(): Map<string, Step> {
		for (const [id, step] of this.newSteps) this.base.steps.set(id, step);
		return this.base.steps;
	}

	get contents(): ReadonlyMap<string, string> {
		return this.shown;
	}

	/** Makes the decision true for the next one. */
	add<Reply>(decision: Decision<Reply>): Reply {
		if (decision.event) this.apply(decision, decision.event);
		return decision.reply;
	}

	private apply(decision: Decision<unknown>, event: Event): void {
		this.isChanged = true;
		this.event = event;
		for (const step of decision.steps) {
			this.newSteps.set(stepId(step.name, step.row), step);
			this.putPart(stepPart(step));
		}
		for (const { gate, content } of decision.contents) {
			if (content === undefined) this.shown.delete(gate);
			else this.shown.set(gate, content);
			this.putPart(contentPart(gate, content));
		}
		if (decision.conflict) this.putPart(conflictPart(decision.conflict, event.conflicts!));
		for (const entry of decision.history) this.history.push(entry);
		for (const { kind, n } of decision.counts)
			this.counts.set(kind, (this.counts.get(kind) ?? 0) + n);
		if (decision.input !== undefined) this.input = decision.input;
		if (decision.result !== undefined) {
			this.newResult = decision.result;
			this.result = decision.result ?? undefined;
		}
		this.duplicates += decision.duplicates;
		this.lastSeenAt = decision.lastSeenAt ?? this.lastSeenAt;
	}

	private putPart(part: Part): void {
		this.parts.set(part.name, part);
	}

	/** To be asked for once. Nothing if nothing changes. */
	swap(): Swap | undefined {
		if (!this.isChanged) return undefined;
		const { base, history } = this;
		const before = base.event;
		const isFirst = before?.entries === 0;
		const entries = (isFirst ? [firstEntry(before), ...history] : history).slice(-HISTORY_LIMIT);
		const event = this.event!;
		const rotate = event.entries >= HISTORY_LIMIT && history.length > 0;
		event.entries = rotate ? entries.length : event.entries + entries.length;
		event.calls = [this.call, ...event.calls].slice(0, CALLS_KEPT);
		const { namespace, key } = event;
		return {
			namespace,
			key,
			revision: base.revision,
			head: headOf(event),
			body: bodyOf(event),
			input: this.input,
			result: this.newResult,
			parts: [...this.parts.values()],
			append: historyText(entries),
			rotate,
			duplicates: this.duplicates,
			lastSeenAt: this.lastSeenAt,
			counts: this.countList(),
		};
	}

	private countList(): Count[] {
		const counts: Count[] = [];
		for (const [kind, n] of this.counts) if (n !== 0) counts.push({ kind, n });
		return counts;
	}
}
