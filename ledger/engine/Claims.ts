import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { LedgerUnavailableError } from '../errors';
import type { ClaimResult } from '../Ledger';
import type { EventAddress } from '../records';
import { type ClaimReply, metIn, newEvent, staleWithoutRecord } from '../rules/claim';
import type { ClaimCommand } from '../rules/commands';
import type { RuleBook } from '../rules/RuleBook';
import { eventRecord, stepRecord, stepsInOrder, summary } from '../rules/present';
import type { FullRecord, Insertion, RecordStore, Swap, Swapped } from '../stores/RecordStore';
import { firstRevision } from './calls';
import { type Base, Change, NO_STEPS } from './Change';
import { eventOf, freshBodyOf, isExpired } from './codec';
import { nameOf, type RecordCache } from './RecordCache';
import type { StoreClock } from './StoreClock';
import { baseOf } from './Writes';

const MOST_ROUNDS = 50;

/** One delivery on its way. */
interface Attempt {
	command: ClaimCommand;
	isStale: boolean;
	/** How the delivery was counted, if it was. */
	countedAs?: string;
	/** What is in the way, and when it was. */
	found?: { now: number; record: FullRecord };
	result?: ClaimResult;
}

/** An attempt that changes what it met. */
interface Written {
	attempt: Attempt;
	reply: ClaimReply;
	change: Change;
	swap: Swap;
}

/** Claims. Nearly all are new, and one round trip: an insertion. What meets a record is decided by the rules, and mostly needs no more. */
export class Claims {
	constructor(
		private readonly store: RecordStore,
		private readonly clock: StoreClock,
		private readonly cache: RecordCache,
		private readonly rules: RuleBook,
	) {}

	async claim(commands: ClaimCommand[]): Promise<ClaimResult[]> {
		if (commands.length === 1 && commands[0].object === undefined) {
			const attempt: Attempt = { command: commands[0], isStale: false };
			await this.run([attempt]);
			return [attempt.result!];
		}
		const stale = await this.raiseMarks(commands);
		const attempts = commands.map((command): Attempt => {
			const isStale = stale.has(command);
			return { command, isStale, countedAs: isStale ? 'stale' : undefined };
		});
		for (const wave of wavesOf(attempts)) await this.run(wave);
		noteSameContent(attempts);
		return attempts.map(({ result }) => result!);
	}

	/** The commands that are older than what their object has. */
	private async raiseMarks(commands: ClaimCommand[]): Promise<Set<ClaimCommand>> {
		const ordered = commands.filter(({ object }) => object !== undefined);
		if (ordered.length === 0) return new Set();
		const marks = ordered.map(({ namespace, object, version, retentionMs }) => ({
			namespace,
			object: objectHash(object!),
			version: version!,
			retentionMs,
		}));
		const stale = await this.store.raiseMarks(marks);
		return new Set(ordered.filter((_, i) => stale[i]));
	}

	/** Of different events. */
	private async run(attempts: Attempt[]): Promise<void> {
		let open = attempts;
		for (let round = 1; open.length > 0; round++) {
			if (round > MOST_ROUNDS) throw contended(open[0].command);
			if (round > 3) await sleep(Math.random() * Math.min(100, 2 ** round));
			const unmet = open.filter(({ found }) => !found);
			const stale = unmet.filter(({ isStale }) => isStale);
			if (stale.length > 0) await this.read(stale);
			if (stale.length < unmet.length) await this.insert(unmet.filter(({ isStale }) => !isStale));
			open = await this.decide(open.filter(({ result }) => !result));
		}
	}

	private async insert(attempts: Attempt[]): Promise<void> {
		const insertions = attempts.map(insertionOf);
		const { now, replies } = await this.store.insert(insertions);
		this.clock.observe(now);
		attempts.forEach((attempt, i) => {
			const reply = replies[i];
			if (reply.inserted) {
				const { revision } = insertions[i];
				attempt.result = this.wonNew(attempt.command, now, revision, reply.sameContentAs);
			} else {
				attempt.found = { now, record: reply.met };
				attempt.countedAs = metIn(reply.met.state);
			}
		});
	}

	private wonNew(
		command: ClaimCommand,
		now: number,
		revision: number,
		sameContentAs?: string,
	): ClaimResult {
		const event = newEvent(command, now);
		this.cache.put(command, { revision, event, steps: NO_STEPS, size: 0 });
		const won: ClaimResult = { claimed: true, outcome: 'new', event: summary(event), steps: [] };
		return sameContentAs === undefined ? won : { ...won, sameContentAs };
	}

	private async read(attempts: Attempt[]): Promise<void> {
		const wanted = attempts.map(({ command, found }) => {
			const { namespace, key } = found?.record ?? command;
			return { namespace, key, values: true as const };
		});
		const { now, records } = await this.store.read(wanted);
		this.clock.observe(now);
		attempts.forEach((attempt, i) => {
			const record = records[i];
			attempt.found = record && { now, record };
			const isGone = !record || isExpired(record, now);
			if (attempt.isStale && isGone) attempt.result = resultOf(staleWithoutRecord().reply);
		});
	}

	/** Returns those that have to be tried again. */
	private async decide(attempts: Attempt[]): Promise<Attempt[]> {
		const writing: Written[] = [];
		const freed: Attempt[] = [];
		for (const attempt of attempts) {
			const { now, record } = attempt.found!;
			if (isExpired(record, now)) {
				freed.push(attempt);
				continue;
			}
			const written = this.decideOne(attempt, now, record);
			if (written.swap) writing.push(written as Written);
			else attempt.result = resultOf(written.reply, record.result);
		}
		if (freed.length > 0) await this.removeExpired(freed);
		const lost = writing.length > 0 ? await this.write(writing) : [];
		return [...freed, ...lost];
	}

