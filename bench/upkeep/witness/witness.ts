import type { EventSummary } from '../../../ledger/records';
import type { LedgerSettings } from '../../../ledger/settings';
import type { Operation } from '../operations';

/** What a store read for an operation. */
export interface Testimony {
	/** How often it went through all events, if it says that. */
	fullScans?: number;
	/** In its own words. */
	read: string;
}

/** Looks on while a store does one operation. Nobody else may use the store at that time. */
export type Witness = (
	settings: LedgerSettings,
	operation: Operation,
	middle: EventSummary,
) => Promise<Testimony>;
