import type { RuleBook } from '../../../../ledger/rules/RuleBook';
import type { RecordStore } from '../../../../ledger/stores/RecordStore';

/** A ledger that is wrong in one way, and the topic of the suite that has to notice. */
export interface Mutant {
	fault: string;
	topic: string;
	/** Which of the invariants of DESIGN §4 it breaks. */
	invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
	/** The difference between stores that there was once, see issue 18. */
	formerly?: 'L1' | 'L2' | 'L3' | 'L4' | 'L5';
	/** Why a comparison with the model, step by step, cannot show it. */
	beyondModel?: string;
	/** By rules of its own, or on a store of its own. */
	rules?: RuleBook;
	store?: () => RecordStore;
}
