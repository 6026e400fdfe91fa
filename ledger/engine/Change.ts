import { HISTORY_LIMIT, type HistoryEntry } from '../records';
import type { Decision, Event, Found, Step, Steps } from '../rules/Event';
import { stepId } from '../rules/Event';
import type { Part, Swap } from '../stores/RecordStore';
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

/** Of a change or an event without steps: most have none, and a map is large. Never written to. */
export const NO_STEPS = new Map<string, Step>();

/** How many writes of others may come between a lost answer and its repetition. */
const CALLS_KEPT = 6;

/** What an event is before a change: which revision, and what is known of it. */
export interface Base extends Found {
	/** 0 if there is no record. */
	revision: number;
	steps: Map<string, Step>;
	/** About how many characters the steps have. */
	size: number;
}

/** All that several decisions, one after the other, make of one event: one swap. */
export class Change implements Found, Steps {
	/** Tells this change from all others. */
	readonly call = newCall();
	event?: Event;
	result?: string;
	contents: ReadonlyMap<string, string>;
	/** Those that change anything. Nearly always there is one. */
	private readonly decisions: Array<Decision<unknown>> = [];
	private newSteps = NO_STEPS;

	constructor(private readonly base: Base) {
		this.event = base.event;
		this.result = base.result;
		this.contents = base.contents;
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
	settledSteps({ parts }: Swap): Pick<Base, 'steps' | 'size'> {
		const { base, newSteps } = this;
		if (newSteps.size === 0) return base;
		const steps = base.steps.size === 0 ? new Map<string, Step>() : base.steps;
		for (const [id, step] of newSteps) steps.set(id, step);
		return { steps, size: parts.reduce((sum, { text }) => sum + text.length, base.size) };
	}

	/** Makes the decision true for the next one. */
	add<Reply>(decision: Decision<Reply>): Reply {
		const { event, steps, contents, result, reply } = decision;
		if (!event) return reply;
		this.decisions.push(decision);
		this.event = event;
		if (steps.length > 0) {
			if (this.newSteps === NO_STEPS) this.newSteps = new Map();
			for (const step of steps) this.newSteps.set(stepId(step.name, step.row), step);
		}
		if (contents.length > 0) this.contents = withContents(this.contents, contents);
		if (result !== undefined) this.result = result ?? undefined;
		return reply;
	}

	/** To be asked for once. Nothing if nothing changes. */
	swap(): Swap | undefined {
		const { base, decisions } = this;
		if (decisions.length === 0) return undefined;
		const { input, result, history, counts, duplicates, lastSeenAt } =
			decisions.length === 1 ? decisions[0] : merged(decisions);
		const event = this.event!;
		const { entries, rotate } = this.append(event, history);
		event.calls = [this.call, ...event.calls.slice(0, CALLS_KEPT - 1)];
		return {
			namespace: event.namespace,
			key: event.key,
			revision: base.revision,
			head: headOf(event),
			body: bodyOf(event),
			input,
			result,
			parts: this.parts(),
			append: historyText(entries),
			rotate,
			duplicates,
			lastSeenAt,
			counts: counts.filter(({ n }) => n !== 0),
		};
	}

	/** What happened first is in no history yet. */
	private append(
		event: Event,
		history: HistoryEntry[],
	): { entries: HistoryEntry[]; rotate: boolean } {
		const before = this.base.event;
		const isFirst = before?.entries === 0;
		const all = isFirst ? [firstEntry(before), ...history] : history;
		const entries = all.length > HISTORY_LIMIT ? all.slice(-HISTORY_LIMIT) : all;
		const rotate = event.entries >= HISTORY_LIMIT && entries.length > 0;
		event.entries = rotate ? entries.length : event.entries + entries.length;
		return { entries, rotate };
	}

	private parts(): Part[] {
		const parts: Part[] = [];
		for (const step of this.newSteps.values()) parts.push(stepPart(step));
		const contents = new Map<string, string | undefined>();
		for (const decision of this.decisions) {
			for (const { gate, content } of decision.contents) contents.set(gate, content);
			const { conflict, event } = decision;
			if (conflict) parts.push(conflictPart(conflict, event!.conflicts!));
		}
		for (const [gate, content] of contents) parts.push(contentPart(gate, content));
		return parts;
	}
}

function withContents(
	known: ReadonlyMap<string, string>,
	changes: Decision<unknown>['contents'],
): Map<string, string> {
	const contents = new Map(known);
	for (const { gate, content } of changes) {
		if (content === undefined) contents.delete(gate);
		else contents.set(gate, content);
	}
	return contents;
}

/** One after the other. */
function merged(
	decisions: Array<Decision<unknown>>,
): Pick<
	Decision<unknown>,
	'input' | 'result' | 'history' | 'counts' | 'duplicates' | 'lastSeenAt'
> {
	const [first, ...others] = decisions;
	const counts = new Map<string, number>();
	for (const decision of decisions) {
		for (const { kind, n } of decision.counts) counts.set(kind, (counts.get(kind) ?? 0) + n);
	}
	let { input, result, duplicates, lastSeenAt } = first;
	for (const decision of others) {
		if (decision.input !== undefined) input = decision.input;
		if (decision.result !== undefined) result = decision.result;
		duplicates += decision.duplicates;
		lastSeenAt = decision.lastSeenAt ?? lastSeenAt;
	}
	return {
		input,
		result,
		history: decisions.flatMap(({ history }) => history),
		counts: [...counts].map(([kind, n]) => ({ kind, n })),
		duplicates,
		lastSeenAt,
	};
}
