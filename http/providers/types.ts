import type { Method } from '../methods';
import type { Encoding } from '../outgoingKey';

/** How we know where the key goes and what it does: from the provider's own documentation or code; from somebody else's; or not checked. */
export type Evidence = 'verified' | 'secondary' | 'unverified';

/** Where a request carries its key. */
export type Place =
	| { in: 'header'; name: string; quoted?: boolean }
	/** A field of a JSON or form body; `*` is the one object in the body, whatever it is called. `beside` goes there with it. */
	| { in: 'body'; path: string; beside?: Readonly<Record<string, unknown>> }
	| { in: 'query'; name: string }
	/** Where the URL says `{idempotencyKey}`. */
	| { in: 'path' }
	/** The variable `$idempotencyKey`, which the query hands to this directive. */
	| { in: 'graphql'; directive: string };

export interface Provider {
	/** Saved in workflows: never changes. */
	id: string;
	name: string;
	evidence: Evidence;
	/** Where the knowledge comes from. */
	source: string;
	/** Recognised by the name of the host. Without it, only used if chosen. */
	host?: RegExp;
	/** Only requests to these paths. */
	path?: RegExp;
	/** Only requests with these methods; else all that have an effect. */
	methods?: readonly Method[];
	place: Place;
	encoding: Encoding;
	/** What the provider publishes about keys. */
	limits: { least?: number; most?: number; alphabet?: RegExp };
	/** How long the provider recognises a key, in milliseconds. */
	retention: number | 'forever' | 'unpublished';
	/**
	 * What 409 means: the first request is still being worked on; it was made already; or the key belongs to another request.
	 * Without it, that the request is refused.
	 */
	conflict?: 'in_progress' | 'exists' | 'mismatch';
	/** Where an answer of 409 names the thing that was made already. */
	conflictingId?: string;
	/** Whether 422 means that the key belongs to another request. */
	unprocessable?: 'mismatch';
	/** A header with which the provider says itself whether to try again. */
	retryHint?: { header: string; retry: RegExp; stop?: RegExp };
	/** What else one should know. */
	note?: string;
}
