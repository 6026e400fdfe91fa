import { InvalidRequestError } from '../../ledger/errors';
import type {
	BeginStepRequest,
	BeginStepResult,
	FailRequest,
	FinishStepResult,
	Ledger,
	Settled,
} from '../../ledger/Ledger';
import type { Claimant, EventDetails, JsonValue } from '../../ledger/records';
import type { Answer } from './answer';
import type { Plan } from './Plan';
import { externalId } from './storage';

type Policy = Pick<BeginStepRequest, 'whenInDoubt' | 'repeatWithinMs'>;

/**
 * The ledger as one step of one event sees it. Calls of several steps at the same time share round trips: the ledger puts them
 * together by itself.
 */
export class StepInLedger {
	constructor(
		private readonly ledger: Ledger,
		private readonly plan: Plan,
	) {}

	async read(): Promise<EventDetails | undefined> {
		const { namespace, key } = this.plan.claim;
		const [found] = await this.ledger.get([{ namespace, key }]);
		return found;
	}

	/** Proves that the claim is held, renews it, and records that a request is about to be sent. */
	async begin(policy: Policy): Promise<BeginStepResult> {
		const { claim, claimant } = this.plan;
		// Where there is a business key its claim has to hold too.
		if (claim.business) value(await this.ledger.renewLeases([claim.business]));
		const begun = await this.beginAs(claimant, policy);
		const { executionId } = begun.step;
		if (begun.outcome !== 'in_progress' || executionId === claimant.executionId) return begun;
		// An execution that is retried by hand has another ID and the same claim: to the step it is who it was before.
		return await this.beginAs({ ...claimant, executionId }, policy);
	}

	private async beginAs(claimant: Claimant, policy: Policy): Promise<BeginStepResult> {
		const { step, checkContent, fingerprint } = this.plan;
		const request = { ...this.held(), step, claimant, ...policy };
		return value(
			await this.ledger.beginSteps([checkContent ? { ...request, fingerprint } : request]),
		);
	}

	/** Records the answer. A body that cannot be kept is left out whole: that it happened is what counts. */
	async finish(answer: Answer, full: Answer): Promise<FinishStepResult> {
		const { step, storage, outgoing } = this.plan;
		const places = [storage.externalIdField, outgoing?.provider?.conflictingId ?? []].flat();
		const request = { ...this.held(), step, externalId: externalId(full.body, places) };
		const send = async (output: Answer) =>
			value(
				await this.ledger.finishSteps([{ ...request, output: output as unknown as JsonValue }]),
			);
		return await send(answer).catch(async (error: unknown) => {
			if (!(error instanceof InvalidRequestError)) throw error;
			return await send({ ...answer, headers: {}, body: null, bodyNotStored: error.message });
		});
	}

	/** Records that it is known not to have happened. */
	async finishAsFailed(error: string): Promise<void> {
		const { step } = this.plan;
		value(await this.ledger.finishSteps([{ ...this.held(), step, state: 'failed', error }]));
	}

	/** Ends the claim: for now, or for a person. As always, the event of the business key first. */
	async fail(more: Pick<FailRequest, 'as' | 'reason' | 'retryAfterMs'>): Promise<void> {
		const { business } = this.plan.claim;
		if (business) value(await this.ledger.failEvents([{ ...business, ...more }]));
		value(await this.ledger.failEvents([{ ...this.held(), ...more }]));
	}

	private held() {
		const { namespace, key, token } = this.plan.claim;
		return { namespace, key, token };
	}
}

function value<T>([settled]: Array<Settled<T>>): T {
	if (!settled.ok) throw settled.error;
	return settled.value;
}