	private decideOne(
		attempt: Attempt,
		now: number,
		record: FullRecord,
	): Omit<Written, 'swap'> & { swap?: Swap } {
		const { command, isStale, countedAs } = attempt;
		const base = baseOf(record, now);
		const change = new Change(base);
		const reply = change.add(this.rules.claim(base.event!, command, { countedAs, isStale }, now));
		return { attempt, reply, change, swap: change.swap() };
	}

	private async write(writing: Written[]): Promise<Attempt[]> {
		const { now, replies } = await this.store.swap(writing.map(({ swap }) => swap));
		this.clock.observe(now);
		const lost: Written[] = [];
		const won: Written[] = [];
		writing.forEach((written, i) => {
			const swapped = replies[i];
			if (!swapped) return lost.push(written);
			this.settle(written, swapped);
			return written.reply.claimed && won.push(written);
		});
		if (lost.length > 0) won.push(...(await this.recheck(lost)));
		if (won.length > 0) await this.readSteps(won);
		return lost.map(({ attempt }) => attempt).filter(({ result }) => !result);
	}

	private settle({ attempt, reply, change, swap }: Written, counted: Swapped): void {
		this.cache.drop(swap);
		const { duplicates, lastSeenAt } = counted;
		const event = reply.event && { ...reply.event, duplicates, lastSeenAt };
		attempt.result = resultOf({ ...reply, event } as ClaimReply, change.result);
	}

	/** Either somebody else was faster, or the answer was lost: then the record says that we wrote it. Returns the claims that were won. */
	private async recheck(lost: Written[]): Promise<Written[]> {
		await this.read(lost.map(({ attempt }) => attempt));
		return lost.filter((written) => {
			const { attempt, change, reply } = written;
			const record = attempt.found?.record;
			if (!record || !eventOf(record).calls.includes(change.call)) return false;
			this.settle(written, record);
			return reply.claimed;
		});
	}

	/** What earlier attempts left. From now on nobody else writes to it, so that it is known for the writes to come. */
	private async readSteps(won: Written[]): Promise<void> {
		const left = won.filter(({ change }) => change.event!.steps > 0);
		const bases = new Map<Written, Base>();
		if (left.length > 0) {
			const { now, records } = await this.store.read(
				left.map(({ swap: { namespace, key } }) => ({ namespace, key, parts: 'all' })),
			);
			left.forEach((written, i) => bases.set(written, baseOf(records[i], now)));
		}
		for (const written of won) {
			const { attempt, change, swap } = written;
			const { steps, size } = bases.get(written) ?? { steps: NO_STEPS, size: 0 };
			if (attempt.result?.claimed) attempt.result.steps = stepsInOrder({ steps }).map(stepRecord);
			const revision = swap.revision + 1;
			this.cache.put(swap, { revision, event: change.event!, steps, size });
		}
	}

	/** They make room. */
	private async removeExpired(attempts: Attempt[]): Promise<void> {
		await this.store.remove(
			attempts.map(({ found }) => {
				const { namespace, key } = found!.record;
				return { namespace, key, onlyIfExpired: true as const };
			}),
		);
		for (const attempt of attempts) attempt.found = attempt.countedAs = undefined;
	}
}

function insertionOf({ command }: Attempt): Insertion {
	const { namespace, key, holder, fingerprint, alias, leaseMs, input } = command;
	return {
		namespace,
		key,
		revision: firstRevision(),
		state: 'processing',
		dueAfterMs: leaseMs,
		executionId: holder.executionId,
		fingerprint,
		alias,
		body: freshBodyOf(newEvent(command, 0)),
		input,
		count: 'new',
		isDelivery: true,
		findSameContent: command.findSameContent,
	};
}

function resultOf(reply: ClaimReply, result?: string): ClaimResult {
	if (reply.claimed) {
		return { claimed: true, outcome: reply.outcome, event: summary(reply.event), steps: [] };
	}
	const { outcome, event, isDoubleSubmit } = reply;
	return {
		claimed: false,
		outcome,
		...(event && { event: eventRecord(event, { result }) }),
		...(isDoubleSubmit && { isDoubleSubmit }),
	};
}

/** Commands of the same event, or with the same alias, one after the other; all others together. */
function wavesOf(attempts: Attempt[]): Attempt[][] {
	const waves: Attempt[][] = [];
	const seen = new Map<string, number>();
	for (const attempt of attempts) {
		const { command } = attempt;
		const names = [nameOf(command)];
		if (command.alias !== undefined) names.push(`${command.namespace}\0\0${command.alias}`);
		const wave = Math.max(0, ...names.map((name) => seen.get(name) ?? 0));
		for (const name of names) seen.set(name, wave + 1);
		(waves[wave] ??= []).push(attempt);
	}
	return waves;
}

/** The store looks among the records that were there before the batch. */
function noteSameContent(attempts: Attempt[]): void {
	const newest = new Map<string, string>();
	for (const { command, result } of attempts) {
		const { namespace, key, fingerprint, findSameContent } = command;
		if (!findSameContent || result?.outcome !== 'new' || !result.claimed) continue;
		const content = `${namespace}\0${fingerprint}`;
		const other = newest.get(content);
		if (other !== undefined) result.sameContentAs = other;
		newest.set(content, key);
	}
}

/** Objects are named by people's data: nothing of it is left when its events are deleted. */
export function objectHash(object: string): string {
	return createHash('sha256').update(object).digest('base64url');
}

function contended({ key }: EventAddress): LedgerUnavailableError {
	return new LedgerUnavailableError(
		`The event '${key}' is claimed by others all the time`,
		'Try again later. If it lasts, look for a sender that delivers it without a pause',
	);
}
