import * as fc from 'fast-check';

import type { ClaimResult, ItemResult, Ledger } from '../../ledger/Ledger';
import { type EventAddress, type EventSummary, WINNING_OUTCOMES } from '../../ledger/records';
import type { Fixture } from './conformance/Case';
import { claimant, heldBy, sum } from './conformance/helpers';
import { type StoreUnderTest, useStore } from './harness';
import { SEED } from './seed';

const WORKERS = 6;
const ACTS = [
	'claim',
	'begin',
	'finish',
	'renew',
	'pause',
	'fail',
	'release',
	'expire',
	'take',
] as const;
type Act = (typeof ACTS)[number];

/** What a worker did at the same time as others, and when the others could have noticed. */
interface Done {
	act: Act;
	worker: number;
	started: number;
	ended: number;
	/** The attempt as which it wrote, or which it won. */
	attempt?: number;
	claim?: ClaimResult;
	/** Of a write that went through and changed something. */
	event?: EventSummary;
	/** Of the one step that all of them work on. */
	output?: unknown;
	finished?: boolean;
	taken?: number;
}

/** A worker with a ledger of its own, and the claim that it won last: somebody may have taken over since. */
class Worker {
	private attempt?: number;

	constructor(
		private readonly fixture: Fixture,
		private readonly ledger: Ledger,
		private readonly number: number,
		private readonly address: EventAddress,
		private readonly log: Done[],
	) {}

	async work(acts: Act[]): Promise<void> {
		for (const act of acts) {
			const started = performance.now();
			const { attempt } = this;
			const done = await this.perform(act);
			const ended = performance.now();
			this.log.push({ act, worker: this.number, started, ended, attempt, ...done });
		}
	}

	private async perform(act: Act): Promise<Partial<Done>> {
		const { ledger, address } = this;
		const by = claimant(`execution ${this.number}`);
		const held = { ...address, ...heldBy(by, this.attempt ?? 0) };
		switch (act) {
			case 'claim': {
				const request = {
					...address,
					claimant: by,
					maxAttempts: 1000,
					onStopped: 'takeover',
				} as const;
				const [claim] = await ledger.claimEvents([request]);
				if (claim.claimed) this.attempt = claim.event.attempt;
				return { claim, attempt: this.attempt };
			}
			case 'begin': {
				const request = { ...held, step: 'step', claimant: by, whenInDoubt: 'repeat' } as const;
				const begun = written(await ledger.beginSteps([request]));
				const isDone = begun?.outcome === 'done';
				return { event: begun?.event, ...(isDone && { output: begun.step.output }) };
			}
			case 'finish': {
				const output = `${this.number} ${this.attempt}`;
				const finished = written(await ledger.finishSteps([{ ...held, step: 'step', output }]));
				if (!finished) return {};
				const { repeated, event, step } = finished;
				return { output: step.output, finished: !repeated, ...(!repeated && { event }) };
			}
			case 'renew':
				return { event: written(await ledger.renewLeases([held]))?.event };
			case 'pause':
				return { event: written(await ledger.pauseEvents([{ ...held, forMs: 0 }]))?.event };
			case 'fail':
				return changed(await ledger.failEvents([{ ...held, reason: 'why' }]));
			case 'release':
				return changed(await ledger.releaseEvents([held]));
			case 'expire':
				// Nothing to let expire is fine: somebody else may have done something in between.
				await this.fixture.expireLease(address).catch(() => {});
				await this.fixture.expirePause(address).catch(() => {});
				return {};
			case 'take': {
				const { namespace } = address;
				const taken = await ledger.take({ kinds: ['failed', 'stuck'], namespace, by: 'taker' });
				return { taken: taken.length };
			}
		}
	}
}

function written<T>([result]: Array<ItemResult<T>>): T | undefined {
	return result.ok ? result.value : undefined;
}

function changed(results: Array<ItemResult<{ repeated: boolean; event: EventSummary }>>) {
	const value = written(results);
	return value && !value.repeated ? { event: value.event } : {};
}

