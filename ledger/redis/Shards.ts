import type { RedisConnection } from './connection';
import type { Keys } from './keys';
import type { Value } from './replies';
import type { Argument } from './scripts';

/** So few that the server is free for others in between, and works on one call while the next is being written. */
const COMMANDS_PER_CALL = 250;

/** Commands of one shard, for one call. */
export interface Group<C> {
	shard: string;
	commands: C[];
	/** What decides about the shard, for each command. */
	ids: string[];
	/** Where each command is among all. */
	positions: number[];
}

/** How a script gets commands of type `C`, and how its reply becomes replies of type `R`. */
export interface Operation<C, R> {
	script: string;
	identify(command: C): string;
	encode(command: C, id: string): Argument[];
	/** Default: the reply is the list of replies. */
	decode?(reply: Value[], commands: C[]): R[];
	/** Arguments before those of the commands. */
	leading?: Argument[];
}

/** Runs scripts on the shards of a ledger. */
export class Shards {
	constructor(
		private readonly connection: RedisConnection,
		private readonly keys: Keys,
	) {}

	get all(): readonly string[] {
		return this.keys.shards;
	}

	of(id: string): string {
		return this.keys.shards[this.keys.shardOf(id)];
	}

	run(script: string, shard: string, args: Argument[]): Promise<Value> {
		return this.connection.run(script, shard, args) as Promise<Value>;
	}

	/** Runs a script that has to be called again, with what it returns, as long as there are many fresh events. */
	async runSettled(script: string, shard: string, args: Argument[]): Promise<Value[]> {
		for (let cursor = '0'; ; ) {
			const values = (await this.run(script, shard, [...args, cursor])) as Value[];
			if (values.length !== 1) return values;
			cursor = values[0] as string;
		}
	}

	/** Sends each command to its shard, all at once. Replies are in the order of the commands. */
	async distribute<C, R = Value>(commands: C[], operation: Operation<C, R>): Promise<R[]> {
		const { script, identify, encode, leading = [] } = operation;
		const groups = this.group(commands, identify);
		const replies = await Promise.all(
			groups.map(async ({ shard, commands: own, ids }) => {
				const args = own.flatMap((command, i) => encode(command, ids[i]));
				const values = (await this.run(script, shard, [...leading, ...args])) as Value[];
				return operation.decode?.(values, own) ?? (values as R[]);
			}),
		);
		return inOrder(groups, replies);
	}

	group<C>(commands: C[], identify: (command: C) => string): Array<Group<C>> {
		const groups: Array<Group<C>> = [];
		const open = new Map<string, Group<C>>();
		commands.forEach((command, position) => {
			const id = identify(command);
			const shard = this.of(id);
			let group = open.get(shard);
			if (!group || group.commands.length === COMMANDS_PER_CALL) {
				group = { shard, commands: [], ids: [], positions: [] };
				open.set(shard, group);
				groups.push(group);
			}
			group.commands.push(command);
			group.ids.push(id);
			group.positions.push(position);
		});
		return groups;
	}
}

/** Puts the replies of groups back into the order of all commands. */
export function inOrder<R>(groups: Array<Group<unknown>>, replies: R[][]): R[] {
	const all: R[] = [];
	groups.forEach(({ positions }, i) => {
		positions.forEach((position, j) => (all[position] = replies[i][j]));
	});
	return all;
}
