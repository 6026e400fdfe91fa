import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Ledger } from '../../ledger/Ledger';
import type { Message, Order, Report } from './orders';

const ROOT = join(__dirname, '../..');
const PATIENCE_MS = 90_000;

type Answer = Extract<Report, { kind: 'answer' }>;

/** The parent's side of one worker process. */
export class Worker {
	readonly number: number;
	/** What it holds claims as. */
	readonly name: string;
	/** Rejects when it ends before it is ready. */
	readonly ready: Promise<void>;
	isReady = false;
	isKilled = false;
	/** How much its clock is ahead of this process's. */
	clockError = NaN;
	private readonly child: ChildProcess;
	private readonly closed: Promise<unknown>;
	private readonly answers = new Map<number, (answer: Answer) => void>();
	private calls = 0;
	private complaints = '';

	constructor(order: Order, clockShiftMs: number) {
		this.number = order.worker;
		this.name = `worker-${order.worker}`;
		const clock = clockShiftMs === 0 ? [] : ['--import', join(__dirname, 'shiftClock.ts')];
		this.child = fork(join(__dirname, 'program.ts'), [JSON.stringify(order)], {
			cwd: ROOT,
			execPath: process.execPath,
			execArgv: ['--import', 'tsx', ...clock],
			env: { ...process.env, RACES_CLOCK_SHIFT_MS: String(clockShiftMs) },
			stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		});
		this.child.stderr!.on('data', (text) => (this.complaints += text));
		this.closed = once(this.child, 'close');
		this.ready = new Promise((resolve, reject) => {
			this.child.on('message', (report: Report) => {
				if (report.kind === 'answer') this.answers.get(report.id)?.(report);
				if (report.kind === 'ready') {
					this.clockError = report.time - Date.now();
					this.isReady = true;
					resolve();
				}
			});
			this.child.once('close', () => reject(new Error(this.describeEnd())));
		});
		// Whoever waits for it is told.
		this.ready.catch(() => {});
	}

	/** How it ended, if it should not have. */
	get accident(): string | undefined {
		const { exitCode, signalCode } = this.child;
		const isFine = exitCode === 0 || (this.isKilled && signalCode === 'SIGKILL');
		return this.isRunning || isFine ? undefined : this.describeEnd();
	}

	tell(message: Message): void {
		// Who has just ended hears nothing any more; `end` looks at how it ended.
		if (this.child.connected) this.child.send(message, () => {});
	}

	/**
	 * The ledger of a worker with the task `serve`: every call is made there. Of a refused item comes back `{ ok: false, error: <name> }`.
	 */
	get ledger(): Ledger {
		return this.ledgerAt();
	}

	/** The same, whose calls begin at that time, by the clock of this host. */
	ledgerAt(at?: number): Ledger {
		const call =
			(method: keyof Ledger) =>
			async (...args: unknown[]) =>
				await this.call({ method, args, at });
		return new Proxy({} as Ledger, { get: (_, method) => call(method as keyof Ledger) });
	}

	async ask<M extends keyof Ledger>(
		method: M,
		...args: Parameters<Ledger[M]>
	): Promise<Awaited<ReturnType<Ledger[M]>>> {
		return (await this.call({ method, args })) as Awaited<ReturnType<Ledger[M]>>;
	}

	private async call(
		call: Pick<Extract<Message, { kind: 'call' }>, 'method' | 'args' | 'at'>,
	): Promise<unknown> {
		const id = this.calls++;
		const answer = new Promise<Answer>((resolve) => this.answers.set(id, resolve));
		this.tell({ kind: 'call', id, ...call });
		const { value, error } = await Promise.race([
			answer,
			this.closed.then(() => ({ value: undefined, error: this.describeEnd() })),
		]);
		this.answers.delete(id);
		if (error !== undefined) throw new Error(error);
		return value;
	}

	async kill(): Promise<void> {
		this.isKilled = true;
		this.child.kill('SIGKILL');
		await this.closed;
	}

	freeze(): void {
		this.child.kill('SIGSTOP');
	}

	thaw(): void {
		this.child.kill('SIGCONT');
	}

	/** Waits until it has ended, by itself if it was not killed. */
	async end(): Promise<void> {
		const patience = new AbortController();
		await Promise.race([
			this.closed,
			sleep(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }),
		]);
		patience.abort();
		if (this.isRunning) throw new Error(`Worker ${this.number} does not come to an end`);
		if (this.accident !== undefined) throw new Error(this.accident);
	}

	private get isRunning(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	private describeEnd(): string {
		const { signalCode, exitCode } = this.child;
		return `Worker ${this.number} ended with ${signalCode ?? exitCode}: ${this.complaints}`;
	}
}
