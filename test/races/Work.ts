import { setTimeout as sleep } from 'node:timers/promises';

import type { ClaimRequest, ClaimResult, ClaimWon, Ledger } from '../../ledger/Ledger';
import { STEPS, type WorkTask } from './orders';
import {
	acceptUnavailable,
	claimRequest,
	holder,
	namespace,
	note,
	noteClaim,
	order,
	patiently,
	random,
	refused,
} from './self';
import { untilSettled } from './untilSettled';

export class Work {
	constructor(
		private readonly ledger: Ledger,
		private readonly task: WorkTask,
	) {}

	async run(): Promise<void> {
		await untilSettled(this.task, (keys) => this.attend(keys));
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

	private async process(request: ClaimRequest, { event }: ClaimWon): Promise<boolean> {
		const { key, claimant } = request;
		const { attempt } = event;
		const held = { namespace, key, holder, attempt };
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
