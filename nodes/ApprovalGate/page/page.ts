import type { ApprovalRecord } from '../../../ledger/records';
import { changes, type Content } from './content';
import { Html, markup } from '../../shared/html';
import { markdown } from './markdown';
import { storyOf, storyTime } from './story';
import { POLICY, STYLE } from './style';

/** One request on the page. */
export interface Card {
	content: Content;
	approval: ApprovalRecord;
	/** Whether the visitor may decide it here and now. */
	isOpen: boolean;
	/** Why not, where it is still pending. */
	why?: string;
}

export interface Form {
	token: string;
	/** What the visitor has to give besides the decision. */
	asksName: boolean;
	asksPin: boolean;
	commentOnRejection: boolean;
	/** What was typed before, when something was wrong with it. */
	name?: string;
	comment?: string;
}

export interface View {
	cards: Card[];
	form?: Form;
	/** Who looks at it, if the link says so. */
	approver?: string;
	/** What was wrong with what was sent. */
	wrong?: string;
}

/** The page with what is to be approved, and the form, or what became of it. */
export function approvalPage({ cards, form, approver, wrong }: View): string {
	const [first] = cards;
	const isOne = cards.length === 1;
	const heading = isOne ? first.content.title : `${cards.length} requests for approval`;
	return page(
		heading,
		markup`${!isOne && markup`<h1>${heading}</h1>`}
${wrong !== undefined && markup`<p class="notice wrong" role="alert">${wrong}</p>`}
<form method="post" action="">
${cards.map((card, i) => cardHtml(card, i, isOne))}
${form && formHtml(form, isOne, approver)}
</form>
<footer><bdi>${first.content.workflow}</bdi> · n8n</footer>`,
	);
}

/** A page that only says something. */
export function messagePage(title: string, text: string): string {
	return page(title, markup`<section class="card"><h1>${title}</h1><p>${text}</p></section>`);
}

/** Not escaped: the policy has the hash of this very text, and none of it comes from data. */
const STYLE_HTML = new Html(STYLE);

function page(title: string, body: Html): string {
	return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${STYLE_HTML}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}

function cardHtml({ content, approval, isOpen, why }: Card, index: number, isOne: boolean): Html {
	const { title, message, amount, fields, timezone } = content;
	const isPending = approval.state === 'pending';
	return markup`<section class="card">
${isOne ? markup`<h1 dir="auto">${title}</h1>` : markup`<h2 id="item${index}" dir="auto">${index + 1}. ${title}</h2>`}
${storyHtml(approval, timezone)}
${why !== undefined && markup`<p class="notice" role="status">${why}</p>`}
${amount !== undefined && markup`<p class="amount"><bdi>${amount}</bdi></p>`}
${changedHtml(content)}
${message !== undefined && markdown(message)}
${fields.length > 0 && tableHtml(fields)}
${isPending && approval.expiresAt !== undefined && expiryHtml(approval.expiresAt, timezone)}
${!isOne && isOpen && choiceHtml(index)}
</section>`;
}

function storyHtml(approval: ApprovalRecord, timezone: string): Html[] {
	return storyOf(approval, timezone).map(({ state, text }) => {
		const word = state && markup`<strong class="${state}">${state.toUpperCase()}</strong> · `;
		return markup`<p class="notice" role="status" dir="auto">${word}${text}</p>`;
	});
}

function expiryHtml(expiresAt: number, timezone: string): Html {
	const time = storyTime(expiresAt, timezone);
	return markup`<p class="soft">Without a decision it counts as not approved from ${time} on.</p>`;
}

function changedHtml(content: Content): Html | false {
	const changed = changes(content);
	if (changed.length === 0) return false;
	const lines = changed.map(({ name, before, after }) => {
		// The new one is right below, and the old one would fill the page.
		if (name === 'Message') return markup`<li>The message</li>`;
		const was = before === undefined ? 'new' : markup`<del>${before}</del>`;
		const is = after === undefined ? 'removed' : markup`<ins>${after}</ins>`;
		return markup`<li dir="auto"><bdi>${name}</bdi>: ${was} → ${is}</li>`;
	});
	return markup`<div class="changed"><p class="heading">Changed since it was asked before</p><ul>${lines}</ul></div>`;
}

function tableHtml(fields: Content['fields']): Html {
	const rows = fields.map(({ name, value }) => {
		const shown = value.includes('\n')
			? markup`<pre dir="auto">${value}</pre>`
			: markup`<bdi>${value}</bdi>`;
		return markup`<tr><th scope="row"><bdi>${name}</bdi></th><td>${shown}</td></tr>\n`;
	});
	return markup`<table><tbody>\n${rows}</tbody></table>`;
}

function choiceHtml(index: number): Html {
	const choice = (value: string, label: string, isChosen = false) =>
		markup`<label class="choice"><input type="radio" name="item${index}" value="${value}"${isChosen && markup` checked`}> ${label}</label>`;
	const choices = [
		choice('approved', 'Approve'),
		choice('rejected', 'Reject'),
		choice('', 'Later', true),
	];
	return markup`<fieldset aria-labelledby="item${index}">${choices}</fieldset>`;
}

/** The first button is what the Enter key presses: it is one that does nothing. */
function formHtml(form: Form, isOne: boolean, approver?: string): Html {
	const { token, asksName, asksPin, commentOnRejection, name = '', comment = '' } = form;
	const commentLabel = commentOnRejection ? 'Comment (needed to reject)' : 'Comment (optional)';
	return markup`<section class="card">
<button type="submit" disabled hidden>Nothing</button>
<input type="hidden" name="token" value="${token}">
${approver !== undefined && markup`<p class="soft">You decide as <strong><bdi>${approver}</bdi></strong>.</p>`}
${asksName && markup`<label for="name">Your name</label><input type="text" id="name" name="name" maxlength="200" autocomplete="name" required dir="auto" value="${name}">`}
${asksPin && markup`<label for="pin">PIN</label><input type="password" id="pin" name="pin" maxlength="200" autocomplete="off" required>`}
<label for="comment">${commentLabel}</label><textarea id="comment" name="comment" maxlength="2000" dir="auto">${comment}</textarea>
<div class="buttons">
${!isOne && markup`<button class="neutral" name="decision" value="each">Send my choices</button>`}
<button name="decision" value="approved">${isOne ? 'Approve' : 'Approve all'}</button>
<button class="no" name="decision" value="rejected">${isOne ? 'Reject' : 'Reject all'}</button>
</div>
</section>`;
}
