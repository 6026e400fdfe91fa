import { isIdempotent } from '../../http/methods';
import { type Decision, nextMove, type Result } from '../../http/nextMove';
import { readableUrl } from '../../http/request';
import type { BeginStepRequest } from '../../ledger/Ledger';
import type { RequestPlan } from './RequestPlan';

/** What has been tried for one step so far, and what follows from it. */
export class Attempts {
	count = 0;
	/** An attempt may have had its effect. */
	inDoubt = false;
	/** It is known not to have happened, by what this run has seen. */
	private isKnown = false;
	/** When the first of all attempts began, also those of earlier runs. */
	private firstAt = Date.now();
	private readonly startedAt = Date.now();
	private readonly log: string[] = [];

	constructor(private readonly plan: RequestPlan) {}

	/** An earlier run began the step and did not finish it. */
	foundUnfinished(firstAt: number): void {
		this.inDoubt = true;
		this.firstAt = firstAt;
		this.log.push('an earlier run began it and was cut off');
	}

	/** Sending it again does no harm, whatever became of it. */
	get isRepeatable(): boolean {
		return this.isProtected || isIdempotent(this.plan.request.method);
	}

	/** What the ledger is to do if it finds the step begun and not finished. */
	get policy(): Pick<BeginStepRequest, 'whenInDoubt' | 'repeatWithinMs'> {
		const { request, outgoing } = this.plan;
		if (this.isKnown || isIdempotent(request.method)) return { whenInDoubt: 'repeat' };
		// Whether the provider still knows the key is up to the clock of the store.
		if (outgoing?.protects) {
			return { whenInDoubt: 'repeat', repeatWithinMs: outgoing.protects.forMs };
		}
		return { whenInDoubt: 'review' };
	}

	begin(): void {
		this.count++;
	}

	next(result: Result, what: string): Decision['move'] {
		this.log.push(result.kind === 'looked_up' ? what : `attempt ${this.count}: ${what}`);
		const { method } = this.plan.request;
		const { move, inDoubt } = nextMove(
			result,
			{
				method,
				isProtected: this.isProtected,
				canLookUp: this.plan.lookUp !== undefined,
				inDoubt: this.inDoubt,
				attempts: this.count,
				elapsedMs: Date.now() - this.startedAt,
			},
			this.plan.retry,
		);
		this.inDoubt = inDoubt;
		this.isKnown = !inDoubt;
		return move;
	}

	/** Everything that somebody needs to know who has to find out what became of it. */
	describe(): string {
		const { request, step, outgoing } = this.plan;
		const key = outgoing ? ` with the key ${outgoing.value}` : '';
		return `Step '${step}': ${request.method} ${readableUrl(request.url)}${key}; ${this.log.join('; ')}`;
	}

	private get isProtected(): boolean {
		const protects = this.plan.outgoing?.protects;
		if (!protects) return false;
		return protects.forMs === undefined || Date.now() - this.firstAt <= protects.forMs;
	}
}
