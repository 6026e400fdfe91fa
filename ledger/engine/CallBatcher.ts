import { LedgerUnavailableError } from '../errors';
import { BATCH_LIMIT } from '../stores/RecordStore';

/** Batches of at least this many are sent on their own. */
const ALONE_FROM = 100;

/** Below this many callers, a second concurrent call is not worthwhile. */
const WORTH_A_CALL = 4;

/** Keeps one call below what servers like to take at once, whatever the size of the values. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;

interface PendingCall<C, R> {
	commands: C[];
	resolve(replies: R[]): void;
	reject(error: unknown): void;
}

/**
 * Puts calls of one operation together. Large batches are split. Small ones that arrive while `most` calls are under way wait and
 * are then sent as one: a worker with many executions that claim one item each costs the store a few transactions, not one for
 * each. The first call does not wait, and neither does a large one.
 */
export class CallBatcher<C extends object, R> {
	private underWay = 0;
	private isFlushing = false;
	private readonly waiting: Array<PendingCall<C, R>> = [];

	constructor(
		private readonly call: (commands: C[]) => Promise<R[]>,
		private readonly most: number = 1,
	) {}

	/** Does nothing for a single command that it does not need: that is what most senders wait for. */
	send(commands: C[]): Promise<R[]> {
		return commands.length === 1 ? this.enqueue(commands) : this.sendInParts(commands);
	}

	private async sendInParts(commands: C[]): Promise<R[]> {
		const parts = chunks(commands);
		if (parts.length === 1) return await this.enqueue(parts[0]);
		const replies: R[] = [];
		// One after the other, so that a key which occurs in two chunks is met in the order of the batch.
		for (const chunk of parts) replies.push(...(await this.enqueue(chunk)));
		return replies;
	}

	private enqueue(commands: C[]): Promise<R[]> {
		return new Promise((resolve, reject) => {
			const pending = { commands, resolve, reject };
			if (commands.length >= ALONE_FROM) {
				void this.deliver([pending]);
			} else {
				this.waiting.push(pending);
				this.flushSoon();
			}
		});
	}

	/** At the end of this turn, because callers that were just answered together will often be back together. */
	private flushSoon(): void {
		if (this.isFlushing || this.underWay === this.most || this.waiting.length === 0) return;
		this.isFlushing = true;
		process.nextTick(() => {
			this.isFlushing = false;
			while (this.waiting.length > 0 && this.underWay < this.most) void this.flush();
		});
	}

	private async flush(): Promise<void> {
		const group = this.nextGroup();
		this.underWay++;
		await this.deliver(group);
		this.underWay--;
		this.flushSoon();
	}

	/** An equal share of what waits for each call that is free, and no more than goes into one. */
	private nextGroup(): Array<PendingCall<C, R>> {
		if (this.waiting.length === 1) return this.waiting.splice(0);
		const share = Math.ceil(this.waiting.length / (this.most - this.underWay));
		let count = 0;
		let size = 0;
		const end = this.waiting.findIndex(({ commands }, i) => {
			count += commands.length;
			for (const command of commands) size += charactersOf(command);
			return (
				i >= Math.max(share, WORTH_A_CALL) ||
				(i > 0 && (count > BATCH_LIMIT || size > BATCH_CHARACTERS))
			);
		});
		return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
	}

	private async deliver(group: Array<PendingCall<C, R>>): Promise<void> {
		try {
			if (group.length === 1) {
				group[0].resolve(await this.call(group[0].commands));
				return;
			}
			const replies = await this.call(group.flatMap(({ commands }) => commands));
			let used = 0;
			for (const { commands, resolve } of group) {
				resolve(replies.slice(used, (used += commands.length)));
			}
		} catch (error) {
			if (group.length === 1 || error instanceof LedgerUnavailableError) {
				for (const { reject } of group) reject(error);
			} else {
				// Each caller is sent again alone, so that one bad batch does not fail the others: every operation may be repeated.
				for (const pending of group) await this.deliver([pending]);
			}
		}
	}
}

function chunks<C extends object>(all: C[]): C[][] {
	const parts: C[][] = [];
	let characters = 0;
	for (const command of all) {
		const chunk = parts.at(-1);
		const more = charactersOf(command);
		if (!chunk || chunk.length === BATCH_LIMIT || characters + more > BATCH_CHARACTERS) {
			parts.push([command]);
			characters = more;
		} else {
			chunk.push(command);
			characters += more;
		}
	}
	return parts;
}

function charactersOf(command: object): number {
	let length = 0;
	for (const name in command) {
		const value: unknown = command[name as keyof typeof command];
		if (typeof value === 'string') length += value.length;
	}
	return length;
}
