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

export type Task = StormTask | WorkTask | CompensationTask | ServeTask;

/** Claims each of so many keys so many times, in random order, as fast as it can. */
export interface StormTask {
	task: 'storm';
	keys: number;
	rounds: number;
}

/** The keys 0, 1, 2 … below a limit, which can be raised on the way. */
export interface KeyRange {
	limit: number;
	isFinal: boolean;
}

type ClaimOptions = Pick<ClaimRequest, 'leaseMs' | 'onStopped' | 'maxAttempts'>;

/** In competition with others, until each key is done or in review: claims it, runs its steps, completes it. */
export interface WorkTask extends KeyRange {
	task: 'work';
	claim: ClaimOptions;
	whenInDoubt: 'review' | 'repeat';
}

/** In competition with others, until each key is in review: takes what is to be undone, undoes it, and sends it to review. */
export interface CompensationTask extends KeyRange {
	task: 'compensate';
	/** An operator needs no claim, and is alone with an event as long as the visibility time-out lasts. */
	as: 'operator' | 'holder';
	claim: ClaimOptions;
	visibilityMs: number;
}

/** Does what it is asked, call by call. */
export interface ServeTask {
	task: 'serve';
}

/** What the parent sends: start, the limit of keys, a call for `serve` and when to make it, the end of `serve`. */
export type Message =
	| { kind: 'go' }
	| ({ kind: 'limit' } & KeyRange)
	| { kind: 'call'; id: number; method: keyof Ledger; args: unknown[]; at?: number }
	| { kind: 'end' };

/** What a worker sends. */
export type Report =
	| { kind: 'ready'; time: number }
	| { kind: 'answer'; id: number; value?: unknown; error?: string };

export const STEPS = ['invoice', 'email'];

export function keyName(index: number): string {
	return `key-${index}`;
}
