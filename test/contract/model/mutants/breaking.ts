import type { WriteCommand } from '../../../../ledger/rules/commands';
import type { Reply } from '../../../../ledger/rules/decide';
import {
	type Approval,
	type Decision,
	type Event,
	type Found,
	type Step,
	stepId,
} from '../../../../ledger/rules/Event';
import { type RuleBook, RULES } from '../../../../ledger/rules/RuleBook';

/** Ways to break one rule and leave all others as they are. */

type ClaimRule = RuleBook['claim'];
type Commands<K> = Extract<WriteCommand, { kind: K }>;
type Kind = WriteCommand['kind'];

/** What holders, operators and people write, which is all but handing out. */
export const WRITES = [
	'begin',
	'finish',
	'resolve',
	'takeUndos',
	'markUndone',
	'complete',
	'fail',
	'renew',
	'pause',
	'release',
	'requestApproval',
	'decideApproval',
	'noteApproval',
] as const satisfies Kind[];

/** Claims are decided so instead. */
export function claimsBy(rule: ClaimRule): RuleBook {
	return { ...RULES, claim: rule };
}

/** Claims are decided as if the event were so. */
export function claimsSeeing(change: (...args: Parameters<ClaimRule>) => Partial<Event>): RuleBook {
	return claimsBy((event, command, delivery, now) =>
		RULES.claim({ ...event, ...change(event, command, delivery, now) }, command, delivery, now),
	);
}

/** Claims are decided as if the command were so. */
export function claimsAsking(
	change: (...args: Parameters<ClaimRule>) => Partial<Parameters<ClaimRule>[1]>,
): RuleBook {
	return claimsBy((event, command, delivery, now) =>
		RULES.claim(event, { ...command, ...change(event, command, delivery, now) }, delivery, now),
	);
}

/** Writes of these kinds are decided so instead. */
export function writesBy<K extends Kind>(
	kinds: readonly K[],
	rule: (found: Found, command: Commands<K>, now: number) => Decision<Reply>,
): RuleBook {
	return {
		...RULES,
		write: (found, command, now) =>
			kinds.includes(command.kind as K)
				? rule(found, command as Commands<K>, now)
				: RULES.write(found, command, now),
	};
}

/** Writes of these kinds are decided as if the event were so. */
export function writesSeeing<K extends Kind>(
	kinds: readonly K[],
	change: (event: Event, command: Commands<K>, now: number) => Partial<Event>,
): RuleBook {
	return writesBy(kinds, (found, command, now) =>
		RULES.write(
			seen(found, (event) => change(event, command, now)),
			command,
			now,
		),
	);
}

/** Writes of these kinds are decided as if the steps were so. */
export function writesSeeingSteps<K extends Kind>(
	kinds: readonly K[],
	change: (step: Step, command: Commands<K>, now: number) => Step,
): RuleBook {
	return writesBy(kinds, (found, command, now) => {
		const steps = [...found.steps.values()].map((step) => change(step, command, now));
		return RULES.write(
			{
				event: found.event,
				contents: found.contents,
				result: found.result,
				steps: new Map(steps.map((step) => [stepId(step.name, step.row), step])),
			},
			command,
			now,
		);
	});
}

/** Writes of these kinds are decided as if the command were so. */
export function writesAsking<K extends Kind>(
	kinds: readonly K[],
	change: (command: Commands<K>, event: Event | undefined) => Partial<Commands<K>>,
): RuleBook {
	return writesBy(kinds, (found, command, now) =>
		RULES.write(found, { ...command, ...change(command, found.event) }, now),
	);
}

/** What is decided about writes of these kinds is changed afterwards. */
export function writesGiving<K extends Kind>(
	kinds: readonly K[],
	change: (
		decision: Decision<Reply>,
		found: Found,
		command: Commands<K>,
		now: number,
	) => Partial<Decision<Reply>>,
): RuleBook {
	return writesBy(kinds, (found, command, now) => {
		const decision = RULES.write(found, command, now);
		return { ...decision, ...change(decision, found, command, now) };
	});
}

export function seen(found: Found, change: (event: Event) => Partial<Event>): Found {
	const { event, steps, contents, result } = found;
	return { event: event && { ...event, ...change(event) }, steps, contents, result };
}

/** The event with its gates changed. */
export function withGates(
	{ approvals }: Event,
	change: (gate: Approval) => Approval,
): Partial<Event> {
	return { approvals: approvals.map(change) };
}

export function isRefused({ reply }: Decision<Reply>, error: string): boolean {
	return typeof reply === 'object' && 'ok' in reply && !reply.ok && reply.error.name === error;
}
