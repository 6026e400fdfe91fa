import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { DeriveKey } from '../../nodes/DeriveKey/DeriveKey.node';
import {
	defineNode,
	runNode,
	runWorkflow,
	workflow,
	type EngineRun,
	type RunOptions,
} from './harness';

function derive(parameters: INodeParameters, items: RunOptions['items'], trigger?: string) {
	return runNode(DeriveKey, parameters, { items, trigger });
}

function hints(run: EngineRun): string[] {
	return run.hints('Derive Key').map(({ message }) => message);
}

describe('Derive Key: hints', () => {
	const field = { source: 'field', value: '={{ $json.id }}' };

	it('all keys are the same', async () => {
		const run = await derive({ source: 'field', value: '={{ $json.shop }}' }, [
			{ shop: 'a' },
			{ shop: 'a' },
		]);
		expect(hints(run)).toEqual([expect.stringMatching(/^All 2 items have the same key/)]);
	});

	it.each([
		['={{ $now }}', /uses \$now/],
		['={{ $execution.id }}', /uses \$execution.id/],
		['=order-{{ $json.id }}', /a part that is missing would go unnoticed/],
	])('the expression %s', async (value, message) => {
		const run = await derive({ source: 'field', value }, [{ id: 1 }]);
		expect(hints(run)).toEqual([expect.stringMatching(message)]);
	});

	it.each([
		['an email address', 'ann@example.com', /looks like an email address/],
		['a phone number', '+49 170 1234567', /looks like a phone number/],
		['a rounded number', Number('820982911946154508'), /more digits than n8n can hold/],
	])('%s', async (_what, id, message) => {
		const run = await derive(field, [{ id }, { id: 'x' }]);
		expect(hints(run)).toEqual([expect.stringMatching(message)]);
		expect(run.hints('Derive Key')[0]).toMatchObject({ type: 'warning', location: 'outputPane' });
	});

	const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

	it.each([
		['a random ID that was made on the way', { id: uuid }, 'set', /a random ID and was made/],
		['a time that was made on the way', { id: Date.now() }, 'set', /the time of this run/],
	])('%s', async (_what, fields, type, message) => {
		const flow = workflow([
			{ name: 'Webhook', type: 'webhook' },
			{ name: 'Make', type, parameters: { fields } },
			{ name: 'Pass', type: 'noOp' },
			{ name: 'Derive Key', type: 'deriveKey', parameters: field },
		]);
		const run = await runWorkflow(flow, { nodes: [DeriveKey], items: [{ order: 1 }] });
		expect(hints(run)).toEqual([expect.stringMatching(message)]);
	});

	it('not for the same values if the sender sent them or a service answered with them', async () => {
		expect(hints(await derive(field, [{ id: uuid }]))).toEqual([]);
		expect(hints(await derive(field, [{ id: new Date().toISOString() }]))).toEqual([]);

		const service = defineNode('service', async () => [
			[{ json: { id: uuid }, pairedItem: { item: 0 } }],
		]);
		const flow = workflow([
			{ name: 'Schedule', type: 'scheduleTrigger' },
			{ name: 'Service', type: 'service' },
			{ name: 'Copy', type: 'set', parameters: { fields: { again: '={{ $json.id }}' } } },
			{ name: 'Derive Key', type: 'deriveKey', parameters: field },
		]);
		const run = await runWorkflow(flow, { nodes: [DeriveKey, service] });
		expect(hints(run)).toEqual([]);
	});

	it('the time of the schedule itself is no key', async () => {
		const run = await derive(
			{ source: 'field', value: '={{ $json.timestamp }}' },
			[{ timestamp: new Date().toISOString() }],
			'scheduleTrigger',
		);
		expect(hints(run)).toEqual([expect.stringMatching(/the time of this run/)]);
	});

	it('an item that already carries a claim on another key', async () => {
		const run = await derive(field, [{ id: 1, idempotency: { key: 'v1:field:0', claimed: true } }]);
		expect(hints(run)).toEqual([expect.stringMatching(/already carries a claim/)]);
	});

	it('are left out where n8n cannot show them', async () => {
		const older = class extends DeriveKey {
			async execute(this: IExecuteFunctions) {
				Object.assign(this, { addExecutionHints: undefined });
				return await DeriveKey.prototype.execute.call(this);
			}
		};
		const flow = workflow([
			{ name: 'Webhook', type: 'webhook' },
			{ name: 'Derive Key', type: 'deriveKey', parameters: field },
		]);
		const run = await runWorkflow(flow, { nodes: [older], items: [{ id: 'ann@example.com' }] });
		const [{ idempotency }] = run.json('Derive Key');
		expect(idempotency).toMatchObject({ key: 'v1:field:ann@example.com' });
	});
});

describe('Derive Key: speed', () => {
	it('evaluates every expression once per item', async () => {
		const evaluated: string[] = [];
		const counting = class extends DeriveKey {
			async execute(this: IExecuteFunctions) {
				const read = this.getNodeParameter.bind(this) as (...args: unknown[]) => unknown;
				Object.assign(this, {
					getNodeParameter: (
						name: string,
						itemIndex: number,
						fallback?: unknown,
						options?: { rawExpressions?: boolean },
					) => {
						if (!options?.rawExpressions) evaluated.push(`${name} ${itemIndex}`);
						return read(name, itemIndex, fallback, options);
					},
				});
				return await DeriveKey.prototype.execute.call(this);
			}
		};
		const values = ['a', 'b'].map((name) => ({ name, value: `={{ $json.${name} * 1 }}` }));
		const flow = workflow([
			{ name: 'Start', type: 'webhook' },
			{
				name: 'Derive Key',
				type: 'deriveKey',
				parameters: { source: 'composite', components: { values } },
			},
		]);
		const items = Array.from({ length: 50 }, (_, n) => ({ a: n, b: n }));
		const run = await runWorkflow(flow, { nodes: [counting], items });
		expect(run.json('Derive Key')).toHaveLength(50);
		expect(evaluated).toHaveLength(new Set(evaluated).size);
		expect(evaluated.filter((name) => name.startsWith('components'))).toHaveLength(50);
	});

	it('takes little more for 1,000 items than n8n needs for the expressions', async () => {
		const items = Array.from({ length: 1000 }, (_, n) => ({
			headers: { 'x-github-delivery': `d${n}` },
			body: { n, text: 'x'.repeat(1000) },
		}));
		// Processor time and a ratio, because other tests keep the machine busy.
		const cost = async (type: string, parameters: INodeParameters) => {
			const flow = workflow([
				{ name: 'Webhook', type: 'webhook' },
				{ name: 'Node', type, parameters },
			]);
			const before = process.cpuUsage();
			const run = await runWorkflow(flow, { nodes: [DeriveKey], items });
			expect(run.json('Node')).toHaveLength(1000);
			return process.cpuUsage(before).user / 1000;
		};
		const fields = { n: '={{ $json.body.n }}', text: '={{ $json.body.text }}' };
		const values = Object.entries(fields).map(([name, value]) => ({ name, value }));
		await cost('set', { fields });
		const expressions = await cost('set', { fields });

		expect(await cost('deriveKey', {})).toBeLessThan(3 * expressions);
		expect(await cost('deriveKey', { source: 'composite', components: { values } })).toBeLessThan(
			4 * expressions,
		);
	});
});
