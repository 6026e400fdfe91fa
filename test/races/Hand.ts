import type {
	ApprovalRequest,
	BeginStepRequest,
	ClaimRequest,
	ClaimResult,
	FinishStepRequest,
	HeldRequest,
	Ledger,
} from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { claimantOf, holderOf } from './executions';

/** What all claims of a hand are about, unless they say something else. */
export const CONTENT = 'content';

/** One execution at work on one event, by one way into the ledger. */
export class Hand {
	/** Of its last claim. */
	attempt = 1;

	constructor(
		readonly ledger: Ledger,
		readonly address: EventAddress,
		readonly executionId: string,
	) {}

	/** Another execution. */
	other(executionId: string): Hand {
		return new Hand(this.ledger, this.address, executionId);
	}

	/** The same execution, by another way. */
	through(ledger: Ledger): Hand {
		const hand = new Hand(ledger, this.address, this.executionId);
		hand.attempt = this.attempt;
		return hand;
	}

	get claimant() {
		return claimantOf(this.executionId);
	}

	get held(): HeldRequest {
		return { ...this.address, holder: holderOf(this.executionId), attempt: this.attempt };
	}

	async claim(options: Partial<ClaimRequest> = {}): Promise<ClaimResult> {
		const request = { ...this.address, claimant: this.claimant, fingerprint: CONTENT, ...options };
		const [result] = await this.ledger.claimEvents([request]);
		if (result.claimed) this.attempt = result.event.attempt;
		return result;
	}

	async begin(step: string, options: Partial<BeginStepRequest> = {}) {
		const request = { ...this.held, step, claimant: this.claimant, ...options };
		return (await this.ledger.beginSteps([request]))[0];
	}

	async finish(step: string, options: Partial<FinishStepRequest> = {}) {
		return (await this.ledger.finishSteps([{ ...this.held, step, output: step, ...options }]))[0];
	}

	async complete(result = this.executionId) {
		return (await this.ledger.completeEvents([{ ...this.held, result }]))[0];
	}

	async fail(as: 'failed' | 'review' = 'failed') {
		return (await this.ledger.failEvents([{ ...this.held, as, reason: 'No luck' }]))[0];
	}

	async release() {
		return (await this.ledger.releaseEvents([this.held]))[0];
	}

	async renew() {
		return (await this.ledger.renewLeases([this.held]))[0];
	}

	async pause() {
		return (await this.ledger.pauseEvents([this.held]))[0];
	}

	async ask(options: Partial<ApprovalRequest> = {}) {
		const request = { ...this.held, gate: 'manager', fingerprint: CONTENT, ...options };
		return (await this.ledger.requestApprovals([request]))[0];
	}

	async takeUndos() {
		return (await this.ledger.takeUndos([this.held]))[0];
	}

	async markUndone(step: string) {
		return (await this.ledger.markUndone([{ ...this.held, step }]))[0];
	}
}
