import type {
	Claimant,
	EventAddress,
	EventRecord,
	EventSummary,
	Holder,
	JsonValue,
	LosingOutcome,
	StepRecord,
	StoppedPolicy,
	WinningOutcome,
} from '../records';

export interface ClaimRequest extends EventAddress {
	claimant: Claimant;
	/** The execution that this one acts for: the one that it retries by hand, or an earlier place of its own that won the claim. */
	actsFor?: Holder;
	workflowId?: string;
	/** Who looks after the event when it needs somebody. */
	owner?: string;
	/** The same key with another fingerprint is a `conflict`. */
	fingerprint?: string;
	/** Another name of the event in its namespace. What has it already, under another key, is a double submit. */
	alias?: string;
	/** Default 30 minutes. */
	leaseMs?: number;
	/** How long a done record is remembered. Default 30 days. */
	retentionMs?: number;
	/** Default 5. */
	maxAttempts?: number;
	/** Default `review`. */
	onStopped?: StoppedPolicy;
	/** Stored for recovery until the event is done. */
	input?: JsonValue;
	/** Keep the input after the event is done. */
	keepInput?: boolean;
	/** An event with a lower version than one that came for the same object is `stale`. The mark is raised right before the claim. */
	ordering?: { object: string; version: number };
	/**
	 * Look for another event with the same fingerprint, among those that were claimed with this option. A hint for people: it may
	 * name one that is forgotten by now, and on a Redis Cluster one that has the content no more.
	 */
	findSameContent?: boolean;
}

export type ClaimResult = ClaimWon | ClaimLost;

export interface ClaimWon {
	claimed: true;
	outcome: WinningOutcome;
	/** `event.attempt` is the number that all later writes of this claim give. */
	event: EventSummary;
	/** What earlier attempts left: finished steps with their outputs, and unfinished ones. */
	steps: StepRecord[];
	/** Another event of the namespace with the same fingerprint: probably the same thing under another key. */
	sameContentAs?: string;
}

export interface ClaimLost {
	claimed: false;
	outcome: LosingOutcome;
	/** Absent only for a `stale` event that has no record. With its result, without its input. */
	event?: EventRecord;
	/** The key that was asked for is another one: its alias belongs to `event`. */
	isDoubleSubmit?: true;
}

/** A write of an execution that holds a claim. */
export interface HeldRequest extends EventAddress {
	holder: Holder;
	/** Of the claim that it won: a later one of the same execution fences it off. */
	attempt: number;
}

/**
 * A write of the holder or of an operator (by name, and with a reason). An operator needs no claim and ends whatever claim there is.
 */
export type AuthorisedRequest = EventAddress &
	(
		| { holder: Holder; attempt: number; by?: undefined }
		| { holder?: undefined; attempt?: undefined; by: string }
	);
