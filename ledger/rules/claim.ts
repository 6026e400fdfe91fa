import type { EventState, LosingOutcome, WinningOutcome } from '../records';
import { isHeldBy } from './authority';
import type { ClaimCommand, ImportCommand } from './commands';
import { Draft, unchanged } from './Draft';
import type { Decision, Event } from './Event';
import { doubleSubmitReason, stoppedReason, usedUpReason } from './texts';
import { end, hasPendingGate, isLive, isUsedUp, toReview } from './transitions';

/** What became of a claim. The engine completes it with steps and values. */
export type ClaimReply =
	| { claimed: true; outcome: WinningOutcome; event: Event }
	| { claimed: false; outcome: LosingOutcome; event?: Event; isDoubleSubmit?: true };

/** How a delivery was counted before anything was decided about it: as met in a state, or as behind the mark of its object. */
export interface Delivery {
	/** `met_<state>`, or `stale`; undefined if it was not counted yet. */
	countedAs?: string;
	isStale: boolean;
}

/** What an outcome is counted as, when its record stays as it is. Other outcomes are counted by the writes that they are. */
const COUNTED_AS: { [outcome in LosingOutcome]?: string } = {
	duplicate: metIn('done'),
	in_progress: metIn('processing'),
	waiting: metIn('waiting'),
	review: metIn('review'),
};

/** The tally of deliveries that met a record in this state. */
export function metIn(state: EventState): string {
	return `met_${state}`;
}

/** The outcome that such a tally is shown as, or the kind itself. A failed record turns nobody away, so these are taken back. */
export function shownKind(kind: string): string {
	const outcomes = Object.keys(COUNTED_AS) as LosingOutcome[];
	return outcomes.find((outcome) => COUNTED_AS[outcome] === kind) ?? kind;
}

/** An event as its first claim makes it. */
export function newEvent(command: ClaimCommand, now: number): Event {
	const { namespace, key, holder, claimant, workflowId, owner, fingerprint, alias, call } = command;
	return {
		namespace,
		key,
		state: 'processing',
		attempt: 1,
		maxAttempts: command.maxAttempts,
		fingerprint,
		executionId: holder.executionId,
		workflowId,
		owner,
		createdAt: now,
		claimedAt: now,
		leaseUntil: now + command.leaseMs,
		dueAt: now + command.leaseMs,
		duplicates: 0,
		lastSeenAt: now,
		alias,
		instance: holder.instance,
		nonce: holder.nonce,
		claimant,
		outcome: 'new',
		leaseMs: command.leaseMs,
		retentionMs: command.retentionMs,
		onStopped: command.onStopped,
		keepInput: command.keepInput,
		object: command.object,
		version: command.version,
		attemptsSince: 0,
		steps: 0,
		openSteps: 0,
		failedSteps: 0,
		entries: 0,
		approvals: [],
		claimCall: call,
		calls: [],
	};
}

/** An event that was done elsewhere. */
export function importedEvent(command: ImportCommand, now: number): Event {
	const { namespace, key, fingerprint, externalId, doneAt = now, retentionMs, call } = command;
	return {
		namespace,
		key,
		state: 'done',
		attempt: 0,
		maxAttempts: 1,
		fingerprint,
		createdAt: now,
		claimedAt: now,
		doneAt,
		expiresAt: now + retentionMs,
		duplicates: 0,
		lastSeenAt: now,
		externalId,
		leaseMs: 0,
		retentionMs,
		onStopped: 'review',
		attemptsSince: 0,
		steps: 0,
		openSteps: 0,
		failedSteps: 0,
		entries: 0,
		approvals: [],
		claimCall: call,
		calls: [],
	};
}

