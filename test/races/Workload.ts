import { setTimeout as sleep } from 'node:timers/promises';

import type { Crew } from './Crew';
import type { Entry } from './Journal';
import { type CompensationTask, keyName, type KeyRange, type WorkTask } from './orders';

/** How many keys there are to work on at any time. */
const OPEN_KEYS = 60;

type RangedTask = Omit<WorkTask, keyof KeyRange> | Omit<CompensationTask, keyof KeyRange>;

/** Work for a crew that lasts as long as the trouble it is in. */
export class Workload {
	private limit = 0;

	constructor(
		private readonly crew: Crew,
		private readonly task: RangedTask,
		/** Called with keys before anybody works on them. */
		private readonly prepare: (keys: string[]) => Promise<void> = async () => {},
	) {}

	/** All keys that there have been. */
	get keys(): string[] {
		return keysBetween(0, this.limit);
	}

	async hire(count: number): Promise<void> {
		const { limit } = this;
		await this.crew.hire(count, { ...this.task, limit, isFinal: false });
	}

	/** Keeps the crew busy while `trouble` lasts, and then lets it finish what there is. */
	async during(trouble: () => Promise<void>): Promise<void> {
		await this.extend();
		let isOver = false;
		const supply = async () => {
			while (!isOver) {
				await sleep(50);
				await this.extend();
			}
		};
		await Promise.all([supply(), trouble().finally(() => (isOver = true))]);
		this.crew.tell({ kind: 'limit', limit: this.limit, isFinal: true });
		await this.crew.end();
	}

	private async extend(): Promise<void> {
		const settled = new Set(
			this.crew.journal
				.read()
				.filter(isSettled)
				.map(({ key }) => key),
		);
		const limit = Math.max(this.limit, settled.size + OPEN_KEYS);
		await this.prepare(keysBetween(this.limit, limit));
		this.limit = limit;
		this.crew.tell({ kind: 'limit', limit, isFinal: false });
	}
}

function keysBetween(first: number, end: number): string[] {
	return Array.from({ length: end - first }, (_, i) => keyName(first + i));
}

function isSettled({ op, outcome = '' }: Entry): boolean {
	return (
		['complete', 'review'].includes(op) || ['duplicate', 'review', 'in_doubt'].includes(outcome)
	);
}
