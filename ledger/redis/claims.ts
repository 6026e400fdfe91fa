import type { ClaimCommand, ClaimReply } from '../Store';
import { eventKey, idOf } from './keys';
import { Reply, type Value } from './replies';
import type { Argument } from './scripts';
import { type Group, inOrder, type Shards } from './Shards';

/**
 * Claims events. `stale` are those that are behind the mark of their object.
 *
 * Other operations send commands as they are; this one, which senders wait for, sends as little as possible.
 */
export async function claimEvents(
	shards: Shards,
	commands: ClaimCommand[],
	stale: ReadonlySet<ClaimCommand>,
): Promise<ClaimReply[]> {
	const groups = shards.group(commands, idOf);
	if (groups.length === 1) return await claimGroup(shards, groups[0], stale);
	const replies = await Promise.all(groups.map((group) => claimGroup(shards, group, stale)));
	return inOrder(groups, replies);
}

async function claimGroup(
	shards: Shards,
	group: Group<ClaimCommand>,
	stale: ReadonlySet<ClaimCommand>,
): Promise<ClaimReply[]> {
	const values = (await shards.run('claim', group.shard, encodeGroup(group, stale))) as Value[];
	const now = Number(values[0]) * 1000 + Math.floor(Number(values[1]) / 1000);
	const replies: ClaimReply[] = group.commands.map(() => ({ outcome: 'new', now }));
	for (let i = 2; i < values.length; i += 2) {
		replies[values[i] as number] = claimReply(new Reply(values[i + 1] as Value[]));
	}
	return replies;
}

/** What claim.lua wants. Commands in a row that have much in common make one run. */
function encodeGroup(
	{ shard, commands, ids }: Group<ClaimCommand>,
	stale: ReadonlySet<ClaimCommand>,
): Argument[] {
	const canBeTriedAtOnce =
		stale.size === 0 && (ids.length === 1 || new Set(ids).size === ids.length);
	const args: Argument[] = [commands.length, canBeTriedAtOnce ? 1 : 0];
	commands.forEach((command, i) => args.push(eventKey(shard, ids[i]), valueOf(command)));
	const policyOf = (command: ClaimCommand) => (stale.has(command) ? 'stale' : command.onStopped);
	for (let first = 0, end = 0; first < commands.length; first = end) {
		const policy = policyOf(commands[first]);
		const { held } = commands[first];
		const isAlike = (command: ClaimCommand) =>
			policyOf(command) === policy && command.held === held;
		while (end < commands.length && isAlike(commands[end])) end++;
		args.push(policy, held ?? '', end - first);
	}
	return args;
}

/**
 * What the store keeps of a claim at first: as short as can be, because there may be many and most are over soon. See
 * `readClaim` in events.lua.
 */
function valueOf(command: ClaimCommand): string {
	const claim = JSON.stringify([
		command.token,
		command.claimant,
		command.executionId,
		command.workflowId ?? '',
		command.fingerprint ?? '',
		command.lease,
		command.retention,
		command.maxAttempts,
		command.keepInput ?? '',
	]);
	return command.input === undefined ? claim : `${claim}\n${command.input}`;
}

function claimReply(reply: Reply): ClaimReply {
	const outcome = reply.text() as ClaimReply['outcome'];
	const now = reply.number();
	const found = reply.event();
	if (!found) return { outcome, now };
	const event = { ...found.summary, ...reply.texts('result') };
	const steps = found.steps.map(() => reply.step());
	return {
		outcome,
		now,
		...(outcome !== 'new' && { event }),
		...(steps.length > 0 && { steps }),
	};
}
