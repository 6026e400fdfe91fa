import type { LedgerSettings } from '../../ledger/settings';

/** What the program of a side is started with. */
export interface Order {
	/** The compiled `ledger/open.js` of its checkout. */
	open: string;
	settings: LedgerSettings;
}

/** How many events go into a call, and how many calls are under way at once. */
export interface Manner {
	name: string;
	batch: number;
	workers: number;
	/** Events of each operation in a turn. */
	events: number;
}

/** What is timed, in the order in which a turn does it. `cycle` is the four writes of each event, one after the other. */
export const OPERATIONS = ['claim', 'begin', 'finish', 'complete', 'duplicate', 'cycle'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Milliseconds per event. */
export type Times = Record<Operation, number>;

export type Message =
	| { kind: 'fill'; events: number }
	| { kind: 'turn'; manner: Manner }
	| { kind: 'end' };

export type Report =
	| { kind: 'ready' }
	| { kind: 'filled' }
	| { kind: 'times'; times: Times }
	| { kind: 'failed'; error: string };
