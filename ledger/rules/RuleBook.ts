import { decideClaim } from './claim';
import { decide } from './decide';

/** All that decides what becomes of an event. One object, so that the tests can break one rule and see which of them notices. */
export interface RuleBook {
	/** A claim that met a record. */
	claim: typeof decideClaim;
	/** Every other write. */
	write: typeof decide;
}

export const RULES: RuleBook = { claim: decideClaim, write: decide };
