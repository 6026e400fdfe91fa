import type { LosingOutcome, WinningOutcome } from '../records';
import type { ClaimCommand } from '../Store';
import type { EventRow } from './rows';

export type ClaimDecision =
	/** The answer to this very command was lost: give it again, change nothing. */
	| { act: 'repeat'; outcome: WinningOutcome }
	| { act: 'win'; outcome: WinningOutcome }
	| { act: 'turnAway'; outcome: LosingOutcome }
	/** It is too old to be run any more: end it, and turn the command away as stale. */
	| { act: 'supersede' }
	/** A person has to look at it. */
	| { act: 'review'; reason: string };

/** The rules of {@link ClaimCommand} for a live event, with their numbers. `isBehind`: the object's mark is above the version. */
export function decideClaim(
	found: EventRow,
	command: ClaimCommand,
	isBehind: boolean,
	now: number,
): ClaimDecision {
	// 1
	if (found.token === command.token) return { act: 'repeat', outcome: found.outcome! };
	// 2
	if (differ(found.fingerprint, command.fingerprint)) return turnAway('conflict');
	// 3
	if (found.state === 'done') return turnAway('duplicate');
	if (found.state === 'waiting') return turnAway('waiting');
	if (found.state === 'review') return turnAway('review');
	// 4
	const isLive = found.state === 'processing' && found.leaseUntil! > now;
	const isSameWork = found.claimant === command.claimant || found.token === command.held;
	if (isLive && !isSameWork) return turnAway('in_progress');
	// 5
	if (isBehind) return { act: 'supersede' };
	// 6
	if (isLive) return { act: 'win', outcome: 'resumed' };
	// 7
	if (found.attempt - found.attemptsFrom >= command.maxAttempts) {
		const last = found.state === 'failed' ? found.reason : null;
		return { act: 'review', reason: attemptsUsed(command.maxAttempts, last) };
	}
	if (found.state === 'processing' && command.onStopped === 'review') {
		const { attempt, executionId } = found;
		const reason = `Attempt ${attempt} of execution ${executionId} stopped before it finished`;
		return { act: 'review', reason };
	}
	// 8
	return { act: 'win', outcome: found.state === 'failed' ? 'retry' : 'recovered' };
}

export function attemptsUsed(maxAttempts: number, last: string | null): string {
	const used = `All ${maxAttempts} attempts are used up`;
	return last === null ? used : `${used}; last: ${last}`;
}

/** Both are there and not the same. */
export function differ(stored: string | null, wanted: string | undefined): boolean {
	return stored !== null && wanted !== undefined && stored !== wanted;
}

function turnAway(outcome: LosingOutcome): ClaimDecision {
	return { act: 'turnAway', outcome };
}
