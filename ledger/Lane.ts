import { LedgerUnavailableError } from './errors';
import { BATCH_LIMIT } from './Store';

/** From this many commands on, a call gains nothing from company. */
const ALONE_FROM = 100;

/** For fewer, a second call at the same time gains nothing. */
const WORTH_A_CALL = 4;

/** Keeps one call below what servers like to take at once, whatever the size of the values. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;

interface Passenger<C, R> {
	commands: C[];
	resolve(replies: R[]): void;
	reject(error: unknown): void;
}

/**
 * One operation's way to the store. Large batches are split. Small ones that arrive while `most` calls are under way wait and
 * then travel together: a worker with many executions that claim one item each costs the store a few transactions, not one for
 * each. A call that finds the lane free does not wait, and neither does a large one.
 */
export class Lane<C extends object, R> {
	private underWay = 0;
	private isDeparting = false;
	private readonly waiting: Array<Passenger<C, R>> = [];

	constructor(
		private readonly call: (commands: C[]) => Promise<R[]>,
		private readonly most: number = 1,
	) {}

	/** Does nothing for a single command that it does not need: that is what most senders wait for. */
	send(commands: C[]): Promise<R[]> {
		return commands.length === 1 ? this.board(commands) : this.sendInParts(commands);
	}

	private async sendInParts(commands: C[]): Promise<R[]> {
		const parts = chunks(commands);
		if (parts.length === 1) return await this.board(parts[0]);
		const replies: R[] = [];
		// One after the other, so that a key which occurs in two chunks is met in the order of the batch.
		for (const chunk of parts) replies.push(...(await this.board(chunk)));
		return replies;
	}

	private board(commands: C[]): Promise<R[]> {
		return new Promise((resolve, reject) => {
			const passenger = { commands, resolve, reject };
			if (commands.length >= ALONE_FROM) {
				void this.travel([passenger]);
			} else {
				this.waiting.push(passenger);
				this.departSoon();
			}
		});
	}

	/** At the end of this turn, because those who were just answered together will often be back together. */
	private departSoon(): void {
		if (this.isDeparting || this.underWay === this.most || this.waiting.length === 0) return;
		this.isDeparting = true;
		process.nextTick(() => {
			this.isDeparting = false;
			while (this.waiting.length > 0 && this.underWay < this.most) void this.depart();
		});
	}

	private async depart(): Promise<void> {
		const group = this.nextGroup();
		this.underWay++;
		await this.travel(group);
		this.underWay--;
		this.departSoon();
	}

	/** As many as their share is, if all calls that are free leave now, and as go into one. */
	private nextGroup(): Array<Passenger<C, R>> {
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

	private async travel(group: Array<Passenger<C, R>>): Promise<void> {
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
				// Nobody pays for another one's mistake. Sending again is harmless, as always.
				for (const passenger of group) await this.travel([passenger]);
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