/**
 * A claim that met a live record, in this order:
 *
 * 1. this very call won the claim: the answer was lost → the same outcome again
 * 2. it is another event that has the command's alias → a double submit: never won
 * 3. both have a fingerprint and they differ → `conflict`, kept with its content
 * 4. `done` → `duplicate`; `waiting` and not overdue → `waiting`; `review` → `review`
 * 5. `processing`, lease live, and neither the claimant is the same nor its holder the one acted for → `in_progress`
 * 6. from here on the claim could be won, so ordering counts: the object's mark is above `version` → `stale`, and the record, which
 *    must not be run any more, becomes `done` (history `superseded`, expires after its retention)
 * 7. `processing`, lease live → `resumed`
 * 8. attempts used, or lease over and policy `review` → to review, `review`
 * 9. `failed` → `retry`; else `recovered`
 */
export function decideClaim(
	event: Event,
	command: ClaimCommand,
	{ countedAs, isStale }: Delivery,
	now: number,
): Decision<ClaimReply> {
	const turnAway = (outcome: LosingOutcome) => turnedAway(event, outcome, countedAs, now);
	// 1
	if (event.claimCall === command.call) {
		return corrected(event, { claimed: true, outcome: event.outcome!, event }, countedAs, now);
	}
	// 2
	if (event.key !== command.key) return doubleSubmit(event, turnAway);
	// 3
	if (differ(event.fingerprint, command.fingerprint))
		return conflict(event, command, countedAs, now);
	// 4
	if (event.state === 'done') return turnAway('duplicate');
	if (event.state === 'review') return turnAway('review');
	const alive = isLive(event, now);
	if (event.state === 'waiting' && (alive || hasPendingGate(event, now)))
		return turnAway('waiting');
	// 5
	if (alive && !isSameWork(event, command)) return turnAway('in_progress');
	// 6
	if (isStale) return superseded(event, countedAs, now);
	// 7
	if (alive) return won(event, command, 'resumed', countedAs, now);
	// 8
	const why = whyReview(event, command);
	if (why !== undefined) return sentToReview(event, why, countedAs, now);
	// 9
	return won(event, command, event.state === 'failed' ? 'retry' : 'recovered', countedAs, now);
}

/** There is no live record, and the event is behind the mark of its object: none is made. */
export function staleWithoutRecord(): Decision<ClaimReply> {
	return unchanged<ClaimReply>({ claimed: false, outcome: 'stale' });
}

export function differ(a: string | undefined, b: string | undefined): boolean {
	return a !== undefined && b !== undefined && a !== b;
}

function isSameWork(event: Event, { holder, claimant, actsFor }: ClaimCommand): boolean {
	return (isHeldBy(event, holder) && event.claimant === claimant) || isHeldBy(event, actsFor);
}

function whyReview(event: Event, { maxAttempts, onStopped }: ClaimCommand): string | undefined {
	if (isUsedUp(event, maxAttempts)) return usedUpReason(maxAttempts, event.reason);
	const hasStopped = event.state !== 'failed';
	return hasStopped && onStopped === 'review' ? stoppedReason(event) : undefined;
}

/** All that winning a claim changes; fingerprint, owner and input only if the command has them. An alias is given by the first claim alone. */
function won(
	found: Event,
	command: ClaimCommand,
	outcome: WinningOutcome,
	countedAs: string | undefined,
	now: number,
): Decision<ClaimReply> {
	const draft = new Draft(found, now);
	const fresh = newEvent(command, now);
	const { event } = draft;
	Object.assign(event, {
		...fresh,
		attempt: found.attempt + 1,
		outcome,
		fingerprint: fresh.fingerprint ?? found.fingerprint,
		owner: fresh.owner ?? found.owner,
		alias: found.alias,
		object: fresh.object ?? found.object,
		version: fresh.version ?? found.version,
		createdAt: found.createdAt,
		duplicates: found.duplicates,
		externalId: found.externalId,
		conflicts: found.conflicts,
		attemptsSince: found.attemptsSince,
		steps: found.steps,
		openSteps: found.openSteps,
		failedSteps: found.failedSteps,
		entries: found.entries,
		approvals: found.approvals,
		calls: found.calls,
	});
	event.reason = undefined;
	event.isPaused = undefined;
	if (command.input !== undefined) draft.input = command.input;
	draft.remember(outcome);
	countInstead(draft, countedAs, outcome);
	if (countedAs !== undefined) draft.duplicates = -1;
	draft.lastSeenAt = now;
	return draft.decide<ClaimReply>({ claimed: true, outcome, event });
}

