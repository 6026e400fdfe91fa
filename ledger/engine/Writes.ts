import { setTimeout as sleep } from 'node:timers/promises';

import { LedgerUnavailableError } from '../errors';
import type { EventAddress } from '../records';
import type { WriteCommand } from '../rules/commands';
import type { Replies, Reply } from '../rules/decide';
import { stepId } from '../rules/Event';
import type { RuleBook } from '../rules/RuleBook';
import type {
	FullRecord,
	RecordStore,
	StoredRecord,
	Swap,
	Swapped,
	Wanted,
} from '../stores/RecordStore';
import { CallBatcher } from './CallBatcher';
import { type Base, Change, NO_STEPS } from './Change';
import { belongingsOf, contentPartName, eventOf, isExpired, stepPartName } from './codec';
import { nameOf, type RecordCache } from './RecordCache';
import type { StoreClock } from './StoreClock';

/** A record that others change all the time is tried so often, with growing pauses. */
const MOST_ROUNDS = 50;

const NO_CONTENTS: ReadonlyMap<string, string> = new Map();

/** What is to be done to one event, in the order in which it was asked for. */
interface Job {
	address: EventAddress;
	commands: WriteCommand[];
	/** Where the replies belong. */
	positions: number[];
	/** What the decisions are based on. Nothing until it was read. */
	base?: Base;
	isFromCache: boolean;
	change?: Change;
	/** What the change writes, if it changes anything. */
	swap?: Swap;
	replies: Reply[];
}

/**
 * All writes but claims. Each is decided on the record that this process knows, and written if the record is still that one; otherwise
 * it is read, and decided again. So a holder's write is mostly one round trip, and many of them, of any kind, share it.
 */
export class Writes {
	private readonly calls: CallBatcher<WriteCommand, Reply>;

	constructor(
		private readonly store: RecordStore,
		private readonly clock: StoreClock,
		private readonly cache: RecordCache,
		private readonly rules: RuleBook,
	) {
		this.calls = new CallBatcher((commands) => this.apply(commands), store.callsAtOnce);
	}

	async send<Kind extends keyof Replies>(
		commands: Array<Extract<WriteCommand, { kind: Kind }>>,
	): Promise<Array<Replies[Kind]>> {
		return (await this.calls.send(commands as WriteCommand[])) as Array<Replies[Kind]>;
	}

	/** The same, one command for each of the records that were read just now. */
	async sendTo<Kind extends keyof Replies>(
		commands: Array<Extract<WriteCommand, { kind: Kind }>>,
		{ now, records }: { now: number; records: StoredRecord[] },
	): Promise<Array<Replies[Kind]>> {
		const jobs = jobsOf(commands);
		jobs.forEach((job, i) => (job.base = baseOf(records[i], now)));
		await this.finish(jobs);
		return inOrder(jobs) as Array<Replies[Kind]>;
	}

	private async apply(commands: WriteCommand[]): Promise<Reply[]> {
		const jobs = jobsOf(commands);
		for (const job of jobs) this.takeFromCache(job);
		await this.finish(jobs);
		return inOrder(jobs);
	}

	private async finish(jobs: Job[]): Promise<void> {
		let open = jobs;
		for (let round = 1; open.length > 0; round++) {
			if (round > MOST_ROUNDS) throw contended(open[0].address);
			if (round > 3) await sleep(Math.random() * Math.min(100, 2 ** round));
			await this.readMissing(open);
			const now = await this.clock.now();
			for (const job of open) this.decide(job, now);
			open = await this.write(open);
		}
	}

	private decide(job: Job, now: number): void {
		const change = new Change(job.base!);
		job.change = change;
		job.replies = job.commands.map((command) => change.add(this.rules.write(change, command, now)));
		job.swap = change.swap();
	}

	/** A refusal changes nothing, so nothing would notice that it is based on an outdated record: it is decided on a fresh one. */
	private async write(jobs: Job[]): Promise<Job[]> {
		const again: Job[] = [];
		const writing: Job[] = [];
		for (const job of jobs) {
			if (job.swap) writing.push(job);
			else if (job.isFromCache) again.push(this.forget(job));
		}
		if (writing.length === 0) return again;
		const { now, replies } = await this.store.swap(writing.map(({ swap }) => swap!));
		this.clock.observe(now);
		const lost: Job[] = [];
		writing.forEach((job, i) => {
			const swapped = replies[i];
			if (swapped) this.keep(job, swapped);
			else lost.push(job);
		});
		return lost.length > 0 ? [...again, ...(await this.recheck(lost))] : again;
	}

	/** Either somebody else was faster, or the answer to a first try was lost: then the record says that we wrote it. */
	private async recheck(lost: Job[]): Promise<Job[]> {
		for (const job of lost) this.forget(job);
		const calls = lost.map(({ change }) => change!.call);
		await this.readMissing(lost);
		return lost.filter((job, i) => {
			const { event } = job.base!;
			if (!event?.calls.includes(calls[i])) return true;
			refresh(job.replies, event);
			return false;
		});
	}

