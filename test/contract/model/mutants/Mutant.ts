import type { ModelLedger } from '../ModelLedger';

/** A store that is wrong in one way, and the topic of the suite that has to notice. */
export interface Mutant {
	fault: string;
	topic: string;
	/** Why a comparison with the model, step by step, cannot show it. */
	beyondModel?: string;
	store: new () => ModelLedger;
}
