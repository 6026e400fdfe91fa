import type { EventAddress, HistoryEntry, HistoryKind } from '../records';
import type { StoredDetails, StoredEvent, StoredStep } from '../Store';
import type { Namespaces } from './Namespaces';
import {
	type ApprovalRow,
	type EventRow,
	historyOf,
	type StepRow,
	toApproval,
	toStep,
	toSummary,
	withEntry,
} from './rows';
import type { Statements } from './statements';

/**
 * What the operations do with the tables. All that one transaction does happens at one point in time, by the store's
 * clock. Counts are collected and written once at the end: a batch adds to few of them, but often.
 */
export class Transaction {
	readonly now: number;
	private readonly tallies = new Map<
		string,
		{ namespaceId: number; kind: string; count: number }
	>();
	private readonly done = new Map<number, number>();

	constructor(
		readonly sql: Statements,
		readonly namespaces: Namespaces,
	) {
		this.now = sql.now.get()!.now as number;
	}

	// --- Events ---

	/** The live event; an expired one does not exist. */
	find({ namespace, key }: EventAddress): EventRow | undefined {
		const namespaceId = this.namespaces.find(namespace);
		if (namespaceId === undefined) return undefined;
		return this.sql.findEvent.get(namespaceId, key, this.now) as EventRow | undefined;
	}

	/** Saves all that winning a claim changes. */
	saveClaim(row: EventRow, input?: string): void {
		this.sql.saveClaim.run(
			row.id,
			row.token,
			row.claimant,
			row.executionId,
			row.workflowId,
			row.fingerprint,
			row.outcome,
			row.attempt,
			row.claimedAt,
			row.lease,
			row.retention,
			row.maxAttempts,
			row.keepInput,
			row.leaseUntil,
			row.history,
			input ?? null,
		);
	}

	/** Saves all that any other write changes. */
	save(row: EventRow): void {
		this.sql.saveEvent.run(
			row.id,
			row.state,
			row.lease,
			row.leaseUntil,
			row.dueAt,
			row.doneAt,
			row.expiresAt,
			row.attemptsFrom,
			row.duplicates,
			row.lastSeenAt,
			row.reason,
			row.externalId,
			row.history,
		);
	}

	/** Makes room for a new event where an expired one is in the way. */
	removeExpired({ namespace, key }: EventAddress): void {
		const namespaceId = this.namespaces.findOrAdd(namespace);
		this.sql.removeEvent.run(namespaceId, key);
		this.countPurged(namespaceId);
	}

	// --- What belongs to an event ---

	steps(row: EventRow): StoredStep[] {
		return (this.sql.findSteps.all(row.id, null) as unknown as StepRow[]).map(toStep);
	}

	step(row: EventRow, name: string): StepRow | undefined {
		return this.sql.findSteps.get(row.id, name) as StepRow | undefined;
	}

	saveStep(row: EventRow, step: StepRow): void {
		this.sql.putStep.run(
			row.id,
			step.name,
			step.state,
			step.attempt,
			step.tries,
			step.executionId,
			step.claimant,
			step.fingerprint,
			step.startedAt,
			step.finishedAt,
			step.externalId,
			step.output,
			step.undo,
			step.error,
			step.undoUntil,
			step.undoCall,
			step.undoAttempt,
		);
	}

	approvals(row: EventRow): ApprovalRow[] {
		return this.sql.findApprovals.all(row.id) as unknown as ApprovalRow[];
	}

	saveApproval(row: EventRow, approval: ApprovalRow): void {
		this.sql.putApproval.run(
			row.id,
			approval.gate,
			approval.id,
			approval.state,
			approval.fingerprint,
			approval.content,
			approval.required,
			approval.votes,
			approval.requestedAt,
			approval.expiresAt,
			approval.decidedAt,
			approval.decidedBy,
			approval.comment,
			approval.previousFingerprint,
			approval.previousState,
		);
	}

	values({ id }: EventRow): { input?: string; result?: string } {
		const { input, result } = this.sql.findValues.get(id)!;
		return {
			...(typeof input === 'string' && { input }),
			...(typeof result === 'string' && { result }),
		};
	}

	/** With its result, without its input. */
	eventWithResult(row: EventRow): StoredEvent {
		const event: StoredEvent = { ...toSummary(row), ...this.values(row) };
		delete event.input;
		return event;
	}

	details(row: EventRow): StoredDetails {
		return {
			event: { ...toSummary(row), ...this.values(row) },
			steps: this.steps(row),
			approvals: this.approvals(row).map((approval) => toApproval(approval, this.now)),
		};
	}

	// --- What happened ---

	/** Adds to the history and the tally. The caller saves the event. */
	log(row: EventRow, kind: HistoryKind, details: Partial<HistoryEntry> = {}): void {
		this.remember(row, kind, details);
		this.count(row.namespaceId, kind);
	}

	/** Adds to the history alone. */
	remember(row: EventRow, kind: HistoryKind, details: Partial<HistoryEntry> = {}): void {
		const { attempt, executionId } = row;
		row.history = withEntry(historyOf(row), {
			at: this.now,
			kind,
			attempt,
			...(executionId !== null && { executionId }),
			...details,
		});
	}

	count(namespaceId: number, kind: string, more = 1): void {
		const name = `${namespaceId} ${kind}`;
		const tally = this.tallies.get(name);
		if (tally) tally.count += more;
		else this.tallies.set(name, { namespaceId, kind, count: more });
	}

	countDone(namespaceId: number, more: 1 | -1): void {
		this.done.set(namespaceId, (this.done.get(namespaceId) ?? 0) + more);
	}

	countPurged(namespaceId: number): void {
		this.count(namespaceId, 'purged');
		this.countDone(namespaceId, -1);
	}

	// --- Fresh events ---

	/** What is more than a single new claim happens among events that all indexes know. */
	settle(): void {
		const { changes } = this.sql.tallyFresh.run();
		if (changes > 0) this.sql.settleFresh.run();
	}

	// --- The end ---

	/** The last thing to do before the commit. */
	conclude(): void {
		this.writeCounts();
		this.sql.saveSettled.run();
	}

	private writeCounts(): void {
		const day = dayOf(this.now);
		for (const { namespaceId, kind, count } of this.tallies.values()) {
			this.sql.addTally.run(namespaceId, day, kind, count);
		}
		for (const [namespaceId, more] of this.done) this.sql.addDone.run(namespaceId, more);
	}
}

/** As tallies have it: the day in UTC. */
export function dayOf(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}
