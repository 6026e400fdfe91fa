import { markdown } from '../../../../nodes/ApprovalGate/page/markdown';

const html = (source: string) => markdown(source).text;

describe('Markdown on the approval page', () => {
	it.each([
		['**bold** and *italic*', '<p dir="auto"><strong>bold</strong> and <em>italic</em></p>'],
		['one\ntwo', '<p dir="auto">one<br>two</p>'],
		['one\n\ntwo', '<p dir="auto">one</p><p dir="auto">two</p>'],
		['- a\n- b', '<ul><li dir="auto">a</li><li dir="auto">b</li></ul>'],
		['1. a\n2. b', '<ol><li dir="auto">a</li><li dir="auto">b</li></ol>'],
		['> said', '<blockquote dir="auto">said</blockquote>'],
		['## Head', '<p class="heading" dir="auto">Head</p>'],
		['`**x**`', '<p dir="auto"><code>**x**</code></p>'],
		['```\n<b>\n```', '<pre><code>&lt;b&gt;</code></pre>'],
		['```\nopen', '<pre><code>open</code></pre>'],
		['2 * 3 * 4', '<p dir="auto">2 * 3 * 4</p>'],
	])('%j', (source, expected) => expect(html(source)).toBe(expected));

	it('says where a link leads, and makes none of what is not a web or mail address', () => {
		expect(html('[bank](https://evil.example/a?b=1&c=2)')).toBe(
			'<p dir="auto"><a href="https://evil.example/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">bank</a> <small>(https://evil.example/a?b=1&amp;c=2)</small></p>',
		);
		expect(html('see https://a.example/x')).toContain('>https://a.example/x</a>');
		for (const target of [
			'javascript:alert(1)',
			'JaVaScRiPt:alert`1`',
			'data:text/html,x',
			'//evil.example',
			'/relative',
			'https://a"onclick="x',
			'vbscript:x',
		]) {
			expect(html(`[x](${target})`)).not.toMatch(/<a |onclick="/);
		}
	});

	it('takes no longer than the text is long', () => {
		const before = process.cpuUsage();
		for (const piece of ['*', '**', '[', '](', '`', '[a](', '*a', '> ', 'http://']) {
			html(piece.repeat(30_000));
		}
		expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
	});
});
