import { setImmediate as turn } from 'node:timers/promises';

import type { HistoryEntry, HistoryKind, WinningOutcome } from '../../../ledger/records';
import * as wire from '../../../ledger/Store';
import type { Entry, Gate } from './entry';
import { ModelLedger } from './ModelLedger';

/** A store that is wrong in one way, and the topic of the suite that has to notice. */
export interface Mutant {
	fault: string;
	topic: string;
	/** Why a comparison with the model, step by step, cannot show it. */
	beyondModel?: string;
	store: new () => ModelLedger;
}

export const MUTANTS: Mutant[] = [
	{
		fault: 'looks first and writes later: two winners',
		topic: 'claims',
		beyondModel: 'it needs two at the same time',
		store: class extends ModelLedger {
			async claim(commands: wire.ClaimCommand[]) {
				const free = commands.filter((command) => !this.find(command));
				await turn();
				for (const { namespace, key } of free) {
					this.entries.delete(JSON.stringify([namespace, key]));
				}
				return await super.claim(commands);
			}
		},
	},
	{
		fault: 'lets everybody resume',
		topic: 'claims',
		store: class extends ModelLedger {
			protected isSameWork() {
				return true;
			}
		},
	},
	{
		fault: 'knows the claimant by its execution alone',
		topic: 'claims',
		store: class extends ModelLedger {
			protected isSameWork(found: Entry, command: wire.ClaimCommand) {
				return found.event.executionId === command.executionId;
			}
		},
	},
	{
		fault: 'takes over while the lease is live',
		topic: 'claims',
		store: class extends ModelLedger {
			protected isLeaseLive() {
				return false;
			}
		},
	},
	{
		fault: 'takes over although the policy is review, and without end',
		topic: 'claims',
		store: class extends ModelLedger {
			protected whyReview() {
				return undefined;
			}
		},
	},
	{
		fault: 'does not count duplicates',
		topic: 'claims',
		store: class extends ModelLedger {
			protected turnAway(
				...[found, outcome, options]: Parameters<ModelLedger['turnAway']>
			): wire.ClaimReply {
				found.event.duplicates--;
				return super.turnAway(found, outcome, options);
			}
		},
	},
	{
		fault: 'keeps duplicates away for ever, also after the retention',
		topic: 'turned away',
		store: class extends ModelLedger {
			protected isExpired() {
				return false;
			}
		},
	},
	{
		fault: 'keeps the steps of an expired record',
		topic: 'turned away',
		store: class extends ModelLedger {
			protected create(...[command]: Parameters<ModelLedger['create']>): Entry {
				const old = this.entries.get(JSON.stringify([command.namespace, command.key]));
				const entry = super.create(command);
				entry.steps = old?.steps ?? entry.steps;
				return entry;
			}
		},
	},
	{
		fault: 'does not compare fingerprints',
		topic: 'turned away',
		store: class extends ModelLedger {
			protected claimOne(command: wire.ClaimCommand) {
				const known = this.find(command)?.event.fingerprint;
				return super.claimOne({ ...command, fingerprint: known ?? command.fingerprint });
			}
		},
	},
	{
		fault: 'answers a batch in the order of keys',
		topic: 'claims',
		beyondModel: 'it needs batches',
		store: class extends ModelLedger {
			async claim(commands: wire.ClaimCommand[]) {
				return await super.claim([...commands].sort((a, b) => (a.key < b.key ? -1 : 1)));
			}
		},
	},
	{
		fault: 'accepts outdated versions',
		topic: 'ordering',
		store: class extends ModelLedger {
			protected isStale() {
				return false;
			}
		},
	},
	{
		fault: 'rounds versions',
		topic: 'ordering',
		beyondModel: 'it needs special numbers',
		store: class extends ModelLedger {
			protected isStale(command: wire.ClaimCommand) {
				const { version } = command;
				return super.isStale({ ...command, version: version && Number(version.toPrecision(14)) });
			}
		},
	},
	{
		fault: 'does not check the token',
		topic: 'fencing',
		store: class extends ModelLedger {
			protected isToken() {
				return true;
			}
		},
	},
	{
		fault: 'refuses a stale write but renews the lease',
		topic: 'fencing',
		store: class extends ModelLedger {
			protected held(...[command]: Parameters<ModelLedger['held']>) {
				const result = super.held(command);
				if (result.status === 'stale') this.renewLease(result.entry!);
				return result;
			}
		},
	},
	{
		fault: 'does not renew the lease',
		topic: 'fencing',
		store: class extends ModelLedger {
			protected renewLease(entry: Entry) {
				if (entry.event.leaseUntil === undefined) super.renewLease(entry);
			}
		},
	},
	{
		fault: 'forgets finished steps when it is taken over',
		topic: 'steps',
		store: class extends ModelLedger {
			protected win(entry: Entry, command: wire.ClaimCommand, outcome: WinningOutcome) {
				if (outcome === 'recovered') entry.steps.clear();
				return super.win(entry, command, outcome);
			}
		},
	},
	{
		fault: 'repeats a step in doubt silently',
		topic: 'steps',
		store: class extends ModelLedger {
			protected beginOutcome(...args: Parameters<ModelLedger['beginOutcome']>) {
				const outcome = super.beginOutcome(...args);
				return outcome === 'in_doubt' ? 'run' : outcome;
			}
		},
	},
	{
		fault: 'skips a step in doubt silently',
		topic: 'steps',
		store: class extends ModelLedger {
			protected beginOutcome(...args: Parameters<ModelLedger['beginOutcome']>) {
				const outcome = super.beginOutcome(...args);
				return outcome === 'in_doubt' ? 'done' : outcome;
			}
		},
	},
	{
		fault: 'overwrites the output of a finished step',
		topic: 'steps',
		store: class extends ModelLedger {
			protected finishOne(command: wire.FinishCommand) {
				const step = this.find(command)?.steps.get(command.step);
				if (step) step.state = 'started';
				return super.finishOne(command);
			}
		},
	},
	{
		fault: 'counts how long a step may be repeated from its last start',
		topic: 'steps',
		beyondModel: 'times are not compared',
		store: class extends ModelLedger {
			protected beginOne(command: wire.BeginCommand) {
				const step = this.find(command)?.steps.get(command.step);
				if (step) step.startedAt = this.now();
				return super.beginOne(command);
			}
		},
	},
	{
		fault: 'completes events with unfinished steps',
		topic: 'events',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				const steps = this.find(command)?.steps ?? new Map<string, never>();
				for (const [name, step] of steps) if (step.state === 'started') steps.delete(name);
				return super.completeOne(command);
			}
		},
	},
	{
		fault: 'overwrites the result when it is completed again',
		topic: 'events',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				const reply = super.completeOne(command);
				if (reply.status === 'repeated') this.find(command)!.event.result = command.result;
				return reply;
			}
		},
	},
	{
		fault: 'keeps the input of what is done',
		topic: 'events',
		store: class extends ModelLedger {
			protected end(entry: Entry) {
				super.end({ ...entry, keepInput: true });
			}
		},
	},
	{
		fault: 'has gaps in the history',
		topic: 'events',
		store: class extends ModelLedger {
			protected log(entry: Entry, kind: HistoryKind, details?: Partial<HistoryEntry>) {
				if (kind !== 'released') super.log(entry, kind, details);
			}
		},
	},
	{
		fault: 'lets a later decision replace the first',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected vote(entry: Entry, gate: Gate, command: wire.DecisionCommand) {
				if (gate.approval.state !== 'expired') gate.approval.state = 'pending';
				return super.vote(entry, gate, command);
			}
		},
	},
	{
		fault: 'uses an approval for changed content',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected mustAsk(approval: wire.StoredApproval) {
				return approval.state === 'expired';
			}
		},
	},
	{
		fault: 'counts one person twice',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected hasVoted() {
				return false;
			}

			protected approvers({ votes }: wire.StoredApproval) {
				return votes.length;
			}
		},
	},
	{
		fault: 'keeps the same vote twice',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected hasVoted() {
				return false;
			}
		},
	},
	{
		fault: 'notices only the gate that was asked last when it expires',
		topic: 'approvals',
		beyondModel: 'times are not compared',
		store: class extends ModelLedger {
			protected nextExpiry({ gates }: Entry) {
				return [...gates.values()].at(-1)!.approval.expiresAt ?? wire.NEVER;
			}
		},
	},
	{
		fault: 'lets anybody fill the history',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected noteOne(command: wire.NoteCommand) {
				return super.noteOne({ ...command, limit: 1000 });
			}
		},
	},
	{
		fault: 'accepts decisions after the time is over',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected expireGate() {}
		},
	},
	{
		fault: 'does not know the repetition of a command',
		topic: 'replays',
		beyondModel: 'the contract never repeats one',
		store: class extends ModelLedger {
			protected isRepetition() {
				return false;
			}
		},
	},
	{
		fault: 'does not count everything in the stats',
		topic: 'reads',
		store: class extends ModelLedger {
			protected count(namespace: string, kind: string) {
				if (kind !== 'resumed') super.count(namespace, kind);
			}
		},
	},
	{
		fault: 'lists in the order of JavaScript',
		topic: 'lists',
		beyondModel: 'it needs special keys',
		store: class extends ModelLedger {
			async list(query: wire.ListQuery) {
				const events = await super.list(query);
				if (query.order === 'key') events.sort((a, b) => (a.key < b.key ? -1 : 1));
				return events;
			}
		},
	},
	{
		fault: 'loses what was made in the same millisecond as the end of a page',
		topic: 'lists',
		beyondModel: 'it needs pages',
		store: class extends ModelLedger {
			async list(query: wire.ListQuery) {
				const events = await super.list(query);
				const { after, order } = query;
				return after && order === 'created'
					? events.filter(({ createdAt }) => createdAt < after.time)
					: events;
			}
		},
	},
	{
		fault: 'hands out the same work twice',
		topic: 'taking',
		store: class extends ModelLedger {
			async take(command: wire.TakeCommand) {
				return await super.take({ ...command, visibility: -1 });
			}
		},
	},
	{
		fault: 'purges more than it was asked for',
		topic: 'upkeep',
		beyondModel: 'it needs many records',
		store: class extends ModelLedger {
			async purge() {
				return await super.purge(Infinity);
			}
		},
	},
	{
		fault: 'cuts large results',
		topic: 'values',
		beyondModel: 'it needs large values',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				return super.completeOne({ ...command, result: command.result?.slice(0, 65_535) });
			}
		},
	},
	{
		fault: 'alters some characters',
		topic: 'values',
		beyondModel: 'it needs special values',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				return super.completeOne({ ...command, result: command.result?.normalize('NFC') });
			}
		},
	},
];
