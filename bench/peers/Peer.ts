import type { JsonValue } from '../../ledger/records';

/** A library that does a piece of work once per key, set up as its documentation says. */
export interface Peer {
	name: string;
	/** Which versions, and which of its ways to do it. */
	setup: string;
	open(work: Work): Promise<Guard>;
	/** There can be only one in a process. */
	singleton?: boolean;
}

/** What is to be done once per key. */
export type Work = (key: string) => Promise<JsonValue>;

export interface Guard {
	/** The full cycle: claims the key, does the work and stores its result; or finds that this was done or is under way. */
	run(key: string): Promise<Reply>;
	close(): Promise<void>;
}

export type Reply = { got: 'result'; result: JsonValue } | { got: 'in progress' };

/** What all of them are asked to store. */
export const RESULT = {
	invoice: 'in_1NG8Du2eZvKYlo2CUI79vXWy',
	status: 'paid',
	amount: 4200,
	currency: 'eur',
	customer: 'cus_9s6XKzkNRiz8i3',
	paidAt: '2026-03-14T15:09:26.535Z',
};
