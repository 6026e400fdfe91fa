import { claimMutants } from './claims';
import { gateMutants } from './gates';
import type { Mutant } from './Mutant';
import { undoMutants } from './undo';
import { upkeepMutants } from './upkeep';
import { workMutants } from './work';

export const MUTANTS: Mutant[] = [
	...claimMutants,
	...workMutants,
	...undoMutants,
	...gateMutants,
	...upkeepMutants,
];
