import type { ClaimOutcome, EventSummary, WinningOutcome } from '../../../ledger/records';
import type * as wire from '../../../ledger/Store';
import { differ, type Entry, type ModelStep, plain, summary, type Undoing, usedUp } from './entry';
import { ModelRules } from './ModelRules';

/** What is done to events: claims, steps, and how they end. */
export class ModelWork extends ModelRules {
	protected readonly marks = new Map<string, { version: number; until: number }>();

	// --- Claims ---

	protected claimOne(command: wire.ClaimCommand): wire.ClaimReply {
		const found = this.find(command);
		if (found && this.isRepetition(found, command)) return this.claimReply(found, found.outcome);

		const isStale = this.isStale(command);
		if (!found) {
			if (!isStale) return this.win(this.create(command), command, 'new');
			this.count(command.namespace, 'stale');
			return { outcome: 'stale', now: this.now() };
		}

		const { event } = found;
		if (differ(event.fingerprint, command.fingerprint)) return this.turnAway(found, 'conflict');
		if (event.state === 'done') return this.turnAway(found, 'duplicate');
		if (event.state === 'waiting') return this.turnAway(found, 'waiting');
		if (event.state === 'review') return this.turnAway(found, 'review');

		const isLive = event.state === 'processing' && this.isLeaseLive(found);
		if (isLive && !this.isSameWork(found, command)) return this.turnAway(found, 'in_progress');
		if (isStale) {
			this.end(found);
			this.log(found, 'superseded');
			return this.turnAway(found, 'stale');
		}
		if (isLive) return this.win(found, command, 'resumed');
		const reason = this.whyReview(found, command);
		if (reason !== undefined) {
			this.toReview(found, reason);
			return this.turnAway(found, 'review', { counted: true });
		}
		return this.win(found, command, event.state === 'failed' ? 'retry' : 'recovered');
	}

	protected isRepetition(found: Entry, command: wire.ClaimCommand): boolean {
		return found.token === command.token;
	}

	protected isLeaseLive({ event }: Entry): boolean {
		return event.leaseUntil! > this.now();
	}

	protected isSameWork(found: Entry, command: wire.ClaimCommand): boolean {
		return found.claimant === command.claimant || found.token === command.held;
	}

	/** Raises the mark unless the command is behind it. */
	protected isStale({ namespace, object, version, retention }: wire.ClaimCommand): boolean {
		if (object === undefined || version === undefined) return false;
		const name = JSON.stringify([namespace, object]);
		const mark = this.marks.get(name);
		if (mark && mark.until > this.now() && mark.version > version) return true;
		this.marks.set(name, { version, until: this.now() + retention });
		return false;
	}

	protected whyReview(found: Entry, command: wire.ClaimCommand): string | undefined {
		const { event } = found;
		if (event.attempt - found.releasedAttempt >= command.maxAttempts) {
			return usedUp(command.maxAttempts, event.state === 'failed' ? event.reason : undefined);
		}
		if (event.state === 'processing' && command.onStopped === 'review') {
			return `Attempt ${event.attempt} of execution ${event.executionId} stopped before it finished`;
		}
		return undefined;
	}

	protected win(
		entry: Entry,
		command: wire.ClaimCommand,
		outcome: WinningOutcome,
	): wire.ClaimReply {
		const { event } = entry;
		event.attempt++;
		event.state = 'processing';
		event.claimedAt = this.now();
		event.executionId = command.executionId;
		event.workflowId = command.workflowId;
		event.maxAttempts = command.maxAttempts;
		event.fingerprint = command.fingerprint ?? event.fingerprint;
		event.input = command.input ?? event.input;
		delete event.reason;
		Object.assign(entry, {
			token: command.token,
			claimant: command.claimant,
			outcome,
			lease: command.lease,
			retention: command.retention,
			keepInput: command.keepInput ?? false,
		});
		this.renewLease(entry);
		this.log(entry, outcome);
		const sameContentAs = command.findSameContent && this.sameContent(event);
		return { ...this.claimReply(entry, outcome), ...(sameContentAs && { sameContentAs }) };
	}

	protected turnAway(
		found: Entry,
		outcome: ClaimOutcome,
		{ counted = false } = {},
	): wire.ClaimReply {
		found.event.duplicates++;
		found.event.lastSeenAt = this.now();
		if (!counted) this.count(found.event.namespace, outcome);
		return this.claimReply(found, outcome);
	}

