import { createHash } from 'node:crypto';

import * as fc from 'fast-check';

import type { ApprovalRecord } from '../../../../ledger/records';
import type { Content } from '../../../../nodes/ApprovalGate/page/content';
import { escape } from '../../../../nodes/shared/html';
import { approvalPage, messagePage, type View } from '../../../../nodes/ApprovalGate/page/page';
import { PAGE_HEADERS } from '../../../../nodes/ApprovalGate/page/style';

const HOSTILE = [
	'<script>alert(1)</script>',
	'"><img src=x onerror=alert(1)>',
	"' onmouseover='alert(1)",
	'</textarea></title></style><svg onload=alert(1)>',
	'javascript:alert(1)',
	'{{constructor.constructor("alert(1)")()}}',
	'<!--',
	']]><iframe srcdoc="x">',
	'&lt;script&gt;',
	'`${alert(1)}`',
	'\u202e<b>\u2066',
];

function viewOf(text: string): View {
	const content: Content = {
		title: text,
		message: `${text}\n\n- ${text}\n\n> ${text}\n\n# ${text}\n\n[${text}](${text})\n\n\`${text}\``,
		amount: text,
		fields: [
			{ name: text, value: text },
			{ name: 'lines', value: `${text}\n${text}` },
		],
		workflow: text,
		timezone: text,
		before: { title: 'before', amount: text + text, fields: [{ name: text, value: 'x' }] },
	};
	const approval: ApprovalRecord = {
		id: 'id',
		gate: text,
		state: 'pending',
		fingerprint: 'f',
		required: 2,
		votes: [{ by: text, decision: 'approved', at: 0, comment: text }],
		requestedAt: 0,
		expiresAt: 1,
	};
	const rejected = { ...approval, state: 'rejected' as const, decidedBy: text, comment: text };
	return {
		cards: [
			{ content, approval, isOpen: true, why: text },
			{ content, approval: { ...rejected, decidedAt: 1 }, isOpen: false },
		],
		form: {
			token: text,
			asksName: true,
			asksPin: true,
			commentOnRejection: true,
			name: text,
			comment: text,
		},
		approver: text,
		wrong: text,
	};
}

/** The elements and attributes of a page, without what they say. */
function skeleton(page: string): string[] {
	const tags = page.replace(/<style>.*<\/style>/s, '').match(/<[^>]*>/g) ?? [];
	return tags.map((tag) => tag.replace(/="[^"]*"/g, '=""'));
}

describe('The approval page', () => {
	// What the page is made of when there is nothing hostile in it. Links are the only thing that data can add.
	const harmless = new Set(skeleton(approvalPage(viewOf('harmless'))));

	it.each(HOSTILE)('shows %s as text', (text) => {
		const page = approvalPage(viewOf(text));
		expect(skeleton(page).filter((tag) => !harmless.has(tag))).toEqual([]);
		expect(page).not.toMatch(/\son\w+\s*=\s*["']/i);
		expect(page).not.toMatch(/href="(?!https?:|mailto:)/i);
	});

	it('has no elements that data made, whatever the data', () => {
		const pieces = fc.constantFrom(
			...HOSTILE,
			'<',
			'>',
			'"',
			"'",
			'&',
			'`',
			'*',
			'[',
			'](',
			')',
			'\n',
		);
		const text = fc.array(fc.oneof(pieces, fc.string())).map((parts) => parts.join(''));
		const allowed = /^<(\/?(p|ul|ol|li|blockquote|pre|code|strong|em|br|small|a))( [^<]*)?>$/;
		fc.assert(
			fc.property(text, (value) => {
				const odd = skeleton(approvalPage(viewOf(value))).filter(
					(tag) => !harmless.has(tag) && !allowed.test(tag),
				);
				expect(odd).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it('marks characters that turn the reading direction around', () => {
		expect(escape('pay \u202e001\u202c')).toBe('pay \ufffd001\ufffd');
		expect(escape('שלום a\u200db')).toBe('שלום a\u200db');
		expect(escape('a\ud83d')).toBe('a\ufffd');
	});

	it('has the very style that its policy allows, and runs, loads and frames nothing', () => {
		const [, style] = /<style>(.*)<\/style>/s.exec(messagePage('a', 'b'))!;
		const hash = createHash('sha256').update(style).digest('base64');
		const policy = PAGE_HEADERS['Content-Security-Policy'];
		expect(policy).toContain(`style-src 'sha256-${hash}'`);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(policy).not.toContain('unsafe');
		expect(PAGE_HEADERS).toMatchObject({
			'Cache-Control': 'no-store, max-age=0',
			'Referrer-Policy': 'no-referrer',
			'X-Frame-Options': 'DENY',
		});
		expect(PAGE_HEADERS['X-Robots-Tag']).toContain('noindex');
		const page = approvalPage(viewOf('harmless'));
		expect(page).not.toMatch(/<(script|img|iframe|link|object|embed|base)\b/i);
	});

	it('has a first button that the Enter key can press without harm', () => {
		const [first] = /<button[^>]*>/.exec(approvalPage(viewOf('x')))!;
		expect(first).toBe('<button type="submit" disabled hidden>');
	});
});