/** Nothing changes but counts, which mostly are right already. */
function turnedAway(
	event: Event,
	outcome: LosingOutcome,
	countedAs: string | undefined,
	now: number,
): Decision<ClaimReply> {
	const reply: ClaimReply = { claimed: false, outcome, event };
	if (countedAs !== undefined && countedAs === COUNTED_AS[outcome]) return unchanged(reply);
	const draft = new Draft(event, now);
	countInstead(draft, countedAs, COUNTED_AS[outcome] ?? outcome);
	countDelivery(draft, countedAs);
	return draft.decide(reply);
}

/** It was not turned away after all: the delivery that was counted is taken back. */
function corrected(
	event: Event,
	reply: ClaimReply,
	countedAs: string | undefined,
	now: number,
): Decision<ClaimReply> {
	if (countedAs === undefined) return unchanged(reply);
	const draft = new Draft(event, now);
	draft.count(countedAs, -1);
	draft.duplicates = -1;
	return draft.decide(reply);
}

const DOUBLE_SUBMIT: Record<EventState, LosingOutcome> = {
	processing: 'in_progress',
	waiting: 'waiting',
	done: 'duplicate',
	failed: 'review',
	review: 'review',
};

function doubleSubmit(
	event: Event,
	turnAway: (outcome: LosingOutcome) => Decision<ClaimReply>,
): Decision<ClaimReply> {
	const outcome = DOUBLE_SUBMIT[event.state];
	const decision = turnAway(outcome);
	const shown = outcome === 'review' ? { ...event, reason: doubleSubmitReason(event) } : event;
	return { ...decision, reply: { claimed: false, outcome, event: shown, isDoubleSubmit: true } };
}

function conflict(
	found: Event,
	{ holder, fingerprint, input }: ClaimCommand,
	countedAs: string | undefined,
	now: number,
): Decision<ClaimReply> {
	const draft = new Draft(found, now);
	const { executionId } = holder;
	draft.event.conflicts = (found.conflicts ?? 0) + 1;
	draft.conflict = { at: now, executionId, fingerprint: fingerprint!, input };
	draft.remember('conflict', { executionId });
	countInstead(draft, countedAs, 'conflict');
	countDelivery(draft, countedAs);
	return draft.decide<ClaimReply>({ claimed: false, outcome: 'conflict', event: draft.event });
}

function superseded(
	found: Event,
	countedAs: string | undefined,
	now: number,
): Decision<ClaimReply> {
	const draft = new Draft(found, now);
	end(draft);
	draft.log('superseded');
	countInstead(draft, countedAs, 'stale');
	countDelivery(draft, countedAs);
	return draft.decide<ClaimReply>({ claimed: false, outcome: 'stale', event: draft.event });
}

function sentToReview(
	found: Event,
	reason: string,
	countedAs: string | undefined,
	now: number,
): Decision<ClaimReply> {
	const draft = new Draft(found, now);
	toReview(draft, reason);
	countInstead(draft, countedAs, COUNTED_AS.review!);
	countDelivery(draft, countedAs);
	return draft.decide<ClaimReply>({ claimed: false, outcome: 'review', event: draft.event });
}

function countInstead(draft: Draft, countedAs: string | undefined, kind: string): void {
	if (countedAs === kind) return;
	if (countedAs !== undefined) draft.count(countedAs, -1);
	draft.count(kind);
}

/** A delivery that was read and not met: `stale` ones are not inserted, so that nothing has counted them on their record yet. */
function countDelivery(draft: Draft, countedAs: string | undefined): void {
	if (countedAs !== undefined && countedAs !== 'stale') return;
	draft.duplicates = 1;
	draft.lastSeenAt = draft.now;
}
