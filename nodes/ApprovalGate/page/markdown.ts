import { type Html, markup, type Part } from '../../shared/html';

// A small and safe part of Markdown: paragraphs, line breaks, headings, lists, quotes, code, bold, italic, links. No HTML, no images,
// nothing that loads anything. Everything is escaped, and no text takes longer than its length says.

/** Where a link may lead. */
const SAFE_LINK = /^(https?:\/\/|mailto:)[^\s<>"'`\\]+$/i;

export function markdown(source: string): Html {
	const blocks: Html[] = [];
	let lines: string[] = [];
	const finish = () => {
		if (lines.length > 0) blocks.push(block(lines));
		lines = [];
	};
	let fence: string[] | undefined;
	for (const line of source.replace(/\r\n?/g, '\n').split('\n')) {
		if (fence) {
			if (line.trimEnd() === '```') {
				blocks.push(codeBlock(fence));
				fence = undefined;
			} else fence.push(line);
		} else if (line.startsWith('```')) {
			finish();
			fence = [];
		} else if (line.trim() === '') finish();
		else {
			if (lines.length > 0 && kindOf(line) !== kindOf(lines[0])) finish();
			lines.push(line);
		}
	}
	// An open fence goes on to the end.
	if (fence) blocks.push(codeBlock(fence));
	finish();
	return markup`${blocks}`;
}

function codeBlock(lines: string[]): Html {
	return markup`<pre><code>${lines.join('\n')}</code></pre>`;
}

type Kind = 'heading' | 'bullets' | 'numbers' | 'quote' | 'text';

function kindOf(line: string): Kind {
	if (/^#{1,6} /.test(line)) return 'heading';
	if (/^[-*+] /.test(line)) return 'bullets';
	if (/^\d{1,4}[.)] /.test(line)) return 'numbers';
	return line.startsWith('>') ? 'quote' : 'text';
}

function block(lines: string[]): Html {
	const without = (marker: RegExp) => lines.map((line) => line.replace(marker, ''));
	const items = (marker: RegExp) =>
		without(marker).map((line) => markup`<li dir="auto">${inline(line)}</li>`);
	switch (kindOf(lines[0])) {
		case 'heading':
			// Not a heading of the page, whose outline is not the sender's to change.
			return markup`${without(/^#{1,6} /).map((line) => markup`<p class="heading" dir="auto">${inline(line)}</p>`)}`;
		case 'bullets':
			return markup`<ul>${items(/^[-*+] /)}</ul>`;
		case 'numbers':
			return markup`<ol>${items(/^\d{1,4}[.)] /)}</ol>`;
		case 'quote':
			return markup`<blockquote dir="auto">${withBreaks(without(/^>\s?/))}</blockquote>`;
		case 'text':
			return markup`<p dir="auto">${withBreaks(lines)}</p>`;
	}
}

function withBreaks(lines: string[]): Part[] {
	return lines.map((line, i) => [i > 0 && markup`<br>`, inline(line)]);
}

/** The first of them that a line has is shown; lengths are bounded, so that no line can keep the search busy. */
const SPANS: Array<{ pattern: RegExp; show: (match: RegExpExecArray) => Part }> = [
	{ pattern: /`([^`]{1,1000})`/, show: ([, text]) => markup`<code>${text}</code>` },
	{
		pattern: /\[([^[\]]{1,300})\]\(([^()\s]{1,2000})\)/,
		show: ([all, text, target]) => link(all, text, target),
	},
	{
		pattern: /https?:\/\/[^\s<>"'`()[\]\\]{1,2000}/i,
		show: ([target]) => link(target, target, target),
	},
	{
		pattern: /\*\*([^*]{1,1000})\*\*/,
		show: ([, text]) => markup`<strong>${inline(text)}</strong>`,
	},
	{ pattern: /\*([^*\s][^*]{0,999})\*/, show: ([, text]) => markup`<em>${inline(text)}</em>` },
];

/** More spans than this on one line are left as they are. */
const SPAN_LIMIT = 100;

function inline(line: string): Part[] {
	const parts: Part[] = [];
	let rest = line;
	for (let i = 0; i < SPAN_LIMIT; i++) {
		const found = SPANS.flatMap(({ pattern, show }) => {
			const match = pattern.exec(rest);
			return match ? [{ match, show }] : [];
		});
		if (found.length === 0) break;
		const { match, show } = found.reduce((a, b) => (b.match.index < a.match.index ? b : a));
		parts.push(rest.slice(0, match.index), show(match));
		rest = rest.slice(match.index + match[0].length);
	}
	return [...parts, rest];
}

/** A link says where it leads: its text is written by whoever sent the data. */
function link(all: string, text: string, target: string): Part {
	if (!SAFE_LINK.test(target)) return all;
	const anchor = markup`<a href="${target}" rel="noopener noreferrer nofollow">${text}</a>`;
	return text === target ? anchor : [anchor, markup` <small>(${target})</small>`];
}
