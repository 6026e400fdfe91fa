import type { EventState, EventSummary, StepRecord } from './records';

/**
 * The root of everything the ledger throws on purpose. `message` says what happened, `remedy` how to get
 * unstuck; a driver's own error, if there is one, is in `cause` and never in the message alone.
 */
export class LedgerError extends Error {
	/** Which item of the batch it is about. */
	index?: number;

	constructor(
		message: string,
		readonly remedy: string,
		options?: { cause?: unknown; index?: number },
	) {
		super(message, { cause: options?.cause });
		this.name = new.target.name;
		this.index = options?.index;
	}
}

// --- The request itself is wrong. Thrown before anything is written, for the whole batch. ---

export class InvalidRequestError extends LedgerError {}

/** A namespace, key, step or gate name that is empty, too long, or has characters that cannot be kept. */
export class InvalidNameError extends InvalidRequestError {}

/** A value that is not JSON, or that not every store can give back exactly. */
export class InvalidValueError extends InvalidRequestError {}

/** A value that is larger than the limit: refused whole, never cut. */
export class ValueTooLargeError extends InvalidRequestError {}

// --- The request is fine, but the event is not in a state that allows it. One per item of a batch. ---

export class ClaimError extends LedgerError {
	constructor(
		message: string,
		remedy: string,
		/** The event as it is now. */
		readonly event?: EventSummary,
	) {
		super(message, remedy);
	}
}

/** The claim was taken over: this attempt no longer counts, and nothing was changed. */
export class StaleClaimError extends ClaimError {
	constructor(event: EventSummary) {
		super(
			`The claim on '${event.key}' is no longer held by this run: attempt ${event.attempt} of ` +
				`execution ${event.executionId ?? '(none)'} took over at ${iso(event.claimedAt)} and the event is '${event.state}'`,
			'Nothing was changed. Let the newer run finish. If this run was only slow, give the claim a longer lease',
			event,
		);
	}
}

/** The claim is the newest, but the event is no longer being worked on. */
export class EventClosedError extends ClaimError {
	constructor(event: EventSummary) {
		super(
			`The event '${event.key}' is '${event.state}' and takes no more writes from this run`,
			'Complete or fail an event last, after all of its steps, or claim it again',
			event,
		);
	}
}

export class EventNotFoundError extends ClaimError {
	constructor(namespace: string, key: string) {
		super(
			`The ledger has no event '${key}' in namespace '${namespace}'`,
			'Claim the event first, with the same namespace and key. A finished event is forgotten after its retention',
		);
	}
}

/** Completing would hide a step that was started and never finished, or that failed. */
export class UnfinishedStepsError extends ClaimError {
	readonly steps: string[];

	constructor(
		event: EventSummary,
		steps: ReadonlyArray<Pick<StepRecord, 'name' | 'row' | 'state'>>,
	) {
		const shown = steps.map(
			({ name, row, state }) =>
				`'${name}'${row === undefined ? '' : ` of row '${row}'`}${state === 'failed' ? ' (failed)' : ''}`,
		);
		super(
			`The event '${event.key}' cannot be completed: not done: ${shown.join(', ')}`,
			'Mark these steps done first, or run them again; or fail the event, or send it to review. If the failed ones were given up on purpose, say so: Allow Failed Steps',
			event,
		);
		this.steps = steps.map(({ name }) => name);
	}
}

/** Only what was finished can be undone. */
export class StepNotDoneError extends ClaimError {
	constructor(event: EventSummary, step: string) {
		super(
			`The step '${step}' of the event '${event.key}' is not done, so there is nothing to undo`,
			"Mark only steps undone that 'Steps to Undo' handed out. A step that was begun and not finished is for a person to look at",
			event,
		);
	}
}

/** A person can only resolve what was begun. */
export class StepNotInDoubtError extends ClaimError {
	constructor(event: EventSummary, step: string) {
		super(
			`The step '${step}' of the event '${event.key}' was not begun, or is settled already`,
			'Nothing was changed. Look at the steps of the event for the name and row of the one in doubt',
			event,
		);
	}
}

/** Somebody else was faster. */
export class EventChangedError extends ClaimError {
	constructor(event: EventSummary, expected: EventState) {
		super(
			`The event '${event.key}' is '${event.state}' and not '${expected}'`,
			'Nothing was changed. Look at its history: somebody may have decided about it before',
			event,
		);
	}
}

/** A run has the event: nobody else may undo or resolve its steps. */
export class EventInUseError extends ClaimError {
	constructor(event: EventSummary) {
		super(
			`The event '${event.key}' is '${event.state}': execution ${event.executionId ?? '(none)'} has it`,
			'Settle its steps in the run that has the claim, or wait until that has failed or its lease is over',
			event,
		);
	}
}

// --- The request is fine, but says too little. Thrown for the whole call. ---

/** Two n8n installations with the same encryption key share the ledger and count their executions alike. */
export class AmbiguousExecutionError extends LedgerError {
	constructor(executionId: string) {
		super(
			`More than one execution with the number ${executionId} has events in this ledger`,
			'A clone of this n8n uses the same ledger. Give each its own schema, prefix or file; until then, fail these events by their keys',
		);
	}
}

// --- The store cannot be used. Nothing is known to have been written by this call. ---

/** The store did not answer in time, or refused the connection. Trying again later is right. */
export class LedgerUnavailableError extends LedgerError {}

/** The store answered, but cannot be used as it is set up: password, database, rights, settings. */
export class LedgerMisconfiguredError extends LedgerError {}

/** The schema was made by a newer version of this package. */
export class SchemaTooNewError extends LedgerMisconfiguredError {
	constructor(found: number, known: number) {
		super(
			`The ledger's schema has version ${found}, and this package knows versions up to ${known}`,
			'Update n8n-nodes-idempotency on every n8n process that uses this ledger, workers too',
		);
	}
}

/** The ledger was closed and is asked again. */
export class LedgerClosedError extends LedgerError {
	constructor() {
		super('The ledger is closed', 'Open it again');
	}
}

function iso(time: number): string {
	return new Date(time).toISOString();
}
