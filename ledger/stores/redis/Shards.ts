import type { Cluster, Redis } from 'ioredis';

import type { RedisConnection } from './connection';
import type { Keys } from './keys';
import type { Argument, ScriptName } from './scripts';

/** So few that the server is free for others in between, and works on one call while the next is being written. */
const ITEMS_PER_CALL = 125;

/** A value in the reply of a script: text, a number, nothing, or a list of these. */
export type Value = string | number | null | Value[];

/** Items of one shard, for one call. */
export interface Group<T> {
	shard: string;
	items: T[];
	/** Where each item is among all. */
	positions: number[];
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

	/** The shard of an id: of a record, or of an object or a content in a namespace. */
	of(id: string): string {
		return this.keys.shardOf(id);
	}

	/** Whether contents and marks lie in other shards than the records that have them. */
	get isSpread(): boolean {
		return this.all.length > 1;
	}

	/** The clock of one server, also in a cluster. */
	async now(): Promise<number> {
		return Number(await this.run('clock', this.all[0], []));
	}

	ask<T>(question: (client: Redis | Cluster) => Promise<T>): Promise<T> {
		return this.connection.ask(question);
	}

	run(script: ScriptName, shard: string, args: Argument[]): Promise<Value> {
		return this.connection.run(script, shard, args) as Promise<Value>;
	}

	/**
	 * Items that go into one call: those of one shard, and alike in what `kindOf` says. In the order of the items.
	 */
	group<T>(items: T[], idOf: (item: T) => string, kindOf?: (item: T) => string): Array<Group<T>> {
		if (items.length === 0) return [];
		const isOne = !this.isSpread && items.length <= ITEMS_PER_CALL;
		const kind = kindOf?.(items[0]);
		if (isOne && items.every((item) => kindOf?.(item) === kind)) {
			return [{ shard: this.all[0], items, positions: items.map((_, i) => i) }];
		}
		const groups: Array<Group<T>> = [];
		const open = new Map<string, Group<T>>();
		items.forEach((item, position) => {
			const shard = this.of(idOf(item));
			const name = kindOf ? shard + kindOf(item) : shard;
			let group = open.get(name);
			if (!group || group.items.length === ITEMS_PER_CALL) {
				group = { shard, items: [], positions: [] };
				open.set(name, group);
				groups.push(group);
			}
			group.items.push(item);
			group.positions.push(position);
		});
		return groups;
	}

	/** Sends each item to its shard, all at once. Replies of scripts that answer each item are in the order of the items. */
	async distribute<T>(
		script: ScriptName,
		items: T[],
		idOf: (item: T) => string,
		encode: (item: T) => Argument[],
		leading: Argument[] = [],
	): Promise<Value[]> {
		const all: Value[] = [];
		const send = async ({ shard, items: own, positions }: Group<T>) => {
			const replies = (await this.run(script, shard, [...leading, ...own.flatMap(encode)])) as
				| Value[]
				| null;
			if (replies) positions.forEach((position, i) => (all[position] = replies[i]));
		};
		await Promise.all(this.group(items, idOf).map(send));
		return all;
	}
}
