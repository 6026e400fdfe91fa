import type { CheckReport, Stats, WorkKind } from '../../../ledger/Ledger';
import {
	EVENT_STATES,
	type EventAddress,
	type EventState,
	type EventSummary,
	type HistoryEntry,
} from '../../../ledger/records';
import * as wire from '../../../ledger/Store';
import { compare, type Entry, type Gate, plain, summary } from './entry';
import { ModelWork } from './ModelWork';

const STATE_OF_WORK: Record<WorkKind, EventState> = {
	stuck: 'processing',
	failed: 'failed',
	review: 'review',
	expired_gate: 'waiting',
};

/**
 * The rules of Store.ts in memory, one command after the other, as plainly as they can be said. The tests compare
 * the real stores with it; it is written from the rules and not from any store. Its clock is a parameter.
 *
 * The protected parts are what broken.test.ts replaces by wrong ones.
 */
export class ModelLedger extends ModelWork implements wire.LedgerStore {
	readonly kind = 'embedded';

	constructor(now: () => number = Date.now) {
		super(now);
	}

	async claim(commands: wire.ClaimCommand[]) {
		return this.each(commands, (command) => this.claimOne(command));
	}
	async begin(commands: wire.BeginCommand[]) {
		return this.each(commands, (command) => this.beginOne(command));
	}
	async finish(commands: wire.FinishCommand[]) {
		return this.each(commands, (command) => this.finishOne(command));
	}
	async takeUndos(commands: wire.TakeUndosCommand[]) {
		return this.each(commands, (command) => this.takeUndosOne(command));
	}
	async markUndone(commands: wire.UndoneCommand[]) {
		return this.each(commands, (command) => this.markUndoneOne(command));
	}
	async complete(commands: wire.CompleteCommand[]) {
		return this.each(commands, (command) => this.completeOne(command));
	}
	async fail(commands: wire.FailCommand[]) {
		return this.each(commands, (command) => this.failOne(command));
	}
	async renew(commands: wire.RenewCommand[]) {
		return this.each(commands, (command) => this.renewOne(command));
	}
	async release(commands: wire.ReleaseCommand[]) {
		return this.each(commands, (command) => this.releaseOne(command));
	}
	async requestApprovals(commands: wire.ApprovalCommand[]) {
		return this.each(commands, (command) => this.requestOne(command));
	}
	async decideApproval(command: wire.DecisionCommand) {
		return this.each([command], () => this.decideOne(command))[0];
	}
	async noteApproval(command: wire.NoteCommand) {
		return this.each([command], () => this.noteOne(command))[0];
	}
	async import(commands: wire.ImportCommand[]) {
		return this.each(commands, (command) => this.importOne(command));
	}

	private each<C, R>(commands: C[], run: (command: C) => R): R[] {
		this.tick();
		return plain(commands.map(run));
	}

	// --- Gates ---

	protected requestOne(command: wire.ApprovalCommand): wire.ApprovalReply {
		const entry = this.find(command);
		if (!entry) return { status: 'missing' };
		const { event, gates } = entry;
		if (command.token !== undefined && !this.isToken(entry, command.token)) {
			return this.refusal('stale', entry);
		}
		if (command.token !== undefined && event.state !== 'processing' && event.state !== 'waiting') {
			return this.refusal('closed', entry);
		}
		const found = gates.get(command.gate);
		if (found) this.expireGate(entry, found);
		const isSame = found?.approval.id === command.id;
		const isAsked = found && !this.mustAsk(found.approval, command);
		if (!isSame && !isAsked) {
			gates.set(command.gate, { approval: this.request(command, found), answers: new Map() });
			this.log(entry, 'approval_requested', { gate: command.gate });
		}
		const { approval } = gates.get(command.gate)!;
		if (command.token !== undefined && approval.state === 'pending') {
			event.state = 'waiting';
			event.dueAt = this.nextExpiry(entry);
			delete event.leaseUntil;
		}
		return {
			status: 'ok',
			isNew: isSame || !isAsked,
			approval: this.approval(approval),
			event: summary(event),
		};
	}

	protected mustAsk(approval: wire.StoredApproval, command: wire.ApprovalCommand): boolean {
		return approval.state === 'expired' || approval.fingerprint !== command.fingerprint;
	}

