import { call, type Sample } from './types';

const push = {
	push: { changes: [{ new: { name: 'main', target: { hash: '709d658dc5b6' } } }] },
	actor: { uuid: '{a}' },
	repository: { uuid: '{r}', full_name: 'team/repo' },
};

const jiraIssue = {
	timestamp: 1794821400000,
	webhookEvent: 'jira:issue_updated',
	issue: { id: '10002', key: 'ED-1', fields: { updated: '2026-11-16T09:30:00.000+0100' } },
};

const linear = {
	action: 'update',
	type: 'Issue',
	createdAt: '2026-11-16T09:30:00Z',
	data: { id: '539068e2', updatedAt: '2026-11-16T09:30:00Z' },
	webhookTimestamp: 1794821400000,
	webhookId: '000042e3',
};

const dynamic = {
	messageId: 'm1',
	eventId: 'd1',
	eventName: 'user.created',
	environmentId: 'env1',
	data: {},
};

export const development: Sample[] = [
	{
		preset: 'github',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:github:72d3162e',
		event: call(
			{ 'x-github-delivery': '72d3162e', 'x-github-event': 'push' },
			{ ref: 'refs/heads/main' },
		),
		again: { 'headers.accept': 'x' },
		other: { 'headers.x-github-delivery': 'b' },
	},
	{
		preset: 'gitlab',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:gitlab:f5e5f430',
		event: call(
			{
				'x-gitlab-event': 'Push Hook',
				'idempotency-key': 'f5e5f430',
				'x-gitlab-webhook-uuid': 'a',
			},
			{ object_kind: 'push' },
		),
		again: { 'headers.x-gitlab-webhook-uuid': 'b' },
		other: { 'headers.idempotency-key': 'g' },
	},
	{
		preset: 'bitbucket',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:bitbucket:r1',
		event: call(
			{
				'x-hook-uuid': 'h',
				'x-event-key': 'repo:push',
				'x-request-uuid': 'r1',
				'x-attempt-number': '1',
			},
			push,
		),
		again: { 'headers.x-attempt-number': '2' },
		other: { 'headers.x-request-uuid': 'r2' },
	},
	{
		preset: 'bitbucket',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:bitbucket:{r}|main|709d658dc5b6',
		event: push,
		other: { 'push.changes[0].new.target.hash': 'f' },
	},
	{
		preset: 'bitbucket',
		kind: 'pull request',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:bitbucket:{r}|1|2026-11-16|',
		event: {
			actor: { uuid: '{a}' },
			repository: { uuid: '{r}', full_name: 'team/repo' },
			pullrequest: { id: 1, updated_on: '2026-11-16' },
		},
		other: { 'pullrequest.updated_on': '2026-11-17' },
	},
	{
		preset: 'jira',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:jira:w1',
		event: call({ 'x-atlassian-webhook-identifier': 'w1' }, jiraIssue),
		again: { 'headers.x-atlassian-webhook-retry': '1', 'body.timestamp': 2 },
		other: { 'headers.x-atlassian-webhook-identifier': 'w2' },
	},
	{
		preset: 'jira',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:jira:jira:issue_updated|10002|2026-11-16T09:30:00.000+0100',
		event: jiraIssue,
		again: { timestamp: 2 },
		other: { 'issue.fields.updated': '2026-11-16T09:31:00.000+0100' },
	},
	{
		preset: 'jira',
		kind: 'comment',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:jira:comment_created|5|2026-11-16',
		event: {
			webhookEvent: 'comment_created',
			comment: { id: '5', updated: '2026-11-16' },
			issue: { id: '10002', fields: {} },
		},
		other: { 'comment.id': '6' },
	},
	{
		preset: 'linear',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:linear:234d1a4e',
		event: call({ 'linear-delivery': '234d1a4e' }, linear),
		again: { 'body.webhookTimestamp': 1 },
		other: { 'headers.linear-delivery': 'b' },
	},
	{
		preset: 'linear',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:linear:Issue|update|539068e2|2026-11-16T09:30:00Z',
		event: linear,
		again: { webhookTimestamp: 1 },
		other: { 'data.updatedAt': '2026-11-16T09:31:00Z' },
	},
	{
		preset: 'vercel',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:vercel:v1',
		event: call(
			{ 'x-vercel-signature': 'a' },
			{ id: 'v1', type: 'deployment.created', payload: {} },
		),
		again: { 'headers.x-vercel-signature': 'b' },
		other: { 'body.id': 'v2' },
	},
	{
		preset: 'dynamic',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:dynamic:d1',
		event: call({}, dynamic),
		again: { 'body.messageId': 'm2' },
		other: { 'body.eventId': 'd2' },
	},
	{
		preset: 'dynamic',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:dynamic:d1',
		event: dynamic,
		again: { messageId: 'm2' },
		other: { eventId: 'd2' },
	},
];
