import type { Tally } from '../../../ledger/Ledger';
import {
	type EventAddress,
	HISTORY_LIMIT,
	type HistoryEntry,
	type HistoryKind,
} from '../../../ledger/records';
import type * as wire from '../../../ledger/Store';
import { type Author, type Entry, type Gate, id, plain, summary } from './entry';

/** The rules that are common to all commands: the list at the top of Store.ts. */
export class ModelRules {
	protected readonly entries = new Map<string, Entry>();
	protected readonly tallies = new Map<string, Tally>();

	private time = 0;

	constructor(private readonly clock: () => number) {}

	/** One command, or a batch of them, sees one time. */
	protected tick(): void {
		this.time = this.clock();
	}

	protected now(): number {
		return this.time;
	}

	protected find(address: EventAddress): Entry | undefined {
		const entry = this.entries.get(id(address));
		return entry && !this.isExpired(entry) ? entry : undefined;
	}

	protected all(): Entry[] {
		return [...this.entries.values()].filter((entry) => !this.isExpired(entry));
	}

	protected isExpired({ event }: Entry): boolean {
		return event.expiresAt !== undefined && event.expiresAt <= this.now();
	}

	protected create(address: EventAddress & { maxAttempts: number }): Entry {
		if (this.entries.has(id(address))) this.remove(address);
		const now = this.now();
		const entry: Entry = {
			event: {
				namespace: address.namespace,
				key: address.key,
				state: 'processing',
				attempt: 0,
				maxAttempts: address.maxAttempts,
				createdAt: now,
				claimedAt: now,
				duplicates: 0,
				lastSeenAt: now,
			},
			token: '',
			claimant: '',
			outcome: 'new',
			lease: 0,
			retention: 0,
			keepInput: false,
			releasedAttempt: 0,
			steps: new Map(),
			gates: new Map(),
			history: [],
		};
		this.entries.set(id(address), entry);
		return entry;
	}

	protected remove(address: EventAddress): void {
		this.entries.delete(id(address));
		this.count(address.namespace, 'purged');
	}

	protected isToken(entry: Entry, token: string | undefined): boolean {
		return entry.token === token;
	}

	protected mayWrite(entry: Entry, { token, by }: Author): boolean {
		return by !== undefined || this.isToken(entry, token);
	}

	/** A write that only the holder of the claim may make. */
	protected held(command: EventAddress & Author): { entry?: Entry; status: wire.WriteStatus } {
		const entry = this.find(command);
		if (!entry) return { status: 'missing' };
		if (!this.isToken(entry, command.token)) return { entry, status: 'stale' };
		const { event } = entry;
		if (event.state === 'waiting') {
			if (this.isAnyPending(entry)) return { entry, status: 'closed' };
			for (const gate of entry.gates.values()) this.expireGate(entry, gate);
			this.resume(entry);
			this.log(entry, 'continued');
		}
		if (event.state !== 'processing') return { entry, status: 'closed' };
		this.renewLease(entry);
		return { entry, status: 'ok' };
	}

	/** A write by an operator. */
	protected operated(command: EventAddress & Author): {
		entry?: Entry;
		status: wire.WriteStatus;
	} {
		const entry = this.find(command);
		if (!entry) return { status: 'missing' };
		const { inState = entry.event.state } = command;
		return { entry, status: entry.event.state === inState ? 'ok' : 'closed' };
	}

	/** A write that gives the event up: by the holder, also of a waiting event, or by an operator. */
	protected authorised(command: EventAddress & Author): {
		entry?: Entry;
		status: wire.WriteStatus;
	} {
		const { entry, status } = this.operated(command);
		if (!entry || command.by !== undefined) return { entry, status };
		if (!this.isToken(entry, command.token)) return { entry, status: 'stale' };
		const { state } = entry.event;
		if (state === 'failed' || state === 'review') return { entry, status: 'repeated' };
		return { entry, status: state === 'done' ? 'closed' : 'ok' };
	}

	/** A write that undoes steps: by the holder, or by an operator when nobody has the event. */
	protected undoing(command: EventAddress & Author): { entry?: Entry; status: wire.WriteStatus } {
		const { entry } = this.operated(command);
		if (!entry || command.by === undefined) return this.held(command);
		const { state, leaseUntil } = entry.event;
		const isLive = state === 'processing' && leaseUntil! > this.now();
		return { entry, status: isLive || state === 'waiting' ? 'closed' : 'ok' };
	}

	protected refusal(status: wire.WriteStatus, entry?: Entry) {
		return { status, ...(entry && { event: summary(entry.event) }) };
	}

	protected renewLease({ event, lease }: Entry): void {
		event.leaseUntil = event.dueAt = this.now() + lease;
	}

	protected resume(entry: Entry): void {
		entry.event.state = 'processing';
		this.renewLease(entry);
	}

	protected end({ event, retention, keepInput }: Entry): void {
		event.state = 'done';
		event.doneAt = this.now();
		event.expiresAt = this.now() + retention;
		delete event.leaseUntil;
		delete event.dueAt;
		delete event.reason;
		if (!keepInput) delete event.input;
	}

	protected toReview(entry: Entry, reason: string, by?: string): void {
		const { event } = entry;
		event.state = 'review';
		event.reason = reason;
		event.dueAt = this.now();
		delete event.leaseUntil;
		this.log(entry, 'review', { by, reason });
	}

	protected isAnyPending({ gates }: Entry): boolean {
		return [...gates.values()].some(({ approval }) => this.approval(approval).state === 'pending');
	}

	protected expireGate(entry: Entry, { approval }: Gate): void {
		if (approval.state !== 'pending' || this.approval(approval).state === 'pending') return;
		approval.state = 'expired';
		this.log(entry, 'approval_expired', { gate: approval.gate });
	}

	protected log(entry: Entry, kind: HistoryKind, details: Partial<HistoryEntry> = {}): void {
		const { attempt, executionId, namespace } = entry.event;
		entry.history.push({ at: this.now(), kind, attempt, executionId, ...details });
		entry.history = entry.history.slice(-HISTORY_LIMIT);
		this.count(namespace, kind);
	}

	protected count(namespace: string, kind: string, more = 1): void {
		const day = new Date(this.now()).toISOString().slice(0, 10);
		const name = JSON.stringify([namespace, day, kind]);
		const count = (this.tallies.get(name)?.count ?? 0) + more;
		this.tallies.set(name, { namespace, day, kind, count });
	}

	protected step(entry: Entry, name: string): wire.StoredStep {
		return this.stepsOf(entry).find((step) => step.name === name)!;
	}

	protected stepsOf({ steps }: Entry): wire.StoredStep[] {
		return [...steps.values()].map((step) => ({
			...step,
			claimant: undefined,
			undoing: undefined,
		}));
	}

	/** As reads show it: expired as soon as its time is over. */
	protected approval(approval: wire.StoredApproval): wire.StoredApproval {
		const isOver = approval.expiresAt !== undefined && approval.expiresAt <= this.now();
		return approval.state === 'pending' && isOver ? { ...approval, state: 'expired' } : approval;
	}

	protected details(entry: Entry): wire.StoredDetails {
		return plain({
			event: entry.event,
			steps: this.stepsOf(entry),
			approvals: [...entry.gates.values()].map(({ approval }) => this.approval(approval)),
		});
	}
}
