// A process that uses a ledger: `node --import tsx program.ts <Order as JSON>`.
import { setTimeout as sleep } from 'node:timers/promises';

import { LedgerUnavailableError } from '../../ledger/errors';
import type { ClaimRequest, ClaimResult, ClaimWon, Ledger } from '../../ledger/Ledger';
import { openLedger } from '../../ledger/open';
import type { EventAddress } from '../../ledger/records';
import { type Entry, JournalWriter } from './Journal';
import {
	keyName,
	type Message,
	type Order,
	type Report,
	STEPS,
	type StormTask,
	type WorkTask,
} from './orders';
import { Random } from './random';

const order = JSON.parse(process.argv[2]) as Order;
const { namespace } = order;
const random = new Random(order.seed);
const journal = new JournalWriter(order.journal);

function note(entry: Omit<Entry, 'worker'>): void {
	journal.write({ worker: order.worker, ...entry });
}

let claims = 0;

function claimRequest(key: string, options: Partial<ClaimRequest> = {}): ClaimRequest {
	const executionId = `worker-${order.worker}`;
	const claimant = { executionId, nodeId: 'worker', runIndex: claims++, itemIndex: 0 };
	return { namespace, key, claimant, ...options };
}

function noteClaim({ key }: ClaimRequest, { outcome, event }: ClaimResult): void {
	note({ op: 'claim', key, outcome, attempt: event?.attempt });
}

/** The one error that a call may end with. Who gets it comes again a little later. */
async function acceptUnavailable(error: unknown, concerned: EventAddress[]): Promise<void> {
	if (!(error instanceof LedgerUnavailableError)) throw error;
	for (const { key } of concerned) note({ op: 'unavailable', key, error: error.message });
	await sleep(100);
}

async function patiently<T>(concerned: EventAddress[], call: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await call();
		} catch (error) {
			await acceptUnavailable(error, concerned);
		}
	}
}

// --- storm ---

async function storm(ledger: Ledger, { keys, rounds }: StormTask): Promise<void> {
	const all = Array.from({ length: keys * rounds }, (_, i) => keyName(i % keys));
	const queue = random.shuffled(all).map((key) => claimRequest(key));
	const lane = async () => {
		while (queue.length > 0) {
			const size = random.chance(0.5) ? 1 : random.between(2, 50);
			await claimAndComplete(ledger, queue.splice(0, size));
		}
	};
	await Promise.all(Array.from({ length: 4 }, lane));
}

/** Every other event is completed, so that claims meet events that are done as well as such that are not. */
async function claimAndComplete(ledger: Ledger, requests: ClaimRequest[]): Promise<void> {
	const results = await patiently(requests, () => ledger.claimEvents(requests));
	results.forEach((result, i) => noteClaim(requests[i], result));
	const ending = results.flatMap((result, i) => {
		const { key } = requests[i];
		const isEnding = result.claimed && Number(key.split('-')[1]) % 2 === 1;
		return isEnding ? [{ namespace, key, token: result.token, result: order.worker }] : [];
	});
	const settled = await patiently(ending, () => ledger.completeEvents(ending));
	settled.forEach((completed, i) => {
		if (!completed.ok) refused(ending[i].key, 'complete', completed.error);
	});
}

// --- work ---

class Work {
	private readonly pool: string[] = [];
	private next = 0;

	constructor(
		private readonly ledger: Ledger,
		private readonly task: WorkTask,
	) {}

	async run(): Promise<void> {
		await Promise.all([this.lane(), this.lane()]);
	}

	private async lane(): Promise<void> {
		for (;;) {
			const keys = this.draw();
			if (keys.length === 0 && this.task.isFinal && this.next >= this.task.limit) return;
			const open = keys.length > 0 ? await this.attend(keys) : [];
			this.pool.push(...open);
			// All of them are with others: time to let those work.
			if (open.length === keys.length) await sleep(random.between(5, 25));
		}
	}

	private draw(): string[] {
		while (this.pool.length < 20 && this.next < this.task.limit) {
			this.pool.push(keyName(this.next++));
		}
		const keys = random
			.shuffled(this.pool)
			.slice(0, random.chance(0.3) ? 1 : random.between(2, 10));
		for (const key of keys) this.pool.splice(this.pool.indexOf(key), 1);
		return keys;
	}

