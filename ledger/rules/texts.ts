import type { Event, Step } from './Event';

/** Why an event is in review: the words that people read, each written once. */

export function stoppedReason({ attempt, executionId }: Event): string {
	return `Attempt ${attempt} of execution ${executionId} stopped before it finished`;
}

export function usedUpReason(attempts: number, last?: string): string {
	const used = `All ${attempts} attempts are used up`;
	return last === undefined ? used : `${used}; last: ${last}`;
}

export function inDoubtReason({ name, row, attempt, executionId }: Step): string {
	const step = row === undefined ? `Step '${name}'` : `Step '${name}' of row '${row}'`;
	return `${step} was started by attempt ${attempt} of execution ${executionId} and not finished`;
}

export function doubleSubmitReason({ key }: Event): string {
	return `The delivery '${key}' has the same business key and is not finished. Run that one again`;
}
