import { claimMutants } from './claims';
import { gateMutants } from './gates';
import { holderMutants } from './holders';
import { keepingMutants } from './keeping';
import type { Mutant } from './Mutant';
import { storeMutants } from './stores';
import { takeMutants } from './taking';
import { undoMutants } from './undo';
import { workMutants } from './work';

export const MUTANTS: Mutant[] = [
	...claimMutants,
	...holderMutants,
	...workMutants,
	...undoMutants,
	...gateMutants,
	...takeMutants,
	...storeMutants,
	...keepingMutants,
];
