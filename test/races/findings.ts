import type { Ledger } from '../../ledger/Ledger';
import {
	type EventDetails,
	type HistoryEntry,
	type JsonValue,
	type StepRecord,
	WINNING_OUTCOMES,
} from '../../ledger/records';
import type { Crew } from './Crew';
import { type Entry, groupBy } from './Journal';
import { STEPS } from './orders';

/** All that is known of one event after workers with the task `work` were at it. */
export interface Finding {
	key: string;
	entries: Entry[];
	details: EventDetails;
	history: HistoryEntry[];
}

/** Everything about the given keys and those with acknowledged calls. A key that the store does not have is an error. */
export async function investigate(
	ledger: Ledger,
	{ journal, namespace }: Crew,
	expected: string[],
): Promise<Finding[]> {
	const all = journal.read();
	const entries = groupBy(all, ({ key }) => key);
	const acknowledged = all.filter(({ op }) => op !== 'unavailable');
	const keys = [...new Set([...expected, ...acknowledged.map(({ key }) => key)])];
	const addresses = keys.map((key) => ({ namespace, key }));
	const records = await ledger.get(addresses);
	expect(keys.filter((_, i) => !records[i])).toEqual([]);
	const histories = await Promise.all(addresses.map((address) => ledger.history(address)));
	return keys.map((key, i) => ({
		key,
		entries: entries.get(key) ?? [],
		details: records[i]!,
		history: histories[i],
	}));
}

/** Races do not repeat themselves: a failure has to say all that is known. */
export function expectOfEach(findings: Finding[], expectation: (finding: Finding) => void): void {
	for (const finding of findings) {
		try {
			expectation(finding);
		} catch (error) {
			const known = Object.entries(finding).map(([name, value]) => `${name}: ${listed(value)}`);
			throw new Error([(error as Error).message, ...known].join('\n'));
		}
	}
}

function listed(value: unknown): string {
	if (!Array.isArray(value)) return JSON.stringify(value);
	return value.map((item) => `\n  ${JSON.stringify(item)}`).join('');
}

/** No two claims were won as the same attempt. */
export function expectOneOwnerAtATime({ entries }: Finding): void {
	const won = entries.filter(({ op, outcome }) => op === 'claim' && isWinning(outcome));
	const attempts = won.map(({ attempt }) => attempt);
	expect(attempts).toEqual([...new Set(attempts)]);
	for (const { outcome, attempt } of won) expect(outcome === 'new').toBe(attempt === 1);
}

function isWinning(outcome: string | undefined): boolean {
	return WINNING_OUTCOMES.some((winning) => winning === outcome);
}

/** What was acknowledged to a worker is what the store has. */
export function expectKept({ entries, details: { event, steps } }: Finding): void {
	for (const { op, step: name, worker, attempt, repeated } of entries) {
		const value = { worker, attempt };
		if (op === 'claim') expect(event.attempt).toBeGreaterThanOrEqual(attempt!);
		if (op === 'finish' && !repeated) {
			const step = steps.find((candidate) => candidate.name === name);
			expect(step).toMatchObject({ state: 'done', output: value });
		}
		if (op === 'complete' && !repeated)
			expect(event).toMatchObject({ state: 'done', result: value });
	}
}

/** An event that is done has all its steps done, each written by the attempt that had the claim at that time. */
export function expectDoneProperly({ entries, details, history }: Finding): void {
	const { event, steps } = details;
	expect(attemptOf(event.result)).toBe(event.attempt);
	expect(steps.map(({ name }) => name).sort()).toEqual([...STEPS].sort());
	for (const { name, state, output } of steps) {
		expect(state).toBe('done');
		const entry = history.filter(({ kind, step }) => kind === 'step_done' && step === name);
		expect(entry.map(({ attempt }) => attempt)).toEqual([attemptOf(output)]);
		expect(effects(entries, name).length).toBeGreaterThan(0);
	}
}

/** Once a step is finished, no later attempt runs it. */
export function expectNoRepetition({ entries, details }: Finding): void {
	for (const step of details.steps.filter(({ state }) => state === 'done')) {
		const finishedBy = attemptOf(step.output);
		for (const { attempt } of effects(entries, step.name)) {
			expect(attempt).toBeLessThanOrEqual(finishedBy);
		}
	}
}

/** Where nobody is killed and no lease ends, one worker has won the event, run each step once and completed it. */
export function expectDoneOnce(finding: Finding): void {
	const { entries, details } = finding;
	expectOneOwnerAtATime(finding);
	expectKept(finding);
	const outcomes = entries.filter(({ op }) => op === 'claim').map(({ outcome }) => outcome);
	const won = outcomes.filter(isWinning);
	const runs = STEPS.map((step) => effects(entries, step).length);
	if (entries.some(({ op }) => op === 'unavailable')) {
		// Nothing was known of that call. So the worker claimed again, and may have found a step in doubt.
		expect(won.length).toBeGreaterThan(0);
		expect(Math.max(...runs)).toBeLessThanOrEqual(1);
		return;
	}
	const { state } = details.event;
	const refused = entries.filter(({ op }) => op === 'refused');
	expect({ won, runs, refused, state }).toEqual({
		won: ['new'],
		runs: STEPS.map(() => 1),
		refused: [],
		state: 'done',
	});
	expectDoneProperly(finding);
}

export function effects(entries: Entry[], step: string): Entry[] {
	return entries.filter((entry) => entry.op === 'effect' && entry.step === step);
}

/** Which step an event is in review for, if that is the reason. */
export function stepInDoubt({ event, steps }: EventDetails): StepRecord | undefined {
	const [, name, attempt] =
		/^Step '(.+)' was started by attempt (\d+) of execution .+ and not finished$/.exec(
			event.reason ?? '',
		) ?? [];
	return steps.find((step) => step.name === name && step.attempt === Number(attempt));
}

function attemptOf(value: JsonValue | undefined): number {
	return (value as { attempt: number }).attempt;
}
