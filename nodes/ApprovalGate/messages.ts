import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { isSamePerson } from './approvers';
import type { Content } from './page/content';
import type { Link } from './links';
import { visible } from '../shared/html';

export const FORMATS = ['slack', 'teams', 'discord', 'mattermost', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** What approvers are sent: what it is about, and where to decide. */
export interface Message {
	title: string;
	amount?: string;
	fields: Content['fields'];
	links: Link[];
	/** For programs. */
	details: IDataObject;
}

/** Discord's limit is the lowest: 2,000 characters, links included. */
const TEXT_LIMIT = 700;

/** The body of a message in the format of an incoming webhook. Data is text in it: no mark-up, no mentions, no links of its own. */
export function bodyOf(format: Format, message: Message): IDataObject {
	switch (format) {
		case 'slack':
			return { text: chatText(message, slackText, (label, url) => `<${url}|${label}>`) };
		case 'mattermost':
			return { text: chatText(message, markdownText, (label, url) => `[${label}](${url})`) };
		case 'discord':
			return {
				content: chatText(message, markdownText, (label, url) => `[${label}](<${url}>)`),
				allowed_mentions: { parse: [] },
			};
		case 'teams':
			return teamsCard(message);
		case 'json':
			return {
				...message.details,
				title: message.title,
				amount: message.amount ?? null,
				fields: message.fields,
				approvalUrl: message.links[0].url,
				links: message.links as unknown as IDataObject[],
			};
	}
}

function chatText(
	{ title, amount, fields, links }: Message,
	escape: (text: string) => string,
	link: (label: string, url: string) => string,
): string {
	const facts = fields.map(({ name, value }) => `${name}: ${value}`);
	const about = [title, ...(amount === undefined ? [] : [amount]), ...facts].map(line);
	const urls = links.map(({ approver, url }) =>
		link(approver === undefined ? 'Look and decide' : `For ${escape(line(approver))}`, url),
	);
	return [...cut(about).map(escape), ...urls].join('\n');
}

/** Each fact stays on its line, and all of them together are short: the page has the rest. */
function line(text: string): string {
	const one = visible(text).replace(/\s+/g, ' ').trim();
	return one.length > 200 ? `${one.slice(0, 199)}…` : one;
}

function cut(lines: string[]): string[] {
	let left = TEXT_LIMIT;
	return lines.filter((text) => (left -= text.length) >= 0);
}

/** Slack's own mark-up, mentions included, begins with one of these three. */
function slackText(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** A zero-width space keeps `@channel` from being a mention and `://` from being a link. */
function markdownText(text: string): string {
	return text
		.replace(/[\\`*_{}[\]()#+\-.!|~<>]/g, (character) => `\\${character}`)
		.replace(/@/g, '@\u200b')
		.replace(/:\/\//g, ':\u200b//');
}

/** Text runs show what they are given, without Markdown. */
function teamsCard({ title, amount, fields, links }: Message): IDataObject {
	const run = (text: string, more: IDataObject = {}) => ({
		type: 'RichTextBlock',
		inlines: [{ type: 'TextRun', text: line(text), ...more }],
	});
	const body = [
		run(title, { weight: 'Bolder', size: 'Medium' }),
		...(amount === undefined ? [] : [run(amount, { weight: 'Bolder', size: 'Large' })]),
		...fields.slice(0, 10).map(({ name, value }) => run(`${name}: ${value}`)),
	];
	const actions = links.slice(0, 6).map(({ approver, url }) => ({
		type: 'Action.OpenUrl',
		title: approver === undefined ? 'Look and decide' : `For ${line(approver)}`,
		url,
	}));
	const content = {
		type: 'AdaptiveCard',
		$schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
		version: '1.4',
		body,
		actions,
	};
	return {
		type: 'message',
		attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
	};
}

/** A message for each incoming webhook: approvers who have one of their own get their link there, and nobody else's. */
export function addressed(
	message: Message,
	common: string | undefined,
	own: Array<{ name: string; url: string }>,
): Array<{ url: string; message: Message }> {
	const ownUrl = ({ approver }: Link) =>
		approver === undefined ? undefined : own.find(({ name }) => isSamePerson(name, approver))?.url;
	const single = message.links.flatMap((link) => {
		const url = ownUrl(link);
		return url === undefined ? [] : [{ url, message: { ...message, links: [link] } }];
	});
	const rest = message.links.filter((link) => ownUrl(link) === undefined);
	if (rest.length === 0 || common === undefined) return single;
	return [{ url: common, message: { ...message, links: rest } }, ...single];
}

/** The address is a secret of the workspace, so it is in no error. */
export async function post(
	node: IExecuteFunctions,
	format: Format,
	url: string,
	message: Message,
): Promise<void> {
	try {
		await node.helpers.httpRequest({
			method: 'POST',
			url,
			body: bodyOf(format, message),
			json: true,
			timeout: 15_000,
			disableFollowRedirect: true,
		});
	} catch (error) {
		const { response, httpCode, code } = error as {
			response?: { status?: number };
			httpCode?: string;
			code?: string;
		};
		const reason = response?.status ?? httpCode ?? code ?? 'no answer';
		throw new NodeOperationError(
			node.getNode(),
			`The request for approval could not be posted to the ${format} webhook (${reason})`,
			{
				description:
					"Check the 'Webhook URL'. The request itself is stored: the next run of the same event posts it",
			},
		);
	}
}
