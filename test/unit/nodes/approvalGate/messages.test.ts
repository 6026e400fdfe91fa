import { addressed, bodyOf, FORMATS, type Message } from '../../../../nodes/ApprovalGate/messages';

const url = 'https://n8n.example/webhook-waiting/1/g?approval=t&signature=s';
const message: Message = {
	title: 'Refund *4711*',
	amount: '600 EUR',
	fields: [{ name: 'Customer', value: 'Ada' }],
	links: [{ url }],
	details: { event: 'approval_requested' },
};

const hostile: Message = {
	...message,
	title: '<!channel> <https://evil.example|pay> @everyone\n# [x](https://evil.example)',
	fields: [{ name: '<@U1>', value: '**b** `c` \u202e '.repeat(500) }],
};

describe('The message about a request', () => {
	it.each(FORMATS)('for %s has the title, the amount and the link', (format) => {
		const body = JSON.stringify(bodyOf(format, message));
		expect(body).toContain('4711');
		expect(body).toContain('600 EUR');
		expect(body).toContain(url);
	});

	it('mentions nobody and links nowhere else, whatever the data', () => {
		const slack = String(bodyOf('slack', hostile).text);
		expect(slack.match(/<[^>]*>/g)).toEqual([`<${url}|Look and decide>`]);
		for (const format of ['mattermost', 'discord'] as const) {
			const body = bodyOf(format, hostile);
			const text = String(body.text ?? body.content);
			expect(text).not.toMatch(/@(everyone|channel|here|all)/);
			expect(text.match(/(?<!\\)\]\(/g)).toHaveLength(1);
			expect(text.match(/:\/\//g)).toHaveLength(1);
			expect(text.length).toBeLessThan(2000);
		}
		expect(bodyOf('discord', hostile).allowed_mentions).toEqual({ parse: [] });
		const card = JSON.stringify(bodyOf('teams', hostile));
		expect(card).not.toContain('"TextBlock"');
		expect(card.match(/Action\.OpenUrl/g)).toHaveLength(1);
	});

	it('gives approvers with a webhook of their own their link there, and nobody else', () => {
		const links = ['olga', 'paul', 'rita'].map((approver) => ({
			approver,
			url: `${url}&${approver}`,
		}));
		const sent = addressed({ ...message, links }, 'https://common', [
			{ name: 'Paul', url: 'https://paul' },
		]);
		expect(sent.map((one) => [one.url, one.message.links.map(({ approver }) => approver)])).toEqual(
			[
				['https://common', ['olga', 'rita']],
				['https://paul', ['paul']],
			],
		);
		expect(addressed({ ...message, links }, undefined, [])).toEqual([]);
	});
});
