import type { WorkKind } from '../../../ledger/Ledger';
import type { EventState, NoteKind } from '../../../ledger/records';

/** Few names, and some of them often, so that the operations meet each other. */
export const KEYS = ['a', 'b', 'c'] as const;

/**
 * Executions. The first two and everybody who is not named here work in one process, the others in a second one: what one process
 * remembers, another may have changed. `clone` has w1's number and instance, `foreign` only its number.
 */
export const WORKERS = ['w1', 'w2', 'w3', 'clone', 'foreign'] as const;
export type Worker = (typeof WORKERS)[number];

/** Stands for the worker who won the claim last: most others could only fail. */
export const HOLDER = 'holder';

/** What one request of a batch is about. */
export interface Item {
	key: string;
	step: string;
	row?: string;
	gate: string;
}

/** One thing that somebody does. Plain data, so that a failure shows what was done, and can be done again. */
export type Operation = {
	worker: Worker | typeof HOLDER;
	/** By an operator, in the second process, or for another reason not where the worker is. */
	elsewhere: boolean;
	/** As what the worker was before its last claim. */
	outdated: boolean;
	/** All of them in one call. */
	items: Item[];
} & (
	| ({ kind: 'claim' } & Claim)
	| ({ kind: 'begin' } & Begin)
	| {
			kind: 'finish';
			state: 'done' | 'failed';
			output?: number;
			undo?: number;
			externalId?: string;
	  }
	| { kind: 'resolve'; resolution: 'happened' | 'did_not_happen'; externalId?: string }
	| { kind: 'takeUndos'; byOperator: boolean }
	| { kind: 'markUndone'; byOperator: boolean }
	| ({ kind: 'complete'; result?: number; externalId?: string } & ByOperator)
	| ({ kind: 'fail'; as: 'failed' | 'review'; later: boolean } & ByOperator)
	| { kind: 'renew'; longer: boolean }
	| { kind: 'pause'; forMs?: number }
	| ({ kind: 'release' } & ByOperator)
	| { kind: 'failByExecution'; as: 'failed' | 'review' }
	| { kind: 'ask'; holds: boolean; fingerprint: string; required: number; expires: boolean }
	| { kind: 'decide'; decision: 'approved' | 'rejected'; person: string; superseded: boolean }
	| { kind: 'note'; noted: NoteKind; person: string; limit: number; superseded: boolean }
	| ({ kind: 'take' } & Take)
	| { kind: 'get' }
	| { kind: 'histories' }
	| ({ kind: 'list' } & List)
	| { kind: 'stats' }
	| { kind: 'import'; result: number; fingerprint?: string; externalId?: string }
	| { kind: 'delete' }
	| { kind: 'purge' }
	| { kind: 'registerRecovery'; everywhere: boolean }
	| { kind: 'recoveries' }
	| { kind: 'secret'; name: string }
	| { kind: Passing }
);

/** What the passing of time does. */
export type Passing =
	| 'expireLease'
	| 'expirePause'
	| 'expireRecord'
	| 'expireApproval'
	| 'makeDue'
	| 'expireUndos';

interface Claim {
	onStopped: 'review' | 'takeover';
	itemIndex: number;
	actsFor?: Worker;
	fingerprint?: string;
	input?: number;
	keepInput: boolean;
	version?: number;
	alias?: string;
	findSameContent: boolean;
	longer: boolean;
}

interface Begin {
	whenInDoubt: 'review' | 'repeat';
	itemIndex: number;
	/** By an execution that acts for the one that has the event. */
	isSub: boolean;
	fingerprint?: string;
}

interface ByOperator {
	byOperator: boolean;
	inState?: EventState;
}

interface Take {
	kinds: WorkKind[];
	minAttempts: number;
	minAgeMs: number;
	backoffMs: number;
	maxBackoffMs: number;
}

interface List {
	by:
		| { state: EventState | 'stuck' }
		| { executionOf: Worker }
		| { fingerprint: string }
		| { externalId: string }
		| { keyPrefix: string }
		| { keyPart: string }
		| { nothing: true };
	limit: number;
}

export type Kind = Operation['kind'];
