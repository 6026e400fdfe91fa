import type { Ledger } from '../../ledger/Ledger';
import type { HistoryEntry } from '../../ledger/records';
import { claimantOf } from './executions';
import { Hand } from './Hand';
import { labelOf } from './labels';
import { PLACES } from './places';
import { portrait } from './portrait';
import { race } from './race';

const EXECUTION = 'shared';
const ENDS = 30;
/** So many that the history, of which the newest 100 entries stay, has all of them. */
const STEPS = Array.from({ length: 40 }, (_, i) => `step ${i}`);

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: two processes write for one execution, in turns and at once: nothing of it is lost, nothing happens twice`,
		open,
		async ({ ledger, crew }) => {
			const ways = (await crew.hire(2, { task: 'serve' })).map((worker) => worker.ledger);
			const { namespace } = crew;
			const claimed = async (key: string): Promise<[Hand, Hand]> => {
				const hand = new Hand(ways[0], { namespace, key }, EXECUTION);
				expect(await hand.claim()).toMatchObject({ outcome: 'new' });
				return [hand, hand.through(ways[1])];
			};

			await writeInTurns(ledger, await claimed('in turns'));
			await writeAtOnce(ledger, await claimed('at once'));
			await writeAmongDeliveries(ledger, await claimed('among deliveries'));
			await beginTheSame(ledger, await claimed('the same steps'));
			let begunAtTheEnd = 0;
			for (let i = 0; i < ENDS; i++) {
				begunAtTheEnd += Number(await completeAndBegin(ledger, await claimed(`end ${i}`)));
			}

			const { counts } = (await portrait(ledger, namespace)) as { counts: Record<string, number> };
			const { step_started: started, step_done: done } = counts;
			expect([started, done]).toEqual([4 * STEPS.length + begunAtTheEnd, 4 * STEPS.length]);
		},
	);
}

/** Each has to find out, with every write, that what it knows is outdated. */
async function writeInTurns(ledger: Ledger, hands: [Hand, Hand]): Promise<void> {
	for (const [i, step] of STEPS.entries()) {
		const [one, other] = i % 2 === 0 ? hands : [...hands].reverse();
		expect(await one.begin(step)).toMatchObject({ value: { outcome: 'run', step: { tries: 1 } } });
		expect(labelOf(await other.finish(step))).toBe('ok');
	}
	expect(written(await ledger.history(hands[0].address))).toEqual(
		STEPS.flatMap((step) => [`step_started ${step}`, `step_done ${step}`]),
	);
	await expectComplete(ledger, hands);
}

async function writeAtOnce(ledger: Ledger, hands: [Hand, Hand]): Promise<void> {
	const half = STEPS.length / 2;
	await Promise.all(
		[STEPS.slice(0, half), STEPS.slice(half)].map(async (steps, who) => {
			const hand = hands[who];
			await Promise.all(
				steps.map(async (step) => {
					expect(await hand.begin(step)).toMatchObject({ value: { outcome: 'run' } });
					expect(labelOf(await hand.finish(step))).toBe('ok');
				}),
			);
		}),
	);
	await expectEachOnce(ledger, hands[0]);
	await expectComplete(ledger, hands);
}

/** While others deliver the event again, with the same and with other content. */
async function writeAmongDeliveries(ledger: Ledger, hands: [Hand, Hand]): Promise<void> {
	const deliveries = 20;
	const [one, other] = hands;
	await Promise.all([
		...STEPS.map(async (step, i) => {
			const hand = hands[i % 2];
			await hand.begin(step);
			await hand.finish(step);
		}),
		...Array.from({ length: deliveries }, async (_, i) => {
			const hand = [one, other][i % 2];
			expect(await hand.other(`same ${i}`).claim()).toMatchObject({ outcome: 'in_progress' });
			const changed = { fingerprint: `other content ${i}` };
			expect(await hand.other(`changed ${i}`).claim(changed)).toMatchObject({
				outcome: 'conflict',
			});
		}),
	]);
	const [details] = await ledger.get([one.address]);
	expect(details!.event).toMatchObject({ duplicates: 2 * deliveries, conflicts: deliveries });
	expect(details!.steps.map(({ state, tries }) => [state, tries])).toEqual(
		STEPS.map(() => ['done', 1]),
	);
	await expectComplete(ledger, hands);
}

/** Both have the same step to do, for different items: one of them does it. */
async function beginTheSame(ledger: Ledger, hands: [Hand, Hand]): Promise<void> {
	for (const step of STEPS) {
		const begun = await Promise.all(
			hands.map((hand, i) => hand.begin(step, { claimant: claimantOf(EXECUTION, i) })),
		);
		const outcomes = begun.map((result) => (result.ok ? result.value.outcome : result.error));
		expect([...outcomes].sort()).toEqual(['in_progress', 'run']);
		await hands[outcomes.indexOf('run')].finish(step);
	}
	await expectEachOnce(ledger, hands[0]);
	await expectComplete(ledger, hands);
}

/** One of them is refused, whichever comes second: no event is done with a step that is not. Says whether the step was begun. */
async function completeAndBegin(ledger: Ledger, [one, other]: [Hand, Hand]): Promise<boolean> {
	const [completed, begun] = await Promise.all([one.complete(), other.begin('late')]);
	const [{ event, steps }] = (await ledger.get([one.address])).map((details) => details!);
	const isDone = labelOf(completed) === 'ok';
	expect({
		completed: labelOf(completed),
		begun: labelOf(begun),
		state: event.state,
		steps: steps.length,
	}).toEqual(
		isDone
			? { completed: 'ok', begun: 'EventClosedError', state: 'done', steps: 0 }
			: { completed: 'UnfinishedStepsError', begun: 'ok', state: 'processing', steps: 1 },
	);
	return !isDone;
}

async function expectEachOnce(ledger: Ledger, { address }: Hand): Promise<void> {
	const [details] = await ledger.get([address]);
	const { event, steps } = details!;
	expect(event).toMatchObject({ state: 'processing', attempt: 1, executionId: EXECUTION });
	const found = steps.map(({ name, state, tries, output }) => ({ name, state, tries, output }));
	expect(found.sort(byName)).toEqual(
		STEPS.map((name) => ({ name, state: 'done', tries: 1, output: name })).sort(byName),
	);
	expect(written(await ledger.history(address)).sort()).toEqual(
		STEPS.flatMap((step) => [`step_started ${step}`, `step_done ${step}`]).sort(),
	);
}

async function expectComplete(ledger: Ledger, [one, other]: [Hand, Hand]): Promise<void> {
	const completed = await Promise.all([one.complete('first'), other.complete('second')]);
	expect(completed.map(labelOf).sort()).toEqual(['ok', 'repeated']);
	const [details] = await ledger.get([one.address]);
	const result = labelOf(completed[0]) === 'ok' ? 'first' : 'second';
	expect(details!.event).toMatchObject({ state: 'done', result });
}

/** What was done with the steps, in its order. */
function written(history: HistoryEntry[]): string[] {
	return history
		.filter(({ step }) => step !== undefined)
		.map(({ kind, step }) => `${kind} ${step}`);
}

function byName(a: { name: string }, b: { name: string }): number {
	return a.name < b.name ? -1 : 1;
}
