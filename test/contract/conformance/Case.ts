import type { Ledger } from '../../../ledger/Ledger';
import type { EventAddress } from '../../../ledger/records';
import type { LedgerStore } from '../../../ledger/Store';

/** One thing that every store has to do. Data, so that it can also be run against stores that are wrong on purpose. */
export interface Case {
	name: string;
	run(fixture: Fixture): Promise<void>;
}

/** What a case gets: a ledger, a namespace of its own, and a way to let time pass without waiting for it. */
export interface Fixture extends Backdoors {
	/** What `ledger` is made of, for commands that the contract does not let through twice. */
	store: LedgerStore;
	ledger: Ledger;
	namespace: string;
	/** Another ledger on the same store that shares nothing with the first in this process. */
	openAnother(): Promise<Ledger>;
	/** How large the largest batch is. */
	manyItems: number;
}

/** Changes in the store what the passing of time would change, with a connection of its own. */
export interface Backdoors {
	/** The lease of a `processing` event is over: `leaseUntil` and `dueAt` have passed. */
	expireLease(address: EventAddress): Promise<void>;
	/** The retention of a `done` event is over. */
	expireRecord(address: EventAddress): Promise<void>;
	/** Nobody decided in time: the gate's `expiresAt` has passed, and the `dueAt` of an event that waits for it. */
	expireApproval(address: EventAddress, gate: string): Promise<void>;
	/** `dueAt` has passed. */
	makeDue(address: EventAddress): Promise<void>;
	/** What was handed out to be undone, if anything was, may be handed out again. */
	expireUndos(address: EventAddress): Promise<void>;
}
