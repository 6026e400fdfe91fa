import type { ClaimCommand } from '../Store';
import type { Value } from './replies';
import type { Argument } from './scripts';
import type { Group, Shards } from './Shards';

/** For commands whose content came under another key before: that key. */
export async function findSameContent(
	shards: Shards,
	commands: ClaimCommand[],
): Promise<Map<ClaimCommand, string>> {
	const others = new Map<ClaimCommand, string>();
	const find = async (group: Group<ClaimCommand>) => {
		const values = (await shards.run('content', group.shard, encodeGroup(group))) as Value[];
		for (let i = 0; i < values.length; i += 2) {
			others.set(group.commands[values[i] as number], values[i + 1] as string);
		}
	};
	// As a rule all have the same, and then it is sent once.
	const retentions = new Set(commands.map(({ retention }) => retention));
	const groups = [...retentions].flatMap((retention) =>
		shards.group(
			commands.filter((command) => command.retention === retention),
			({ namespace, fingerprint }) => `${namespace}\0${fingerprint}`,
		),
	);
	await Promise.all(groups.map(find));
	return others;
}

/** What content.lua wants: all of it ready to be stored, because the server works for one at a time. */
function encodeGroup({ shard, commands, ids }: Group<ClaimCommand>): Argument[] {
	const args: Argument[] = [commands[0].retention];
	commands.forEach(({ key }, i) => args.push(`${shard}content:${ids[i]}`, `${key}\0`));
	return args;
}
