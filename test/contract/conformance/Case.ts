import type { Ledger } from '../../../ledger/Ledger';
import type { EventAddress } from '../../../ledger/records';
import type { RecordStore } from '../../../ledger/stores/RecordStore';

/** One thing that every ledger has to do. Data, so that it can also be run against ledgers that are wrong on purpose. */
export interface Case {
	name: string;
	run(fixture: Fixture): Promise<void>;
}

/** What a case gets: a ledger, a namespace of its own, and a way to let time pass without waiting for it. */
export interface Fixture extends Backdoors {
	/** What `ledger` keeps its records in. */
	store: RecordStore;
	ledger: Ledger;
	namespace: string;
	/** Another ledger on the same store that shares nothing with the first in this process. */
	openAnother(): Promise<Ledger>;
	/** A ledger by the same rules on a store that does something of its own with each call. */
	ledgerOn(store: RecordStore): Ledger;
	/** How large the largest batch is. */
	manyItems: number;
}

/** Changes in the store what the passing of time would change. */
export interface Backdoors {
	/** The lease of a `processing` event is over: `leaseUntil` and `dueAt` have passed. */
	expireLease(address: EventAddress): Promise<void>;
	/** The event is `waiting` for something that is no gate, and it is overdue: as for a lease. */
	expirePause(address: EventAddress): Promise<void>;
	/** The retention of a `done` event is over. */
	expireRecord(address: EventAddress): Promise<void>;
	/** Nobody decided in time: the gate's `expiresAt` has passed, and the `dueAt` of an event that waits for it. */
	expireApproval(address: EventAddress, gate: string): Promise<void>;
	/** `dueAt` has passed. */
	makeDue(address: EventAddress): Promise<void>;
	/** What was handed out to be undone, if anything was, may be handed out again. */
	expireUndos(address: EventAddress): Promise<void>;
}
