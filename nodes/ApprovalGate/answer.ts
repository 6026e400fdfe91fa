import type { Ledger } from '../../ledger/Ledger';
import { isSamePerson, isSecret } from './approvers';
import { cardOf, type Desk, type Entry, open } from './desk';
import { approvalPage, type Form, messagePage } from './page/page';
import { formToken, type Grant, isSame, type RequestRef } from './tokens';

/** Somebody who opens a link, or sends the form of its page. */
export interface Visit {
	method: string;
	token: unknown;
	form: Record<string, unknown>;
	address?: string;
}

export interface Answer {
	status: number;
	page: string;
	/** Requests that this visit decided. */
	decided: RequestRef[];
}

/** For when the ledger, or what else is needed, is away. */
export const UNAVAILABLE: Answer = {
	status: 503,
	page: messagePage(
		'Not possible right now',
		'The decision could not be read or recorded, so nothing was decided and the workflow still waits. Try again in a few minutes.',
	),
	decided: [],
};

/** How often an approver may send a decision with a PIN, right or wrong, to one request. */
const PIN_TRIES = 10;
const NAME_LENGTH = 200;

/** Who looks at a page that asks for no name. */
const ANYONE = 'anyone with the link';

/** Answers a visit. Only a form that is sent in order decides anything; looking never does. Throws if the ledger cannot be used. */
export async function answer(desk: Desk, visit: Visit): Promise<Answer> {
	const opened = await open(desk, visit.token);
	if ('refusal' in opened) {
		const { status, title, text } = opened.refusal;
		return { status, page: messagePage(title, text), decided: [] };
	}
	const { grant, entries } = opened;
	const link = String(visit.token);
	if (visit.method !== 'POST') {
		await noteShown(desk.ledger, grant, entries, visit.address);
		return show(desk, link, grant, entries);
	}
	const sent = await readForm(desk, link, grant, entries, visit);
	if ('wrong' in sent) return show(desk, link, grant, entries, sent);
	const decided = await decide(desk.ledger, sent);
	const after = await open(desk, visit.token);
	return { ...show(desk, link, grant, 'entries' in after ? after.entries : entries), decided };
}

interface Wrong {
	wrong: string;
	status: number;
	name?: string;
	comment?: string;
}

interface Decisions {
	by: string;
	comment?: string;
	decisions: Array<{ request: RequestRef; decision: 'approved' | 'rejected' }>;
}

function show(
	desk: Desk,
	link: string,
	grant: Grant,
	entries: Entry[],
	again?: Partial<Wrong>,
): Answer {
	const cards = entries.map((entry) => cardOf(entry, grant));
	const open = entries.filter((_, i) => cards[i].isOpen);
	const form: Form | undefined =
		open.length === 0
			? undefined
			: {
					token: tokenOf(desk, link, entries),
					asksName: grant.approver === undefined,
					asksPin: open.some((entry) => pinOf(entry, grant) !== undefined),
					commentOnRejection: open.some(({ content }) => content.commentOnRejection),
					name: again?.name,
					comment: again?.comment,
				};
	return {
		status: again?.status ?? 200,
		page: approvalPage({ cards, form, approver: grant.approver, wrong: again?.wrong }),
		decided: [],
	};
}

function tokenOf({ key }: Desk, link: string, entries: Entry[]): string {
	const shown = entries.map(({ request, approval }) => ({
		...request,
		fingerprint: approval.fingerprint,
	}));
	return formToken(key, link, shown);
}

