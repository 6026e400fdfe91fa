import { canonicalJson } from '../../../keys/canonicalJson';
import { sha256 } from '../../../keys/hash';
import type { JsonValue } from '../../../ledger/records';

/** Somebody who may decide, by a link of their own. */
export interface Approver {
	name: string;
	/** The salted hash of what they have to know besides. */
	pin?: string;
}

/** What a person sees, and decides about. */
export interface Shown {
	title: string;
	message?: string;
	amount?: string;
	fields: Array<{ name: string; value: string }>;
}

/** What is kept with a request: what is shown, and the rules by which it is decided. */
export interface Content extends Shown {
	/** The fingerprint of what may be sent once this is approved, where somebody asks for that. */
	approves?: string;
	/** Absent: anyone with the link, who then has to give a name. */
	approvers?: Approver[];
	/** Of anyone: the salted hash of the secret that they share. */
	secret?: string;
	/** Must not decide. */
	barred?: string;
	commentOnRejection?: boolean;
	recordAddress?: boolean;
	workflow: string;
	timezone: string;
	/** What was asked before it changed. */
	before?: Shown;
}

/**
 * A decision is about what was shown and under which rules: with another amount, or other approvers, it is another question. Secrets are not
 * part of it: a hash of short ones would give them away.
 */
export function fingerprintOf(content: Content, required: number): string {
	const { title, message, amount, fields, approves, approvers, barred } = content;
	const names = approvers?.map(({ name }) => name);
	const bound = { version: 1, title, message, amount, fields, approves, names, barred, required };
	return sha256(canonicalJson(bound, { loneSurrogates: 'escape' }));
}

/** What was shown, as far as the ledger's value is of that kind. */
export function contentIn(value: JsonValue | undefined): Content | undefined {
	const isContent = typeof value === 'object' && value !== null && 'fields' in value;
	return isContent ? (value as unknown as Content) : undefined;
}

export function shownOf({ title, message, amount, fields }: Content): Shown {
	return { title, message, amount, fields };
}

export interface Change {
	name: string;
	before?: string;
	after?: string;
}

/** What is not as it was when it was asked before. */
export function changes({ before, ...content }: Content): Change[] {
	if (!before) return [];
	const was = listed(before);
	const is = listed(content);
	return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) =>
		was.get(name) === is.get(name) ? [] : [{ name, before: was.get(name), after: is.get(name) }],
	);
}

function listed({ title, message, amount, fields }: Shown): Map<string, string | undefined> {
	const all: Array<[string, string | undefined]> = [
		['Title', title],
		['Message', message],
		['Amount', amount],
		...fields.map(({ name, value }): [string, string] => [name, value]),
	];
	return new Map(all.filter(([, value]) => value !== undefined));
}