	private claimReply(entry: Entry, outcome: ClaimOutcome): wire.ClaimReply {
		const event = { ...entry.event };
		delete event.input;
		const steps = this.stepsOf(entry);
		return {
			outcome,
			now: this.now(),
			...(outcome !== 'new' && { event }),
			...(steps.length > 0 && { steps }),
		};
	}

	private sameContent({ namespace, key, fingerprint }: EventSummary): string | undefined {
		return this.all().find(
			({ event }) =>
				event.namespace === namespace && event.key !== key && event.fingerprint === fingerprint,
		)?.event.key;
	}

	// --- Steps ---

	protected beginOne(command: wire.BeginCommand): wire.BeginReply {
		const { entry, status } = this.held(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		const found = entry.steps.get(command.step);
		const outcome = this.beginOutcome(entry, found, command);
		if (outcome === 'run') {
			entry.steps.set(command.step, {
				name: command.step,
				state: 'started',
				attempt: entry.event.attempt,
				tries: (found?.tries ?? 0) + 1,
				executionId: command.executionId,
				fingerprint: command.fingerprint ?? found?.fingerprint,
				startedAt: found?.startedAt ?? this.now(),
				claimant: command.claimant,
			});
			this.log(entry, 'step_started', { step: command.step, executionId: command.executionId });
		}
		if (outcome === 'in_doubt') {
			const { attempt, executionId } = found!;
			this.toReview(
				entry,
				`Step '${command.step}' was started by attempt ${attempt} of execution ${executionId} and not finished`,
			);
		}
		return { status, outcome, step: this.step(entry, command.step), event: summary(entry.event) };
	}

	protected beginOutcome(
		{ event }: Entry,
		step: ModelStep | undefined,
		command: wire.BeginCommand,
	): wire.BeginReply['outcome'] {
		if (!step || step.state === 'failed' || step.state === 'undone') return 'run';
		if (differ(step.fingerprint, command.fingerprint)) return 'conflict';
		if (step.state === 'done') return 'done';
		if (step.attempt === event.attempt && step.claimant !== command.claimant) return 'in_progress';
		const inTime = this.now() <= step.startedAt + (command.repeatWithin ?? Infinity);
		return command.whenInDoubt === 'repeat' && inTime ? 'run' : 'in_doubt';
	}

	protected finishOne(command: wire.FinishCommand): wire.FinishReply {
		const found = this.find(command);
		const before = found?.steps.get(command.step);
		if (found && before?.state === 'done' && this.isToken(found, command.token)) {
			return {
				status: 'repeated',
				step: this.step(found, command.step),
				event: summary(found.event),
			};
		}
		const { entry, status } = this.held(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		const { event } = entry;
		entry.steps.set(command.step, {
			name: command.step,
			attempt: before?.attempt ?? event.attempt,
			tries: before?.tries ?? 1,
			executionId: before?.executionId ?? event.executionId!,
			fingerprint: before?.fingerprint,
			startedAt: before?.startedAt ?? this.now(),
			claimant: before?.claimant,
			state: command.state,
			finishedAt: this.now(),
			output: command.output,
			externalId: command.externalId,
			undo: command.undo,
			error: command.error,
		});
		this.log(entry, command.state === 'done' ? 'step_done' : 'step_failed', {
			step: command.step,
			reason: command.error,
		});
		return { status, step: this.step(entry, command.step), event: summary(event) };
	}

	protected takeUndosOne(command: wire.TakeUndosCommand): wire.TakeUndosReply {
		const { entry, status } = this.undoing(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		const due = [...entry.steps.values()].filter((step) => this.isToUndo(step));
		const isRepetition = due.some(({ undoing }) => undoing?.call === command.call);
		const { attempt } = entry.event;
		const isTaken = due.some(({ undoing }) => undoing && this.keepsAway(undoing, attempt, command));
		const steps = isTaken && !isRepetition ? [] : due;
		if (steps.length > 0 && !isRepetition) {
			const until = this.now() + command.visibility;
			const undoing = {
				until,
				call: command.call,
				attempt: command.by === undefined ? attempt : undefined,
			};
			for (const step of steps) step.undoing = undoing;
			this.log(entry, 'undo_taken', { by: command.by });
		}
		return {
			status,
			undos: steps.map(({ name }) => this.step(entry, name)),
			event: summary(entry.event),
		};
	}

	/** Whether what was handed out must not be handed out again yet. */
	protected keepsAway(undoing: Undoing, attempt: number, { by }: wire.TakeUndosCommand): boolean {
		const isOfEarlierRun = (undoing.attempt ?? attempt) !== attempt;
		return undoing.until > this.now() && (by !== undefined || !isOfEarlierRun);
	}

	protected isToUndo({ state, undo }: ModelStep): boolean {
		return state === 'done' && undo !== undefined;
	}

	protected markUndoneOne(command: wire.UndoneCommand): wire.FinishReply {
		const { entry, status } = this.undoing(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		const step = entry.steps.get(command.step);
		if (step?.state !== 'done' && step?.state !== 'undone') return this.refusal('not_done', entry);
		const repeated = step.state === 'undone';
		if (!repeated) {
			step.state = 'undone';
			delete step.undoing;
			this.log(entry, 'step_undone', {
				step: command.step,
				by: command.by,
				reason: command.reason,
			});
		}
		return {
			status: repeated ? 'repeated' : 'ok',
			step: this.step(entry, command.step),
			event: summary(entry.event),
		};
	}

	// --- Events ---

	protected completeOne(command: wire.CompleteCommand): wire.WriteReply {
		const found = this.find(command);
		if (found?.event.state === 'done' && this.mayWrite(found, command)) {
			return { ...this.refusal('repeated', found), result: found.event.result };
		}
		const { entry, status } =
			command.by === undefined ? this.held(command) : this.operated(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		const open = this.stepsOf(entry).filter(({ state }) => state === 'started');
		if (command.by === undefined && open.length > 0) {
			return { ...this.refusal('unfinished', entry), steps: open.map(({ name }) => name) };
		}
		this.end(entry);
		entry.event.result = command.result;
		if (command.externalId !== undefined) entry.event.externalId = command.externalId;
		if (entry.event.attempt > 1) {
			const { namespace, createdAt } = entry.event;
			this.count(namespace, 'rescued');
			const seconds = 1 + Math.floor((this.now() - createdAt) / 1000);
			this.count(namespace, 'rescue_seconds', seconds);
		}
		this.log(entry, 'completed', { by: command.by, reason: command.reason });
		return this.refusal('ok', entry);
	}

	protected failOne(command: wire.FailCommand): wire.WriteReply {
		const { entry, status } = this.authorised(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		if (command.by !== undefined && entry.event.state === 'done') {
			return this.refusal('closed', entry);
		}
		this.giveUp(entry, command);
		return this.refusal('ok', entry);
	}

	private giveUp(
		entry: Entry,
		command: { as: 'failed' | 'review'; reason: string; retryAfter: number; by?: string },
	): void {
		const { event } = entry;
		if (command.as === 'review') return this.toReview(entry, command.reason, command.by);
		if (event.attempt - entry.releasedAttempt >= event.maxAttempts) {
			return this.toReview(entry, usedUp(event.maxAttempts, command.reason), command.by);
		}
		event.state = 'failed';
		event.reason = command.reason;
		event.dueAt = this.now() + command.retryAfter;
		delete event.leaseUntil;
		this.log(entry, 'failed', { by: command.by, reason: command.reason });
	}

	protected renewOne(command: wire.RenewCommand): wire.WriteReply {
		const { entry, status } = this.held(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		entry.lease = command.lease ?? entry.lease;
		this.renewLease(entry);
		return this.refusal('ok', entry);
	}

	protected releaseOne(command: wire.ReleaseCommand): wire.WriteReply {
		const { entry, status } = this.authorised(command);
		if (!entry || status !== 'ok') return this.refusal(status, entry);
		const { event } = entry;
		event.state = 'failed';
		event.reason = command.reason ?? 'Released';
		event.dueAt = this.now();
		delete event.leaseUntil;
		delete event.doneAt;
		delete event.expiresAt;
		entry.releasedAttempt = event.attempt;
		this.log(entry, 'released', { by: command.by, reason: command.reason });
		return this.refusal('ok', entry);
	}

	async failByExecution(command: wire.FailByExecutionCommand): Promise<EventSummary[]> {
		this.tick();
		const entries = this.all().filter(
			({ event: { executionId, state } }) =>
				executionId === command.executionId && (state === 'processing' || state === 'waiting'),
		);
		for (const entry of entries) this.giveUp(entry, { ...command, retryAfter: 0 });
		return plain(entries.map(({ event }) => summary(event)));
	}
}