/** What the form says, or what is wrong with it. A PIN is counted before it is looked at. */
async function readForm(
	desk: Desk,
	link: string,
	grant: Grant,
	entries: Entry[],
	{ form, address }: Visit,
): Promise<Decisions | Wrong> {
	const name = textOf(form.name, NAME_LENGTH);
	const comment = textOf(form.comment, 2000);
	const wrong = (status: number, text: string): Wrong => ({ status, wrong: text, name, comment });

	const open = entries.filter((entry) => cardOf(entry, grant).isOpen);
	// Too late: the page says what was decided, by whom and when.
	if (open.length === 0) return { by: grant.approver ?? ANYONE, decisions: [] };
	if (!isSame(form.token, tokenOf(desk, link, entries))) {
		return wrong(
			403,
			'This form is not valid for what is shown here. Nothing was decided. Look again, and decide anew.',
		);
	}
	const decisions = chosen(form, entries, open);
	if (decisions.length === 0) return wrong(422, 'Choose what to approve and what to reject.');

	const by = grant.approver ?? name;
	if (by === undefined) return wrong(422, 'Give your name, so that others see who decided.');
	if (open.some(({ content: { barred } }) => barred !== undefined && isSamePerson(barred, by))) {
		return wrong(403, 'You asked for this yourself, so somebody else has to decide.');
	}
	const needsComment = open.some(({ content }) => content.commentOnRejection);
	const rejects = decisions.some(({ decision }) => decision === 'rejected');
	if (needsComment && rejects && comment === undefined) {
		return wrong(422, 'Say in a comment why you reject it.');
	}
	const pins = new Set(open.flatMap((entry) => pinOf(entry, grant) ?? []));
	const isCounted = await noteSent(desk.ledger, grant, open[0], address, pins.size > 0);
	if (!isCounted) {
		return wrong(
			429,
			'There were too many attempts. This link does not take decisions on this request any more.',
		);
	}
	for (const pin of pins) {
		if (!(await isSecret(textOf(form.pin, NAME_LENGTH) ?? '', pin))) {
			return wrong(403, 'The PIN is not right. Nothing was decided.');
		}
	}
	return { by, comment, decisions };
}

/** One decision for all that are open, or one for each that was chosen. */
function chosen(form: Visit['form'], entries: Entry[], open: Entry[]): Decisions['decisions'] {
	return open.flatMap((entry) => {
		const each = form[`item${entries.indexOf(entry)}`];
		const decision = form.decision === 'each' ? each : form.decision;
		const { request } = entry;
		return decision === 'approved' || decision === 'rejected' ? [{ request, decision }] : [];
	});
}

function pinOf({ content: { approvers, secret } }: Entry, { approver }: Grant) {
	return approver === undefined ? secret : approvers?.find(({ name }) => name === approver)?.pin;
}

async function decide(
	ledger: Ledger,
	{ by, comment, decisions }: Decisions,
): Promise<RequestRef[]> {
	const decided: RequestRef[] = [];
	for (const { request, decision } of decisions) {
		const { namespace, key, gate, id: approvalId } = request;
		const address = { namespace, key, gate, approvalId };
		const { outcome } = await ledger.decideApproval({ ...address, decision, by, comment });
		if (outcome === 'decided') decided.push(request);
	}
	return decided;
}

/** Once per person and request, of the first few: reloading must not fill the history. */
async function noteShown(ledger: Ledger, grant: Grant, entries: Entry[], address?: string) {
	const pending = entries.filter(({ approval }) => approval.state === 'pending').slice(0, 20);
	for (const entry of pending) await note(ledger, 'approval_shown', 1, grant, entry, address);
}

/** False if there were too many already. Without a PIN there is nothing to guess. */
async function noteSent(
	ledger: Ledger,
	grant: Grant,
	entry: Entry,
	address: string | undefined,
	isGuarded: boolean,
): Promise<boolean> {
	if (!isGuarded && !entry.content.recordAddress) return true;
	return (await note(ledger, 'decision_sent', PIN_TRIES, grant, entry, address)) || !isGuarded;
}

async function note(
	ledger: Ledger,
	kind: 'approval_shown' | 'decision_sent',
	limit: number,
	{ approver }: Grant,
	{ request: { id: approvalId, ...at }, content }: Entry,
	address?: string,
): Promise<boolean> {
	const by = approver ?? ANYONE;
	const reason = content.recordAddress ? address : undefined;
	return (await ledger.noteApproval({ ...at, approvalId, kind, by, reason, limit })).noted;
}

/** What was typed, without what cannot be seen. Lists and objects are no text: no form of ours sends them. */
function textOf(value: unknown, length: number): string | undefined {
	if (typeof value !== 'string') return undefined;
	const clean = value.replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ').trim();
	return clean === '' ? undefined : [...clean].slice(0, length).join('');
}