	private forget(job: Job): Job {
		this.cache.drop(job.address);
		job.base = undefined;
		job.isFromCache = false;
		return job;
	}

	private keep(job: Job, swapped: Swapped): void {
		const { swap, change, address } = job;
		const event = change!.event!;
		event.duplicates = swapped.duplicates;
		event.lastSeenAt = swapped.lastSeenAt;
		refresh(job.replies, swapped);
		if (event.state !== 'processing') return this.cache.drop(address);
		const { steps, size } = change!.settledSteps(swap!);
		this.cache.put(address, { revision: swap!.revision + 1, event, steps, size });
	}

	private takeFromCache(job: Job): void {
		const cached = this.cache.get(job.address);
		if (!cached) return;
		const { steps, event, revision, size } = cached;
		const wanted = partsFor(job.commands);
		const allKnown = steps.size === event.steps;
		if (!allKnown && (wanted === 'all' || !wanted.steps.every((id) => steps.has(id)))) return;
		// The content of a gate is not kept here.
		const isAsked = (gate: string) => event.approvals.some((approval) => approval.gate === gate);
		if (wanted === 'all' ? event.approvals.length > 0 : wanted.gates.some(isAsked)) return;
		job.base = { revision, event, steps, size, contents: NO_CONTENTS };
		job.isFromCache = true;
	}

	private async readMissing(jobs: Job[]): Promise<void> {
		const missing = jobs.filter(({ base }) => base === undefined);
		if (missing.length === 0) return;
		const { now, records } = await this.store.read(missing.map(wantedOf));
		this.clock.observe(now);
		missing.forEach((job, i) => (job.base = baseOf(records[i], now)));
	}
}

function jobsOf(commands: WriteCommand[]): Job[] {
	const jobs = new Map<string, Job>();
	commands.forEach((command, position) => {
		const name = nameOf(command);
		let job = jobs.get(name);
		if (!job) {
			const { namespace, key } = command;
			job = {
				address: { namespace, key },
				commands: [],
				positions: [],
				isFromCache: false,
				replies: [],
			};
			jobs.set(name, job);
		}
		job.commands.push(command);
		job.positions.push(position);
	});
	return [...jobs.values()];
}

function inOrder(jobs: Job[]): Reply[] {
	const replies: Reply[] = [];
	for (const job of jobs)
		job.positions.forEach((position, i) => (replies[position] = job.replies[i]));
	return replies;
}

export function baseOf(record: FullRecord | undefined, now: number): Base {
	if (!record || isExpired(record, now))
		return { revision: 0, steps: NO_STEPS, size: 0, contents: NO_CONTENTS };
	const size = (record.parts ?? []).reduce((sum, { text }) => sum + text.length, 0);
	return { revision: record.revision, event: eventOf(record), size, ...belongingsOf(record) };
}

/** What of an event has to be known to decide about these commands. */
function partsFor(commands: WriteCommand[]): 'all' | { steps: string[]; gates: string[] } {
	const steps: string[] = [];
	const gates: string[] = [];
	for (const command of commands) {
		switch (command.kind) {
			case 'begin':
			case 'finish':
			case 'resolve':
			case 'markUndone':
				steps.push(stepId(command.step, command.row));
				break;
			case 'takeUndos':
				return 'all';
			case 'requestApproval':
			case 'decideApproval':
				gates.push(command.gate);
				break;
		}
	}
	return { steps, gates };
}

function wantedOf({ address, commands }: Job): Wanted {
	const isCompleting = commands.some(({ kind }) => kind === 'complete');
	const wanted = partsFor(commands);
	if (wanted === 'all' || isCompleting) {
		// A refusal names the steps that are open, and a repetition has the stored result.
		return { ...address, parts: 'all', ...(isCompleting && { values: true }) };
	}
	const parts = [
		...wanted.steps.map((id) => stepPartName(id, undefined)),
		...wanted.gates.map(contentPartName),
	];
	return parts.length > 0 ? { ...address, parts } : address;
}

/** Duplicates are counted beside the revision, so that only the store knows how many there are. */
function refresh(replies: Reply[], counted: Swapped): void {
	for (const reply of replies) {
		if (typeof reply !== 'object' || !('ok' in reply)) continue;
		const event = reply.ok ? 'event' in reply.value && reply.value.event : reply.error.event;
		if (!event) continue;
		event.duplicates = counted.duplicates;
		event.lastSeenAt = counted.lastSeenAt;
	}
}

function contended({ key }: EventAddress): LedgerUnavailableError {
	return new LedgerUnavailableError(
		`The event '${key}' is written by others all the time`,
		'Try again later. If it lasts, look for executions that work on the same event at the same time',
	);
}
