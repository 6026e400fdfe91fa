import { NodeOperationError } from 'n8n-workflow';

import { defineNode, retryExecution, runWorkflow, workflow } from '.';

describe('The engine harness', () => {
	it('runs workflow JSON with expressions and item linking across nodes', async () => {
		const flow = workflow([
			{ name: 'Webhook', type: 'webhook' },
			{ name: 'Edit', type: 'set', parameters: { fields: { double: '={{ $json.n * 2 }}' } } },
			{ name: 'Pass', type: 'noOp' },
			{
				name: 'Look Back',
				type: 'set',
				parameters: { fields: { first: "={{ $('Webhook').item.json.n }}" } },
			},
		]);
		const run = await runWorkflow(flow, { items: [{ n: 1 }, { n: 2 }] });
		expect(run.status).toBe('success');
		expect(run.json('Look Back')).toEqual([
			{ n: 1, double: 2, first: 1 },
			{ n: 2, double: 4, first: 2 },
		]);
	});

	it('merges, splits out and loops', async () => {
		const flow = workflow(
			[
				{ name: 'Start', type: 'manualTrigger' },
				{ name: 'Split', type: 'splitOut', parameters: { fieldToSplitOut: 'list' } },
				{ name: 'Loop', type: 'splitInBatches', parameters: { batchSize: 1 } },
				{
					name: 'Body',
					type: 'set',
					parameters: { fields: { from: "={{ $('Split').item.json.n }}" } },
				},
				{ name: 'Merge', type: 'merge' },
			],
			[
				['Start', 'Split'],
				['Split', 'Loop'],
				['Loop', 'Merge', 0, 0],
				['Loop', 'Body', 1],
				['Body', 'Loop'],
				['Split', 'Merge', 0, 1],
			],
		);
		const run = await runWorkflow(flow, { items: [{ list: [{ n: 1 }, { n: 2 }] }] });
		expect(run.error).toBeUndefined();
		expect(run.runs('Body')).toBe(2);
		expect(run.json('Body', 0, 1)).toEqual([{ n: 2, from: 2 }]);
		expect(run.json('Merge')).toEqual([{ n: 1, from: 1 }, { n: 2, from: 2 }, { n: 1 }, { n: 2 }]);
	});

	it('gives nodes their credentials, context, custom data, hints and the webhook response', async () => {
		const probe = defineNode(
			'probe',
			async function () {
				const { host } = await this.getCredentials('idempotencyLedgerApi');
				this.getContext('flow').token = 'secret';
				this.customData.set('idem_key', 'abc');
				this.addExecutionHints({ message: 'one new' });
				await this.sendResponse({ answered: true } as never);
				const json = { host, id: this.getExecutionId(), workflow: this.getWorkflow().id };
				return [[{ json, pairedItem: { item: 0 } }]];
			},
			{ credentials: [{ name: 'idempotencyLedgerApi', required: true }] },
		);
		const flow = workflow([
			{ name: 'Start', type: 'webhook' },
			{ name: 'Probe', type: 'probe' },
		]);
		const run = await runWorkflow(flow, {
			nodes: [probe],
			credentials: { idempotencyLedgerApi: { host: 'db' } },
			executionId: '17',
		});
		expect(run.json('Probe')).toEqual([{ host: 'db', id: '17', workflow: 'wf1' }]);
		expect(run.metadata).toEqual({ idem_key: 'abc' });
		expect(run.hints('Probe')).toEqual([{ message: 'one new' }]);
		expect(run.responses).toEqual([{ answered: true }]);
		expect(run.data.executionData?.contextData).toEqual({ flow: { token: 'secret' } });
	});

	it('honours the settings of a node and pinned data', async () => {
		let calls = 0;
		const flaky = defineNode('flaky', async function () {
			calls++;
			if (calls < 3) throw new NodeOperationError(this.getNode(), 'Not yet');
			return [this.getInputData()];
		});
		const never = defineNode('never', async () => [[]]);
		const flow = workflow([
			{ name: 'Start', type: 'manualTrigger' },
			{ name: 'Flaky', type: 'flaky', retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			{ name: 'Once', type: 'noOp', executeOnce: true },
			{ name: 'Pinned', type: 'never' },
			{ name: 'Always', type: 'never', alwaysOutputData: true },
			{ name: 'End', type: 'noOp' },
		]);
		const run = await runWorkflow(flow, {
			nodes: [flaky, never],
			items: [{ n: 1 }, { n: 2 }],
			pinData: { Pinned: [{ json: { pinned: true } }] },
			mode: 'manual',
		});
		expect(calls).toBe(3);
		expect(run.json('Once')).toEqual([{ n: 1 }]);
		expect(run.json('Pinned')).toEqual([{ pinned: true }]);
		expect(run.json('End')).toEqual([{}]);
	});

	it('retries a failed execution from its stored data under a new id', async () => {
		const ids: string[] = [];
		let broken = true;
		const first = defineNode('first', async function () {
			ids.push(`first ${this.getExecutionId()}`);
			this.getContext('flow').token = 'kept';
			return [this.getInputData()];
		});
		const second = defineNode('second', async function () {
			ids.push(
				`second ${this.getExecutionId()} ${this.getMode()} ${this.getContext('flow').token}`,
			);
			if (broken) throw new NodeOperationError(this.getNode(), 'Down');
			return [this.getInputData()];
		});
		const flow = workflow([
			{ name: 'Start', type: 'webhook' },
			{ name: 'First', type: 'first' },
			{ name: 'Second', type: 'second' },
		]);
		const failed = await runWorkflow(flow, { nodes: [first, second], executionId: '1' });
		expect(failed.status).toBe('error');
		expect(failed.error?.message).toBe('Down');

		broken = false;
		const retried = await retryExecution(failed, { executionId: '2' });
		expect(retried.status).toBe('success');
		expect(ids).toEqual(['first 1', 'second 1 webhook kept', 'second 2 retry kept']);
		expect(failed.run.data.resultData.runData.Second).toHaveLength(1);
	});
});
