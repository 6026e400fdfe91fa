import type { HistoryEntry } from '../records';
import type { Conflict, Event, Found, Step } from '../rules/Event';
import { stepId } from '../rules/Event';
import type { FullRecord, Head, Part, StoredRecord } from '../stores/RecordStore';

/** Between the events of the rules and the records of the stores. */

/** What is not worth writing down, because most events have it. A part of the format: these stay, whatever the defaults become. */
const INITIAL = {
	maxAttempts: 5,
	leaseMs: 30 * 60 * 1000,
	retentionMs: 30 * 24 * 60 * 60 * 1000,
	onStopped: 'review',
	attempt: 1,
	outcome: 'new',
	attemptsSince: 0,
	steps: 0,
	openSteps: 0,
	failedSteps: 0,
	entries: 0,
} as const;

/** What a store keeps beside the body. */
const BESIDE: Record<Exclude<keyof StoredRecord, 'body' | 'revision'>, undefined> = {
	namespace: undefined,
	key: undefined,
	state: undefined,
	createdAt: undefined,
	dueAt: undefined,
	expiresAt: undefined,
	executionId: undefined,
	fingerprint: undefined,
	externalId: undefined,
	alias: undefined,
	duplicates: undefined,
	lastSeenAt: undefined,
};

/** All of an event but what a store keeps beside the body. Written for speed: every write does this. */
export function bodyOf(event: Event): string {
	const body: Record<string, unknown> = { ...event, ...BESIDE };
	for (const name in INITIAL) {
		if (body[name] === INITIAL[name as keyof typeof INITIAL]) body[name] = undefined;
	}
	if (event.approvals.length === 0) body.approvals = undefined;
	if (event.calls.length === 0) body.calls = undefined;
	return JSON.stringify(body);
}

/** The body of a record to be inserted: without the times that follow from when that happens, see {@link eventOf}. */
export function freshBodyOf(event: Event): string {
	const { createdAt, doneAt } = event;
	const fresh: Partial<Event> = { ...event, claimedAt: undefined, leaseUntil: undefined };
	if (doneAt === createdAt) fresh.doneAt = undefined;
	return bodyOf(fresh as Event);
}

export function headOf(event: Event): Head {
	const { state, createdAt, dueAt, expiresAt, executionId, fingerprint, externalId, alias } = event;
	return { state, createdAt, dueAt, expiresAt, executionId, fingerprint, externalId, alias };
}

export function eventOf(record: StoredRecord): Event {
	const { namespace, key, state, createdAt, dueAt, expiresAt, executionId } = record;
	const { fingerprint, externalId, alias, duplicates, lastSeenAt } = record;
	const event = {
		...INITIAL,
		approvals: [],
		calls: [],
		...(JSON.parse(record.body) as object),
		...{ namespace, key, state, createdAt, dueAt, expiresAt, executionId },
		...{ fingerprint, externalId, alias, duplicates, lastSeenAt },
	} as unknown as Event;
	if (event.entries > 0) return event;
	event.claimedAt = createdAt;
	if (state === 'processing') event.leaseUntil = createdAt + event.leaseMs;
	else event.doneAt ??= createdAt;
	return event;
}

export function isExpired({ expiresAt }: { expiresAt?: number }, now: number): boolean {
	return expiresAt !== undefined && expiresAt <= now;
}

// --- Parts ---

/** How many conflicts an event keeps. */
const CONFLICTS_KEPT = 5;

const STEP = 's\x1f';
const CONTENT = 'g\x1f';
const CONFLICT = 'c\x1f';

export function stepPartName(name: string, row: string | undefined): string {
	return STEP + stepId(name, row);
}

export function contentPartName(gate: string): string {
	return CONTENT + gate;
}

export function stepPart(step: Step): Part {
	const part = { name: stepPartName(step.name, step.row), text: JSON.stringify(step) };
	return step.externalId === undefined ? part : { ...part, externalId: step.externalId };
}

export function contentPart(gate: string, content: string | undefined): Part {
	return { name: contentPartName(gate), text: content ?? '' };
}

/** The newest few stay: each takes the place of the one so many before. */
export function conflictPart(conflict: Conflict, number: number): Part {
	const numbered: NumberedConflict = { ...conflict, number };
	return { name: CONFLICT + (number % CONFLICTS_KEPT), text: JSON.stringify(numbered) };
}

/** Several may be of the same millisecond. */
export type NumberedConflict = Conflict & { number: number };

export interface Belongings extends Omit<Found, 'event'> {
	steps: Map<string, Step>;
	/** Newest first. */
	conflicts: NumberedConflict[];
	input?: string;
}

export function belongingsOf({ parts = [], input, result }: FullRecord): Belongings {
	const steps = new Map<string, Step>();
	const contents = new Map<string, string>();
	const conflicts: NumberedConflict[] = [];
	for (const { name, text } of parts) {
		if (name.startsWith(STEP)) {
			steps.set(name.slice(STEP.length), JSON.parse(text) as Step);
		} else if (name.startsWith(CONTENT)) {
			if (text !== '') contents.set(name.slice(CONTENT.length), text);
		} else {
			conflicts.push(JSON.parse(text) as NumberedConflict);
		}
	}
	conflicts.sort((a, b) => b.number - a.number);
	return { steps, contents, conflicts, input, result };
}

// --- History ---

/** What happened first: no store keeps it as long as nothing else did. */
export function firstEntry({ createdAt, attempt, executionId }: Event): HistoryEntry {
	const entry: HistoryEntry = { at: createdAt, kind: attempt > 0 ? 'new' : 'imported', attempt };
	return executionId === undefined ? entry : { ...entry, executionId };
}

/** JSON objects with commas between them. */
export function historyText(entries: HistoryEntry[]): string {
	return entries.map((entry) => JSON.stringify(entry)).join(',');
}

export function historyOf(record: FullRecord, most: number): HistoryEntry[] {
	if (!record.history) return [firstEntry(eventOf(record))];
	return (JSON.parse(`[${record.history}]`) as HistoryEntry[]).slice(-most);
}
