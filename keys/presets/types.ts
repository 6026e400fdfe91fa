/**
 * Strong: the sender's own id of the event or delivery, the same on every attempt.
 * Weak: put together from fields of the body; good enough to tell events apart, but not promised by the
 * sender. Should two events share a weak key, their fingerprints differ, which is a conflict and seen.
 */
export type Tier = 'strong' | 'weak';

/** How the event reached the workflow: with headers and body, or as the body alone. */
export type Variant = 'webhook' | 'trigger';

/**
 * How we know: from the sender's own documentation or code; from somebody else's; or not checked.
 */
export type Evidence = 'verified' | 'secondary' | 'unverified';

/**
 * Where a value is: `header:X-GitHub-Delivery`, `body:data.id` (of the event), or `envelope:delivery_id`
 * (of the request that carried it, if one request carries several events). `a|b` is the first that has a
 * value; a `?` at the end means that it may be missing.
 */
export type Reference = string;

/** All must hold: there is a value, it is this one, or it looks like this. */
export type Conditions = Readonly<Record<Reference, true | string | RegExp>>;

export interface Recipe {
	/** The components of the key. */
	use: readonly Reference[];
	tier: Tier;
	/** Only for events that arrive this way. */
	variant?: Variant;
	/** Only for this kind of event. */
	when?: Conditions;
	/** If the fields are known less well than the rest of the preset. */
	evidence?: Evidence;
	/** Why the key is only a weak one, and what would give a strong one. */
	because?: string;
}

export interface Preset {
	/** Part of the key: never changes. */
	id: string;
	name: string;
	evidence: Evidence;
	/** Where the knowledge comes from. */
	source: string;
	/** The sender is recognised if any of these holds. */
	detect: readonly Conditions[];
	/** The first whose components all have a value is used. */
	recipes: readonly Recipe[];
	/** Where the events are in the body if one request carries several; `''` is the body itself. */
	batch?: readonly string[];
	/** Fields of an event that change between deliveries of the same event. */
	volatile?: readonly string[];
	/** What to do if an item of this sender has none of the fields. */
	advice?: string;
}
