import type { Crew } from './Crew';
import type { Entry } from './Journal';
import { keyName, type WorkTask } from './orders';

/** How many keys there are to work on at any time. */
const OPEN_KEYS = 60;

/** Work for a crew that lasts as long as the trouble it is in. */
export class Workload {
	private limit = OPEN_KEYS;

	constructor(
		private readonly crew: Crew,
		private readonly task: Pick<WorkTask, 'claim' | 'whenInDoubt'>,
	) {}

	/** All keys that there have been. */
	get keys(): string[] {
		return Array.from({ length: this.limit }, (_, i) => keyName(i));
	}

	async hire(count: number): Promise<void> {
		const { limit } = this;
		await this.crew.hire(count, { task: 'work', ...this.task, limit, isFinal: false });
	}

	/** Keeps the crew busy while `trouble` lasts, and then lets it finish what there is. */
	async during(trouble: () => Promise<void>): Promise<void> {
		const timer = setInterval(() => this.extend(), 50);
		try {
			await trouble();
		} finally {
			clearInterval(timer);
		}
		this.crew.tell({ kind: 'limit', limit: this.limit, isFinal: true });
		await this.crew.end();
	}

	private extend(): void {
		const settled = new Set(
			this.crew.journal
				.read()
				.filter(isSettled)
				.map(({ key }) => key),
		);
		this.limit = Math.max(this.limit, settled.size + OPEN_KEYS);
		this.crew.tell({ kind: 'limit', limit: this.limit, isFinal: false });
	}
}

function isSettled({ op, outcome = '' }: Entry): boolean {
	return op === 'complete' || ['duplicate', 'review', 'in_doubt'].includes(outcome);
}
