import type { RedisConnection } from './connection';
import type { Keys } from './keys';
import type { Value } from './replies';
import type { Argument } from './scripts';

/** Commands of one shard. */
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

	run(script: string, shards: string | string[], args: Argument[]): Promise<Value> {
		const names = typeof shards === 'string' ? [shards] : shards;
		return this.connection.run(script, names, args) as Promise<Value>;
	}

	/** Sends each command to its shard: one call for each shard, all at once. Replies in the order of the commands. */
	async distribute<C, R = Value>(commands: C[], operation: Operation<C, R>): Promise<R[]> {
		const { script, identify, encode, leading = [] } = operation;
		const replies = new Array<R>(commands.length);
		await Promise.all(
			this.group(commands, identify).map(async (group) => {
				const args = group.commands.flatMap((command, i) => encode(command, group.ids[i]));
				const values = (await this.run(script, group.shard, [...leading, ...args])) as Value[];
				const decoded = operation.decode?.(values, group.commands) ?? (values as R[]);
				group.positions.forEach((position, i) => (replies[position] = decoded[i]));
			}),
		);
		return replies;
	}

	group<C>(commands: C[], identify: (command: C) => string): Array<Group<C>> {
		const groups = new Map<string, Group<C>>();
		commands.forEach((command, position) => {
			const id = identify(command);
			const shard = this.of(id);
			let group = groups.get(shard);
			if (!group) groups.set(shard, (group = { shard, commands: [], ids: [], positions: [] }));
			group.commands.push(command);
			group.ids.push(id);
			group.positions.push(position);
		});
		return [...groups.values()];
	}

	/** Puts groups together that one call may have: about `size` commands, where one server has all shards. */
	bundle<C>(groups: Array<Group<C>>, size: number): Array<Array<Group<C>>> {
		if (!this.connection.isOneServer) return groups.map((group) => [group]);
		const bundles: Array<Array<Group<C>>> = [];
		let room = 0;
		for (const group of groups) {
			if (room <= 0) {
				bundles.push([]);
				room = size;
			}
			bundles[bundles.length - 1].push(group);
			room -= group.commands.length;
		}
		return bundles;
	}
}
