import { randomUUID } from 'node:crypto';

import { until } from '../servers/ServerProcess';
import { Journal } from './Journal';
import type { Message, Task } from './orders';
import type { Place } from './places';
import type { Random } from './random';
import { Worker } from './Worker';

/** The worker processes of one test, and their journal. */
export class Crew {
	readonly namespace = `races-${randomUUID()}`;
	readonly journal = new Journal();
	private readonly workers: Worker[] = [];

	constructor(
		private readonly place: Place,
		private readonly random: Random,
	) {}

	/** Those that have not been killed. */
	get members(): Worker[] {
		return this.workers.filter((worker) => !worker.isKilled);
	}

	/** Starts workers; all of them begin at the same time. */
	async hire(count: number, task: Task, { clockShiftMs = 0 } = {}): Promise<Worker[]> {
		const hired = Array.from({ length: count }, () => this.start(task, clockShiftMs));
		await Promise.all(hired.map((worker) => worker.ready));
		for (const worker of hired) worker.tell({ kind: 'go' });
		return hired;
	}

	tell(message: Message): void {
		for (const worker of this.members) worker.tell(message);
	}

	/** Throws if a worker has crashed: who waits for what workers do would wait in vain. */
	assertWell(): void {
		const accident = this.accident();
		if (accident !== undefined) throw new Error(accident);
	}

	/** Waits until `check` no longer throws; but not when a worker has crashed. */
	async until(what: string, check: () => unknown): Promise<void> {
		await until(what, check, () => this.accident());
	}

	/** Waits until all have done their work. */
	async end(): Promise<void> {
		await Promise.all(this.workers.map((worker) => worker.end()));
	}

	/** Leaves nobody behind, however the test ended. */
	async dismiss(): Promise<void> {
		await Promise.all(this.workers.map((worker) => worker.kill()));
		this.journal.dispose();
	}

	private accident(): string | undefined {
		return this.workers.map(({ accident }) => accident).find((found) => found !== undefined);
	}

	private start(task: Task, clockShiftMs: number): Worker {
		const order = {
			...task,
			settings: this.place.settings,
			namespace: this.namespace,
			journal: this.journal.path,
			worker: this.workers.length,
			seed: this.random.between(0, 2 ** 31),
		};
		const worker = new Worker(order, clockShiftMs);
		this.workers.push(worker);
		return worker;
	}
}