	private request(command: wire.ApprovalCommand, found?: Gate): wire.StoredApproval {
		return {
			id: command.id,
			gate: command.gate,
			state: 'pending',
			fingerprint: command.fingerprint,
			content: command.content,
			required: command.required,
			votes: [],
			requestedAt: this.now(),
			expiresAt: command.expiresIn && this.now() + command.expiresIn,
			previousFingerprint: found?.approval.fingerprint,
			previousState: found?.approval.state,
		};
	}

	protected decideOne(command: wire.DecisionCommand): wire.DecisionReply {
		const entry = this.find(command);
		const gate = entry?.gates.get(command.gate);
		if (!entry || !gate) return { outcome: 'unknown' };
		this.expireGate(entry, gate);
		return {
			outcome: this.vote(entry, gate, command),
			approval: this.approval(gate.approval),
		};
	}

	protected vote(
		entry: Entry,
		{ approval, answers }: Gate,
		command: wire.DecisionCommand,
	): wire.DecisionReply['outcome'] {
		const { decision, by, comment } = command;
		if (approval.id !== command.approvalId) return 'superseded';
		if (answers.has(command.voteId)) return answers.get(command.voteId)!;
		if (approval.state === 'expired') return 'expired';
		if (approval.state !== 'pending') return 'already_decided';

		if (this.hasVoted(approval, command)) return 'voted';

		approval.votes.push({ by, decision, at: this.now(), comment });
		const decides = decision === 'rejected' || this.approvers(approval) >= approval.required;
		answers.set(command.voteId, decides ? 'decided' : 'voted');
		if (!decides) {
			this.log(entry, 'vote', { gate: command.gate, by, reason: comment });
			return 'voted';
		}
		Object.assign(approval, { state: decision, decidedAt: this.now(), decidedBy: by, comment });
		this.log(entry, decision, { gate: command.gate, by, reason: comment });
		if (entry.event.state === 'waiting') {
			if (this.isAnyPending(entry)) entry.event.dueAt = this.nextExpiry(entry);
			else this.resume(entry);
		}
		return 'decided';
	}

	protected hasVoted(
		{ votes }: wire.StoredApproval,
		{ by, decision }: wire.DecisionCommand,
	): boolean {
		return votes.some((vote) => vote.by === by && vote.decision === decision);
	}

	protected nextExpiry({ gates }: Entry): number {
		const pending = [...gates.values()].filter(
			({ approval }) => this.approval(approval).state === 'pending',
		);
		return Math.min(...pending.map(({ approval }) => approval.expiresAt ?? wire.NEVER));
	}

	protected noteOne(command: wire.NoteCommand): wire.NoteReply {
		const { gate, approvalId, kind, by, reason, limit } = command;
		const entry = this.find(command);
		if (entry?.gates.get(gate)?.approval.id !== approvalId) return { noted: false };
		const ofGate = entry!.history.filter((line) => line.gate === gate);
		const asked = ofGate.map((line) => line.kind).lastIndexOf('approval_requested');
		const same = ofGate.slice(asked + 1).filter((line) => line.kind === kind && line.by === by);
		if (same.length >= limit) return { noted: false };
		this.log(entry!, kind, { gate, by, reason });
		return { noted: true };
	}

	protected approvers({ votes }: wire.StoredApproval): number {
		return new Set(votes.map(({ by }) => by)).size;
	}

	// --- Reads and upkeep ---

	async get(addresses: EventAddress[]): Promise<Array<wire.StoredDetails | null>> {
		this.tick();
		return addresses.map((address) => {
			const entry = this.find(address);
			return entry ? this.details(entry) : null;
		});
	}

	async list(query: wire.ListQuery): Promise<EventSummary[]> {
		this.tick();
		const { namespace, state, executionId, fingerprint, keyPrefix, after, order } = query;
		const place = (event: EventSummary) => {
			const time = order === 'key' ? 0 : order === 'due' ? event.dueAt! : event.createdAt;
			return { time, namespace: event.namespace, key: event.key };
		};
		const direction = order === 'created' ? -1 : 1;
		return plain(this.all().map(({ event }) => summary(event)))
			.filter(
				(event) =>
					(namespace === undefined || event.namespace === namespace) &&
					(state === undefined || event.state === state) &&
					(executionId === undefined || event.executionId === executionId) &&
					(fingerprint === undefined || event.fingerprint === fingerprint) &&
					(keyPrefix === undefined || event.key.startsWith(keyPrefix)) &&
					event.createdAt >= (query.createdAfter ?? -Infinity) &&
					event.createdAt <= (query.createdBefore ?? Infinity) &&
					(!after || direction * compare(place(event), after) > 0),
			)
			.sort((a, b) => direction * compare(place(a), place(b)))
			.slice(0, query.limit);
	}

