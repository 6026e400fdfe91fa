import type { HistoryEntry } from '../../ledger/records';
import { expectOfEach, type Finding, investigate } from './findings';
import { type Entry, groupBy } from './Journal';
import { killAndFreeze } from './killAndFreeze';
import type { CompensationTask } from './orders';
import { type Place, PLACES } from './places';
import { race, type Scene } from './race';
import { finishOrder, giveUpMidway, UNDOABLE } from './sagas';
import { Workload } from './Workload';

/** How long nobody else gets what one has taken. So short that it is soon noticed when the taker is gone. */
const TAKEN_MS = 400;

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: operators who undo are killed and frozen; all is handed out, newest first, to one at a time, until it is undone`,
		open,
		async (scene) => {
			const findings = await compensate(scene, 'operator');
			expectOfEach(findings, expectUndone);
			expectOfEach(findings, expectTakenOneAfterTheOther);
			expect(scene.crew.journal.count('refused')).toBe(0);
		},
	);

	race(
		`${store}: runs that undo are killed and frozen; who takes over gets what is left, newest first, and the run before no more`,
		open,
		async (scene) => {
			const findings = await compensate(scene, 'holder');
			expectOfEach(findings, expectUndone);
			expectOfEach(findings, expectTakenOncePerAttempt);
		},
	);
}

async function compensate(
	{ ledger, crew, random }: Scene<Place>,
	as: CompensationTask['as'],
): Promise<Finding[]> {
	const workload = new Workload(
		crew,
		{
			task: 'compensate',
			as,
			claim: { leaseMs: TAKEN_MS, onStopped: 'takeover', maxAttempts: 1000 },
			// A run keeps what it has taken as long as it lives; who takes over need not wait for more than the lease.
			visibilityMs: as === 'operator' ? TAKEN_MS : 60 * 60 * 1000,
		},
		(keys) => giveUpMidway(ledger, crew.namespace, keys),
	);
	await workload.during(() => killAndFreeze(workload, crew, random, TAKEN_MS));

	const findings = await investigate(ledger, crew, workload.keys);
	// Otherwise nothing was tested: some of it was handed out again, and of some a rest.
	const sizes = findings.flatMap((finding) => handOuts(finding).map(({ left }) => left.length));
	expect(sizes.length).toBeGreaterThan(findings.length);
	expect(sizes.some((size) => size < UNDOABLE.length)).toBe(true);
	return findings;
}

/** Something was taken: what was left to undo, by the order in which the store did things, and what the taker got. */
interface HandOut {
	entry: HistoryEntry;
	left: string[];
	/** None if the taker was killed before it could write it down. */
	got?: string[];
}

function handOuts({ key, history, entries }: Finding): HandOut[] {
	const notes = groupBy(
		entries.filter(({ op }) => op === 'take'),
		({ worker }) => `worker-${worker}`,
	);
	let left = undoOrder(key);
	const found: HandOut[] = [];
	for (const entry of history) {
		if (entry.kind === 'step_undone') left = left.filter((step) => step !== entry.step);
		if (entry.kind !== 'undo_taken') continue;
		found.push({ entry, left, got: notes.get(author(entry))?.shift()?.steps });
	}
	// Nobody got anything that the store does not know of.
	expect([...notes.values()].flat()).toEqual([]);
	return found;
}

function expectUndone(finding: Finding): void {
	const { key, details, history, entries } = finding;
	for (const { left, got = left } of handOuts(finding)) expect(got).toEqual(left);

	const marks = history.filter(({ kind }) => kind === 'step_undone');
	expect(marks.map(({ step }) => step)).toEqual(undoOrder(key));
	for (const { step, worker } of entries.filter(isFirstMark)) {
		expect(author(marks.find((mark) => mark.step === step)!)).toBe(`worker-${worker}`);
	}
	const effects = entries.filter(({ op }) => op === 'undo').map(({ step }) => step);
	expect([...new Set(effects)]).toEqual(undoOrder(key));

	expect(details.event).toMatchObject({ state: 'review', reason: 'Undone' });
	expect(Object.fromEntries(details.steps.map(({ name, state }) => [name, state]))).toEqual({
		...Object.fromEntries(UNDOABLE.map((step) => [step, 'undone'])),
		mail: 'done',
		seat: 'failed',
		'in doubt': 'started',
	});
}

function expectTakenOneAfterTheOther(finding: Finding): void {
	const times = handOuts(finding).map(({ entry }) => entry.at);
	for (let i = 1; i < times.length; i++) {
		expect(times[i] - times[i - 1]).toBeGreaterThanOrEqual(TAKEN_MS);
	}
}

function expectTakenOncePerAttempt(finding: Finding): void {
	const attempts = handOuts(finding).map(({ entry }) => entry.attempt);
	expect(attempts).toEqual([...new Set(attempts)]);
	for (const { op, error } of finding.entries) {
		if (op === 'refused') expect(error).toBe('StaleClaimError');
	}
}

function isFirstMark({ op, repeated }: Entry): boolean {
	return op === 'undone' && !repeated;
}

function undoOrder(key: string): string[] {
	return [...finishOrder(key)].reverse();
}

function author({ by, executionId }: HistoryEntry): string {
	return by ?? executionId!;
}
