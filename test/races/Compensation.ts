import { setTimeout as sleep } from 'node:timers/promises';

import type { Ledger, TakeUndosResult } from '../../ledger/Ledger';
import type { Holder } from '../../ledger/records';
import type { CompensationTask } from './orders';
import {
	claimRequest,
	holder,
	name,
	namespace,
	note,
	noteClaim,
	patiently,
	random,
	refused,
} from './self';
import { untilSettled } from './untilSettled';

/** Who undoes: an operator, or the holder of the claim. */
type Author = { by: string } | { holder: Holder; attempt: number };

export class Compensation {
	constructor(
		private readonly ledger: Ledger,
		private readonly task: CompensationTask,
	) {}

	async run(): Promise<void> {
		await untilSettled(this.task, async (keys) => {
			const settled = await Promise.all(keys.map((key) => this.attend(key)));
			return keys.filter((_, i) => !settled[i]);
		});
	}

	/** True when the event is in review, where it goes when all is undone. */
	private async attend(key: string): Promise<boolean> {
		return this.task.as === 'operator' ? await this.asOperator(key) : await this.asHolder(key);
	}

	private async asOperator(key: string): Promise<boolean> {
		const author = { by: name };
		const taken = await this.take(key, author);
		if (!taken) return false;
		if (taken.event.state === 'review') return true;
		const isWithAnother = taken.steps.length === 0 && (await this.isAnythingLeft(key));
		return !isWithAnother && (await this.undo(key, author, taken));
	}

	private async asHolder(key: string): Promise<boolean> {
		const request = claimRequest(key, this.task.claim);
		const [claim] = await patiently([request], () => this.ledger.claimEvents([request]));
		if (!claim.claimed) return claim.outcome === 'review';
		noteClaim(request, claim);
		const author = { holder, attempt: claim.event.attempt };
		const taken = await this.take(key, author);
		return taken !== undefined && (await this.undo(key, author, taken));
	}

	private async take(key: string, author: Author): Promise<TakeUndosResult | undefined> {
		const { visibilityMs } = this.task;
		const request = { namespace, key, visibilityMs, ...author };
		const [taken] = await patiently([request], () => this.ledger.takeUndos([request]));
		if (!taken.ok) return void refused(key, 'take', taken.error);
		const steps = taken.value.steps.map(({ undo }) => (undo as { cancel: string }).cancel);
		if (steps.length > 0) note({ op: 'take', key, steps, attempt: taken.value.event.attempt });
		return taken.value;
	}

	private async isAnythingLeft(key: string): Promise<boolean> {
		const [details] = await patiently([], () => this.ledger.get([{ namespace, key }]));
		return details!.steps.some(({ state, undo }) => state === 'done' && undo !== undefined);
	}

	private async undo(key: string, author: Author, { steps }: TakeUndosResult): Promise<boolean> {
		const address = { namespace, key, ...author };
		for (const { name: step } of steps) {
			note({ op: 'undo', key, step });
			await sleep(random.between(0, 20));
			const request = { ...address, step };
			const [marked] = await patiently([request], () => this.ledger.markUndone([request]));
			if (!marked.ok) return refused(key, 'undone', marked.error);
			note({ op: 'undone', key, step, repeated: marked.value.repeated });
		}
		const ending = { ...address, as: 'review', reason: 'Undone' } as const;
		const [ended] = await patiently([ending], () => this.ledger.failEvents([ending]));
		if (!ended.ok) return refused(key, 'review', ended.error);
		note({ op: 'review', key });
		return true;
	}
}
