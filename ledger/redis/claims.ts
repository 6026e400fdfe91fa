import type { ClaimCommand, ClaimReply } from '../Store';
import { idOf } from './keys';
import { Reply, type Value } from './replies';
import type { Argument } from './scripts';
import type { Group, Shards } from './Shards';

/** So few that the server is free for others in between, and works on one call while the next is being written. */
const COMMANDS_PER_CALL = 250;

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
	const replies = new Array<ClaimReply>(commands.length);
	const claim = async (bundle: Array<Group<ClaimCommand>>) => {
		const names = bundle.map(({ shard }) => shard);
		const values = (await shards.run('claim', names, encodeBundle(bundle, stale))) as Value[];
		const now = Number(values[0]) * 1000 + Math.floor(Number(values[1]) / 1000);
		const positions = bundle.flatMap((group) => group.positions);
		for (const position of positions) replies[position] = { outcome: 'new', now };
		for (let i = 2; i < values.length; i += 2) {
			replies[positions[values[i] as number]] = claimReply(new Reply(values[i + 1] as Value[]));
		}
	};
	await Promise.all(shards.bundle(shards.group(commands, idOf), COMMANDS_PER_CALL).map(claim));
	return replies;
}

function encodeBundle(
	bundle: Array<Group<ClaimCommand>>,
	stale: ReadonlySet<ClaimCommand>,
): Argument[] {
	const args: Argument[] = [];
	const policyOf = (command: ClaimCommand) => (stale.has(command) ? 'stale' : command.onStopped);
	for (const { commands, ids } of bundle) {
		const start = args.push(0) - 1;
		for (let first = 0, end = 0; first < commands.length; first = end) {
			const policy = policyOf(commands[first]);
			const { held = '' } = commands[first];
			while (
				end < commands.length &&
				policyOf(commands[end]) === policy &&
				(commands[end].held ?? '') === held
			) {
				end++;
			}
			args.push(policy, held, end - first);
			for (let i = first; i < end; i++) args.push(ids[i], valueOf(commands[i]));
			args[start] = (args[start] as number) + 1;
		}
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
