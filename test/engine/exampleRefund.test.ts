import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { deliver, outcomes } from './events';
import { AtGate } from './gates';
import { defineNode } from './harness';
import type { WorkflowJson } from './harness/workflow';
import { onEveryLedger } from './ledgers';

const FILE = join(__dirname, '../../examples/06-refund-two-approvers.json');

/** n8n's nodes that the harness does not have. */
const others = [
	defineNode('if', async function () {
		const [yes, no] = [true, false].map((isAbove) =>
			this.getInputData().filter(
				({ json }) => Number((json.body as IDataObject).amount) > 500 === isAbove,
			),
		);
		return [yes, no];
	}),
	defineNode('stickyNote', async () => [[]]),
	defineNode('respondToWebhook', async function () {
		return [this.getInputData()];
	}),
];

/** The example as it is imported, with an id of its own. */
function example(id: string): WorkflowJson {
	const json = JSON.parse(readFileSync(FILE, 'utf8')) as WorkflowJson;
	const nodes = json.nodes.map((node) => ({
		...node,
		type: node.type.replace(/^n8n-nodes-base\.(if|stickyNote|respondToWebhook)$/, '$1'),
	}));
	return { ...json, id, nodes };
}

function refund(amount: number) {
	const body = {
		id: 'rf_1',
		orderNumber: '4711',
		customer: 'Ada',
		reason: 'Never arrived',
		amount,
		currency: 'EUR',
		requestedBy: 'olga@example.com',
	};
	return [{ headers: {}, body }];
}

const START = { nodes: others, startNode: 'Refund Requested' };

it('is free of credentials and of ids from anybody’s n8n', () => {
	const text = readFileSync(FILE, 'utf8');
	expect(text).not.toMatch(/"credentials"|"instanceId"|"versionId"/);
	const { nodes } = JSON.parse(text) as WorkflowJson;
	expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
});

onEveryLedger((on) => {
	it('a small refund is paid at once', async () => {
		const run = await deliver(
			on,
			example(`small-${on.credentials.idempotencyLedgerApi.store as string}`),
			refund(500),
			START,
		);
		expect(run.error).toBeUndefined();
		expect(run.nodes).toContain('Paid Back');
		expect(run.nodes).not.toContain('Request');
	});

	it.each(['approved', 'rejected'])('a large one asks two people: %s', async (decision) => {
		const flow = example(
			`large-${decision}-${on.credentials.idempotencyLedgerApi.store as string}`,
		);
		const run = await deliver(on, flow, refund(1250), { ...START, executionId: `${flow.id}-1` });
		expect(run.error).toBeUndefined();
		const links = Object.fromEntries(
			run.json('Send the Link').map(({ approver, url }) => [String(approver), String(url)]),
		);
		expect(Object.keys(links)).toEqual([
			'olga@example.com',
			'paul@example.com',
			'rita@example.com',
		]);
		const at = new AtGate(run, 'Two of Three Approve');
		const own = await at.get(links['olga@example.com']);
		expect(own.response.body).toContain('You asked for this yourself');

		await at.decide('approved', {}, links['paul@example.com']);
		const { continued } = await at.decide(decision, { comment: 'Seen' }, links['rita@example.com']);
		expect(continued!.error).toBeUndefined();
		expect(continued!.nodes.includes('Paid Back')).toBe(decision === 'approved');
		expect(continued!.nodes.includes('Not Paid')).toBe(decision === 'rejected');

		const again = await deliver(on, flow, refund(1250), START);
		expect(outcomes(again)[1]).toEqual(['duplicate']);
	});
});