/** What has to hold of the records of any run, whoever was faster. */
async function checkInvariants(fixture: Fixture, address: EventAddress, log: Done[]) {
	const wins = log.filter(({ claim }) => claim?.claimed);
	const attempts = wins.map(({ attempt }) => attempt!).sort((a, b) => a - b);
	// One winner per attempt, no attempt left out, and the first one alone is new.
	expect(attempts).toEqual(attempts.map((_, i) => i + 1));
	const first = wins.filter(({ claim }) => claim!.outcome === 'new');
	expect(first.map(({ attempt }) => attempt)).toEqual([1]);

	// What an attempt wrote, it wrote while it was the present one, and never after another had won.
	for (const write of log.filter(({ event }) => event)) {
		expect(write.event!.attempt).toBe(write.attempt);
		const later = wins.filter(({ attempt }) => attempt! > write.attempt!);
		expect(later.filter(({ ended }) => ended < write.started)).toEqual([]);
	}

	// The step was finished once, and everybody sees that output.
	const outputs = log.filter(({ output }) => output !== undefined).map(({ output }) => output);
	expect(new Set(outputs).size).toBeLessThanOrEqual(1);
	expect(log.filter(({ finished }) => finished).length).toBeLessThanOrEqual(1);

	// Nothing was lost on the way to the record, and all of it was counted.
	const [details] = await fixture.ledger.get([address]);
	const lost = log.filter(({ claim }) => claim && !claim.claimed);
	expect(details!.event).toMatchObject({ attempt: wins.length, duplicates: lost.length });
	if (outputs.length > 0) expect(details!.steps).toMatchObject([{ output: outputs[0] }]);
	const { events, tallies } = await fixture.ledger.stats({ namespace: address.namespace });
	const counts = sum(tallies);
	const won = WINNING_OUTCOMES.reduce((total, outcome) => total + (counts[outcome] ?? 0), 0);
	expect(won).toBe(wins.length);
	expect(Object.values(events).reduce((total, count) => total + count)).toBe(1);

	const history = await fixture.ledger.history(address);
	const isWin = ({ kind }: { kind: string }) =>
		(WINNING_OUTCOMES as readonly string[]).includes(kind);
	const taken = log.reduce((total, done) => total + (done.taken ?? 0), 0);
	expect(counts.taken ?? 0).toBe(taken);
	if (history.length === 100) return;
	expect(history.filter(isWin).map(({ attempt }) => attempt)).toEqual(attempts);
	expect(history.filter(({ kind }) => kind === 'taken')).toHaveLength(taken);
}

/** Several workers, each with its own connections, on one event at the same time. */
export async function keepsInvariants(fixture: Fixture) {
	const ledgers = [fixture.ledger];
	while (ledgers.length < WORKERS) ledgers.push(await fixture.openAnother());
	const plan = fc.array(
		fc.constantFrom<Act>('claim', 'claim', 'claim', 'claim', 'expire', ...ACTS),
		{ minLength: 12, maxLength: 12 },
	);
	let run = 0;
	return fc.asyncProperty(
		fc.array(plan, { minLength: WORKERS, maxLength: WORKERS }),
		async (plans) => {
			const address = { namespace: `${fixture.namespace} ${run++}`, key: 'k' };
			const log: Done[] = [];
			await Promise.all(
				plans.map(async (acts, i) => {
					const worker = new Worker(fixture, ledgers[i], i, address, log);
					await worker.work(['claim', ...acts]);
				}),
			);
			await checkInvariants(fixture, address, log);
		},
	);
}

export function describeConcurrency(create: () => Promise<StoreUnderTest>, numRuns: number): void {
	const { withFixture } = useStore(create);
	test(`keeps its invariants when several work on one event (seed ${SEED})`, async () => {
		await withFixture(async (fixture) => {
			// The same plan need not fail again, so there is nothing to shrink.
			const options = { seed: SEED, numRuns, endOnFailure: true };
			await fc.assert(await keepsInvariants(fixture), options);
		});
	}, 120_000);
}