	/** Returns the keys that are neither done nor in review. */
	private async attend(keys: string[]): Promise<string[]> {
		const requests = keys.map((key) => claimRequest(key, this.task.claim));
		const results = await this.claim(requests);
		const settled = await Promise.all(results.map((result, i) => this.follow(requests[i], result)));
		return keys.filter((_, i) => !settled[i]);
	}

	private async claim(requests: ClaimRequest[]): Promise<ClaimResult[]> {
		const results = await patiently(requests, () => this.ledger.claimEvents(requests));
		results.forEach((result, i) => {
			// Who finds it taken asks again and again: that says nothing and would fill the journal.
			if (result.outcome !== 'in_progress') noteClaim(requests[i], result);
		});
		return results;
	}

	/** True when the event is done or in review. */
	private async follow(request: ClaimRequest, result: ClaimResult): Promise<boolean> {
		for (;;) {
			if (!result.claimed) return ['duplicate', 'review'].includes(result.outcome);
			try {
				return await this.process(request, result);
			} catch (error) {
				await acceptUnavailable(error, [request]);
			}
			// As a node does that n8n tries again: it is the same claimant.
			[result] = await this.claim([request]);
		}
	}

	private async process(request: ClaimRequest, { token, event }: ClaimWon): Promise<boolean> {
		const { key, claimant } = request;
		const { attempt } = event;
		const held = { namespace, key, token };
		const value = { worker: order.worker, attempt };
		const { whenInDoubt } = this.task;
		for (const step of STEPS) {
			const [begun] = await this.ledger.beginSteps([{ ...held, step, claimant, whenInDoubt }]);
			if (!begun.ok) return refused(key, 'begin', begun.error);
			const { outcome } = begun.value;
			note({ op: 'begin', key, step, attempt, outcome });
			if (outcome === 'in_doubt') return true;
			if (outcome === 'done') continue;
			if (outcome !== 'run') throw new Error(`Step ${step} of ${key}: ${outcome}`);
			note({ op: 'effect', key, step, attempt });
			await sleep(random.between(0, 20));
			const [finished] = await this.ledger.finishSteps([{ ...held, step, output: value }]);
			if (!finished.ok) return refused(key, 'finish', finished.error);
			note({ op: 'finish', key, step, attempt, repeated: finished.value.repeated });
		}
		const [completed] = await this.ledger.completeEvents([{ ...held, result: value }]);
		if (!completed.ok) return refused(key, 'complete', completed.error);
		note({ op: 'complete', key, attempt, repeated: completed.value.repeated });
		return true;
	}
}

function refused(key: string, during: string, error: Error): false {
	note({ op: 'refused', key, during, error: error.name });
	return false;
}

// --- serve ---

async function answer(
	ledger: Ledger,
	{ id, method, args }: Extract<Message, { kind: 'call' }>,
): Promise<void> {
	try {
		const call = ledger[method] as (...args: unknown[]) => Promise<unknown>;
		const value = await call.apply(ledger, args);
		send({ kind: 'answer', id, value: Array.isArray(value) ? value.map(portable) : value });
	} catch (error) {
		send({ kind: 'answer', id, error: String(error) });
	}
}

/** Of a refused item only the error's name: that is what tests ask for, and classes do not travel. */
function portable(item: unknown): unknown {
	const { error } = (item ?? {}) as { error?: unknown };
	return error instanceof Error ? { ok: false, error: error.name } : item;
}

// --- the process ---

function send(report: Report): void {
	process.send!(report);
}

async function heard(kind: Message['kind']): Promise<void> {
	await new Promise<void>((resolve) => {
		process.on('message', (message: Message) => {
			if (message.kind === kind) resolve();
		});
	});
}

async function main(): Promise<void> {
	// Nobody is left to end a worker whose parent is gone.
	const abandon = () => process.exit(2);
	process.once('disconnect', abandon);
	const ledger = await openLedger(order.settings);
	process.on('message', (message: Message) => {
		if (message.kind === 'limit') Object.assign(order, message);
		if (message.kind === 'call') void answer(ledger, message);
	});
	const [go, end] = [heard('go'), heard('end')];
	send({ kind: 'ready', time: Date.now() });
	await go;

	if (order.task === 'storm') await storm(ledger, order);
	if (order.task === 'work') await new Work(ledger, order).run();
	if (order.task === 'serve') await end;

	await ledger.close();
	process.off('disconnect', abandon);
	process.disconnect();
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
