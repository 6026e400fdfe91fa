import type { ClaimResult, HeldRequest, Ledger } from '../../ledger/Ledger';
import { INPUT, NAMESPACE, nextKey } from '../ledger/contestant';
import { claimantOf, executionOf } from '../ledger/execution';
import { RESULT } from '../peers/Peer';
import type { Manner, Operation, Times } from './orders';

const EXECUTION = executionOf('48213');
const OTHER = executionOf('48214');
const STEP = 'invoice';
const FINGERPRINT = 'a3f1c8d2e4b5a6978091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7';

/** Goes through the life of events, with the ledger of this checkout or with one of before claims belonged to executions. */
export class EventRunner {
	/** What their holder gives with each write, by key. */
	private readonly held = new Map<string, HeldRequest>();

	constructor(private readonly ledger: Ledger) {}

	/** Every operation on events of its own, and the cycle on others. */
	async turn(manner: Manner): Promise<Times> {
		const keys = Array.from({ length: manner.events }, nextKey);
		const others = Array.from({ length: manner.events }, nextKey);
		const timed = async (operation: Exclude<Operation, 'cycle'>) =>
			await this.time(manner, keys, (some) => this[operation](some));
		return {
			claim: await timed('claim'),
			begin: await timed('begin'),
			finish: await timed('finish'),
			complete: await timed('complete'),
			duplicate: await timed('duplicate'),
			cycle: await this.time(manner, others, (some) => this.cycle(some)),
		};
	}

	async fill(events: number): Promise<void> {
		const keys = Array.from({ length: events }, nextKey);
		await this.time({ batch: 1000, workers: 2 }, keys, (some) => this.cycle(some));
	}

	/** Milliseconds per event. */
	private async time(
		{ batch, workers }: Pick<Manner, 'batch' | 'workers'>,
		keys: string[],
		action: (keys: string[]) => Promise<void>,
	): Promise<number> {
		const calls: string[][] = [];
		for (let i = 0; i < keys.length; i += batch) calls.push(keys.slice(i, i + batch));
		const total = keys.length;
		const start = performance.now();
		await Promise.all(
			Array.from({ length: workers }, async () => {
				for (let call = calls.pop(); call; call = calls.pop()) await action(call);
			}),
		);
		return (performance.now() - start) / total;
	}

	private async cycle(keys: string[]): Promise<void> {
		await this.claim(keys);
		await this.begin(keys);
		await this.finish(keys);
		await this.complete(keys);
	}

	private async claim(keys: string[]): Promise<void> {
		const results = await this.deliver(keys, EXECUTION);
		results.forEach((result, i) => {
			if (result.outcome !== 'new') throw new Error(`A new claim is ${result.outcome}`);
			this.held.set(keys[i], heldBy(keys[i], result));
		});
	}

	private async duplicate(keys: string[]): Promise<void> {
		for (const { outcome } of await this.deliver(keys, OTHER)) {
			if (outcome !== 'duplicate') throw new Error(`A duplicate is ${outcome}`);
		}
	}

	private async begin(keys: string[]): Promise<void> {
		const claimant = claimantOf(EXECUTION);
		const requests = keys.map((key) => ({ ...this.held.get(key)!, step: STEP, claimant }));
		for (const result of await this.ledger.beginSteps(requests)) {
			if (!result.ok) throw result.error;
			if (result.value.outcome !== 'run') throw new Error(`A step is ${result.value.outcome}`);
		}
	}

	private async finish(keys: string[]): Promise<void> {
		const requests = keys.map((key) => ({ ...this.held.get(key)!, step: STEP, output: RESULT }));
		for (const result of await this.ledger.finishSteps(requests)) assertFirst(result);
	}

	private async complete(keys: string[]): Promise<void> {
		const requests = keys.map((key) => ({ ...this.held.get(key)!, result: RESULT }));
		for (const result of await this.ledger.completeEvents(requests)) assertFirst(result);
		for (const key of keys) this.held.delete(key);
	}

	private async deliver(keys: string[], execution: typeof EXECUTION): Promise<ClaimResult[]> {
		return await this.ledger.claimEvents(
			keys.map((key, i) => ({
				namespace: NAMESPACE,
				key,
				claimant: claimantOf(execution, i),
				workflowId: NAMESPACE,
				fingerprint: FINGERPRINT,
				input: INPUT,
			})),
		);
	}
}

/** Claims had a token that every write presents; now they have a holder and an attempt. */
function heldBy(key: string, claim: ClaimResult): HeldRequest {
	const address = { namespace: NAMESPACE, key };
	const { token } = claim as { token?: string };
	if (token !== undefined) return { ...address, token } as unknown as HeldRequest;
	return { ...address, holder: EXECUTION, attempt: claim.event!.attempt };
}

function assertFirst(
	result: { ok: true; value: { repeated: boolean } } | { ok: false; error: Error },
): void {
	if (!result.ok) throw result.error;
	if (result.value.repeated) throw new Error('A first write is called a repetition');
}
