// This worker: what it was told, its dice, and what it writes down.
import { setTimeout as sleep } from 'node:timers/promises';

import { LedgerUnavailableError } from '../../ledger/errors';
import type { ClaimRequest, ClaimResult } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import { claimantOf, holderOf } from './executions';
import { type Entry, JournalWriter } from './Journal';
import type { Order } from './orders';
import { Random } from './random';

export const order = JSON.parse(process.argv[2]) as Order;
export const { namespace } = order;
export const name = `worker-${order.worker}`;
/** What this process holds claims as. */
export const holder = holderOf(name);
export const random = new Random(order.seed);
const journal = new JournalWriter(order.journal);

export function note(entry: Omit<Entry, 'worker'>): void {
	journal.write({ worker: order.worker, ...entry });
}

let claims = 0;

export function claimRequest(key: string, options: Partial<ClaimRequest> = {}): ClaimRequest {
	return { namespace, key, claimant: claimantOf(name, claims++), ...options };
}

export function noteClaim({ key }: ClaimRequest, { outcome, event }: ClaimResult): void {
	note({ op: 'claim', key, outcome, attempt: event?.attempt });
}

/** The one error that a call may end with. Who gets it comes again a little later. */
export async function acceptUnavailable(error: unknown, concerned: EventAddress[]): Promise<void> {
	if (!(error instanceof LedgerUnavailableError)) throw error;
	for (const { key } of concerned) note({ op: 'unavailable', key, error: error.message });
	await sleep(100);
}

export async function patiently<T>(concerned: EventAddress[], call: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await call();
		} catch (error) {
			await acceptUnavailable(error, concerned);
		}
	}
}

export function refused(key: string, during: string, error: Error): false {
	note({ op: 'refused', key, during, error: error.name });
	return false;
}
