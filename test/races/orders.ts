import type { ClaimRequest, Ledger } from '../../ledger/Ledger';
import type { LedgerSettings } from '../../ledger/settings';

/** What a worker is told when it is started. */
export type Order = {
	settings: LedgerSettings;
	namespace: string;
	journal: string;
	/** Its number, different from that of every other worker of the test. */
	worker: number;
	seed: number;
} & Task;

export type Task = StormTask | WorkTask | ServeTask;

/** Claims each of so many keys so many times, in random order, as fast as it can. */
export interface StormTask {
	task: 'storm';
	keys: number;
	rounds: number;
}

/**
 * Works on the keys 0, 1, 2 … below a limit, in competition with others, until each is done or in review: claims it, runs its
 * steps, completes it. The limit can be raised on the way.
 */
export interface WorkTask {
	task: 'work';
	claim: Pick<ClaimRequest, 'leaseMs' | 'onStopped' | 'maxAttempts'>;
	whenInDoubt: 'review' | 'repeat';
	limit: number;
	isFinal: boolean;
}

/** Does what it is asked, call by call. */
export interface ServeTask {
	task: 'serve';
}

/** What the parent sends: start, the limit of `work`, a call for `serve`, the end of `serve`. */
export type Message =
	| { kind: 'go' }
	| { kind: 'limit'; limit: number; isFinal: boolean }
	| { kind: 'call'; id: number; method: keyof Ledger; args: unknown[] }
	| { kind: 'end' };

/** What a worker sends. */
export type Report =
	| { kind: 'ready'; time: number }
	| { kind: 'answer'; id: number; value?: unknown; error?: string };

export const STEPS = ['invoice', 'email'];

export function keyName(index: number): string {
	return `key-${index}`;
}
