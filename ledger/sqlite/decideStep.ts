import type { BeginCommand, BeginReply } from '../Store';
import { differ } from './decideClaim';
import type { EventRow, StepRow } from './rows';

/** The rules of {@link BeginCommand} for the step of a held event, with their numbers. */
export function decideStep(
	{ attempt }: EventRow,
	step: StepRow | undefined,
	command: BeginCommand,
	now: number,
): NonNullable<BeginReply['outcome']> {
	// 1
	if (!step || step.state === 'failed' || step.state === 'undone') return 'run';
	// 2
	if (differ(step.fingerprint, command.fingerprint)) return 'conflict';
	// 3
	if (step.state === 'done') return 'done';
	// 4
	if (step.attempt === attempt && step.claimant !== command.claimant) return 'in_progress';
	// 5
	const isInTime = now <= step.startedAt + (command.repeatWithin ?? Infinity);
	if (command.whenInDoubt === 'repeat' && isInTime) return 'run';
	// 6
	return 'in_doubt';
}
