import type { ApprovalRecord, ApprovalState } from '../../../ledger/records';

/** A sentence about a request, and the state that it is in. */
export interface Line {
	state?: ApprovalState;
	text: string;
}

const NEXT: Record<'approved' | 'rejected', string> = {
	approved: 'The workflow continues with it.',
	rejected: 'The workflow continues without it.',
};

/** Who decided what, when, and what happens next. The same for everybody who looks. */
export function storyOf(approval: ApprovalRecord, timezone: string): Line[] {
	const { state, decidedBy, decidedAt, comment, votes, required, expiresAt } = approval;
	const at = (time?: number) => (time === undefined ? '' : ` on ${storyTime(time, timezone)}`);
	if (state === 'approved' || state === 'rejected') {
		const said = comment === undefined ? [] : [{ text: `“${comment}”` }];
		const text = `by ${decidedBy}${at(decidedAt)}. ${NEXT[state]}`;
		return [{ state, text }, ...said, ...votesOf(approval, timezone)];
	}
	if (state === 'expired') {
		const text = `Nobody decided in time${expiresAt === undefined ? '' : `: it was open until ${storyTime(expiresAt, timezone)}`}. It counts as not approved.`;
		return [{ state, text }];
	}
	if (votes.length === 0 && required === 1) return [];
	const people = new Set(votes.map(({ by }) => by)).size;
	return [{ text: `${people} of ${required} approvals so far.` }, ...votesOf(approval, timezone)];
}

function votesOf({ votes, required }: ApprovalRecord, timezone: string): Line[] {
	if (required === 1) return [];
	return votes.map(({ by, decision, at, comment }) => ({
		text: `${by} ${decision} it on ${storyTime(at, timezone)}${comment === undefined ? '' : `: “${comment}”`}`,
	}));
}

export function storyTime(time: number, timezone: string): string {
	return new Intl.DateTimeFormat('en-GB', {
		dateStyle: 'medium',
		timeStyle: 'long',
		timeZone: isTimezone(timezone) ? timezone : 'UTC',
	}).format(time);
}

function isTimezone(timezone: string): boolean {
	try {
		new Intl.DateTimeFormat('en-GB', { timeZone: timezone });
		return true;
	} catch {
		return false;
	}
}
