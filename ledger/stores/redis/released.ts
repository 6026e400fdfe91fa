import { recordKey } from './keys';
import type { Shards } from './Shards';

/** How many of them are worked off at a time. */
const RELEASED_PER_CALL = 100;

/** What a record had that lies in another shard. */
export interface Release {
	kind: 'content' | 'alias';
	/** Fingerprint, or alias. */
	name: string;
	namespace: string;
	key: string;
	createdAt: number | string;
}

export async function release(shards: Shards, released: Release): Promise<void> {
	const { kind, name, namespace, key, createdAt } = released;
	const index = `${name}\0${namespace}`;
	const id = `${namespace}\0${key}`;
	const owner = recordKey(shards.of(id), id);
	await shards.run('release', shards.of(index), [kind, index, owner, createdAt]);
}

/** In a cluster: gives up what records had that were removed from this shard, or changed. */
export async function workOffReleased(shards: Shards, shard: string): Promise<void> {
	if (!shards.isSpread) return;
	const set = `${shard}released`;
	for (;;) {
		const members = await shards.ask((client) => client.srandmember(set, RELEASED_PER_CALL));
		if (members.length === 0) return;
		await Promise.all(
			members.map(async (member) => {
				const [kind, name, namespace, key, createdAt] = member.split('\0');
				const released = { kind, name, namespace, key, createdAt } as Release;
				await release(shards, released);
			}),
		);
		await shards.ask((client) => client.srem(set, ...members));
	}
}
