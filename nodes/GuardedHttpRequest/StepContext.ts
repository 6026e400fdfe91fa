import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Answer } from './answer';
import type { Attempts } from './Attempts';
import type { Proof } from './authentication';
import type { RequestPlan } from './RequestPlan';
import type { StepInLedger } from './StepInLedger';

/** All that one step needs on its way, and what came last. */
export interface StepContext {
	node: IExecuteFunctions;
	plan: RequestPlan;
	step: StepInLedger;
	attempts: Attempts;
	proof: Proof;
	signal: AbortSignal | undefined;
	last?: { answer: Answer; file?: IBinaryData };
}