	async history(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		this.tick();
		return addresses.map((address) => plain(this.find(address)?.history ?? []));
	}

	async delete(addresses: EventAddress[]): Promise<boolean[]> {
		return this.each(addresses, (address) => {
			const found = this.find(address) !== undefined;
			if (found) {
				this.remove(address);
				this.count(address.namespace, 'deleted');
			}
			return found;
		});
	}

	async stats({ namespace }: { namespace?: string; days: number }): Promise<Stats> {
		this.tick();
		const events = Object.fromEntries(EVENT_STATES.map((state) => [state, 0])) as Stats['events'];
		for (const { event } of this.all()) {
			if (namespace === undefined || event.namespace === namespace) events[event.state]++;
		}
		const tallies = [...this.tallies.values()].filter(
			(tally) => namespace === undefined || tally.namespace === namespace,
		);
		return plain({ events, tallies });
	}

	async take(command: wire.TakeCommand): Promise<wire.StoredDetails[]> {
		this.tick();
		const states = command.kinds.map((kind) => STATE_OF_WORK[kind]);
		const taken = this.all()
			.filter(
				(entry) =>
					(command.namespace === undefined || entry.event.namespace === command.namespace) &&
					states.includes(entry.event.state) &&
					this.mayBeTaken(entry, command),
			)
			.sort((a, b) => a.event.dueAt! - b.event.dueAt!)
			.slice(0, command.limit);
		for (const entry of taken) {
			entry.event.dueAt = this.now() + command.visibility;
			this.log(entry, 'taken', { by: command.by });
		}
		return taken.map((entry) => this.details(entry));
	}

	protected mayBeTaken({ event, releasedAttempt }: Entry, filter: wire.TakeFilter): boolean {
		const used = event.attempt - releasedAttempt;
		const backsOff = used > 0 && (event.state === 'processing' || event.state === 'failed');
		const backoff = backsOff ? Math.min(filter.maxBackoff, filter.backoff * 2 ** (used - 1)) : 0;
		return (
			event.dueAt! + backoff <= this.now() &&
			event.attempt >= filter.minAttempts &&
			event.createdAt <= this.now() - filter.minAge
		);
	}

	protected importOne(command: wire.ImportCommand): wire.ImportReply {
		if (this.find(command)) return { status: 'exists' };
		const entry = this.create({ ...command, maxAttempts: 1 });
		entry.retention = command.retention;
		this.end(entry);
		Object.assign(entry.event, {
			fingerprint: command.fingerprint,
			result: command.result,
			externalId: command.externalId,
			doneAt: command.doneAt ?? this.now(),
		});
		this.log(entry, 'imported');
		return { status: 'imported' };
	}

	async purge(limit: number): Promise<number> {
		this.tick();
		const expired = [...this.entries.values()].filter((entry) => this.isExpired(entry));
		for (const { event } of expired.slice(0, limit)) this.remove(event);
		return Math.min(expired.length, limit);
	}

	async check(): Promise<CheckReport> {
		const entries = this.all().length;
		return { store: this.kind, server: 'model', schemaVersion: 1, entries, findings: [] };
	}

	async close(): Promise<void> {}

	// --- Time travel, for the fixture ---

	expireLease(address: EventAddress): void {
		const { event } = this.find(address)!;
		event.leaseUntil = event.dueAt = this.now() - 1000;
	}

	expireRecord(address: EventAddress): void {
		this.find(address)!.event.expiresAt = this.now() - 1000;
	}

	expireApproval(address: EventAddress, gate: string): void {
		const { event, gates } = this.find(address)!;
		gates.get(gate)!.approval.expiresAt = this.now() - 1000;
		if (event.state === 'waiting') event.dueAt = this.now() - 1000;
	}

	makeDue(address: EventAddress): void {
		this.find(address)!.event.dueAt = this.now() - 1000;
	}

	expireUndos(address: EventAddress): void {
		for (const { undoing } of this.find(address)?.steps.values() ?? []) {
			if (undoing) undoing.until = this.now() - 1000;
		}
	}
}
