import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidRequestError } from '../../ledger/errors';
import type {
	BeginStepRequest,
	BeginStepResult,
	FailRequest,
	FinishStepResult,
	HeldRequest,
	ItemResult,
	Ledger,
} from '../../ledger/Ledger';
import type { EventDetails, JsonValue } from '../../ledger/records';
import { beginSteps } from '../shared/ledger/beginSteps';
import type { Answer } from './answer';
import type { RequestPlan } from './RequestPlan';
import { externalId } from './storage';

type Policy = Pick<BeginStepRequest, 'whenInDoubt' | 'repeatWithinMs'>;

/**
 * The ledger as one step of one event sees it. Calls of several steps at the same time share round trips: the ledger puts them
 * together by itself.
 */
export class StepInLedger {
	constructor(
		private readonly node: IExecuteFunctions,
		private readonly ledger: Ledger,
		private readonly plan: RequestPlan,
	) {}

	async read(): Promise<EventDetails | undefined> {
		const { namespace, key } = this.plan.claim;
		const [found] = await this.ledger.get([{ namespace, key }]);
		return found;
	}

	/** Proves that the claim is held, renews it, and records that a request is about to be sent. */
	async begin(policy: Policy): Promise<BeginStepResult> {
		const { claimant, step, checkContent, fingerprint } = this.plan;
		const request = { ...this.held(), step, claimant, ...policy };
		return value(
			await beginSteps(this.node, this.ledger, [
				checkContent ? { ...request, fingerprint } : request,
			]),
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

	/** Ends the claim: for now, or for a person. */
	async fail(more: Pick<FailRequest, 'as' | 'reason' | 'retryAfterMs'>): Promise<void> {
		value(await this.ledger.failEvents([{ ...this.held(), ...more }]));
	}

	private held(): HeldRequest {
		const { namespace, key, holder, attempt } = this.plan.claim;
		return { namespace, key, holder, attempt };
	}
}

function value<T>([result]: Array<ItemResult<T>>): T {
	if (!result.ok) throw result.error;
	return result.value;
}
