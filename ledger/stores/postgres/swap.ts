import type { Swap, Swapped } from '../RecordStore';
import { SWAP } from './columns';
import { isUniqueViolation } from './failures';
import { inOrder } from './inOrder';
import type { Runner } from './Runner';

/** One for each record that was swapped, or one with nulls. */
interface Row extends Swapped {
	now: number;
	index: number | null;
}

interface Answer {
	now: number;
	replies: Array<Swapped | undefined>;
}

export async function swap(runner: Runner, swaps: Swap[]): Promise<Answer> {
	try {
		return await swapTogether(runner, swaps);
	} catch (error) {
		if (!isUniqueViolation(error)) throw error;
	}
	// Two records are given the same alias at the same time, maybe both by this call. One by one, the second sees that it is taken.
	const answers: Answer[] = [];
	for (const item of swaps) answers.push(await swapAlone(runner, item));
	return { now: answers[0].now, replies: answers.map(({ replies: [reply] }) => reply) };
}

async function swapAlone(runner: Runner, item: Swap): Promise<Answer> {
	try {
		return await swapTogether(runner, [item]);
	} catch (error) {
		if (!isUniqueViolation(error)) throw error;
		return await swapTogether(runner, [item]);
	}
}

async function swapTogether(runner: Runner, swaps: Swap[]): Promise<Answer> {
	const { items, places } = inOrder(swaps, ({ key }) => key);
	const rows = await runner.runFor<Swap, Row>('swap.sql', SWAP, items, needsOf(items));
	const replies = new Array<Swapped | undefined>(swaps.length).fill(undefined);
	for (const { index, duplicates, lastSeenAt } of rows) {
		if (index !== null) replies[places[index]] = { duplicates, lastSeenAt };
	}
	return { now: rows[0].now, replies };
}

/** What a statement does not do takes no time: it is left out, by these parameters without a value. */
function needsOf(swaps: Swap[]): Record<string, true | undefined> {
	const hasAlias = swaps.some(({ head }) => head.alias !== undefined);
	return {
		hasAlias: hasAlias || undefined,
		hasNoAlias: !hasAlias || undefined,
		hasParts: swaps.some(({ parts }) => parts.length > 0) || undefined,
		hasMoreParts: swaps.some(({ parts }) => parts.length > 1) || undefined,
		hasCounts: swaps.some(({ counts }) => counts.length > 0) || undefined,
		hasMoreCounts: swaps.some(({ counts }) => counts.length > 1) || undefined,
	};
}
