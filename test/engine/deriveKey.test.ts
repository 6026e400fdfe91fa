import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DeriveKey } from '../../nodes/DeriveKey/DeriveKey.node';
import {
	runNode,
	runWorkflow,
	workflow,
	type EngineRun,
	type NodeSpec,
	type RunOptions,
} from './harness';

function derive(
	parameters: INodeParameters,
	items: RunOptions['items'],
	settings: Partial<NodeSpec> = {},
	trigger?: string,
) {
	return runNode(DeriveKey, parameters, { items, settings, trigger });
}

function idempotency(run: EngineRun, output = 0): IDataObject[] {
	return run.json('Derive Key', output).map((json) => json.idempotency as IDataObject);
}

function keys(run: EngineRun): unknown[] {
	return idempotency(run).map(({ key }) => key);
}

function hints(run: EngineRun): string[] {
	return run.hints('Derive Key').map(({ message }) => message);
}

function call(headers: IDataObject, body: unknown): IDataObject {
	return { headers, params: {}, query: {}, body: body as IDataObject };
}

const push = call({ 'x-github-delivery': '72d3162e', 'x-github-event': 'push' }, { ref: 'main' });

function hubspot(...ids: number[]): IDataObject {
	const event = { portalId: 1, subscriptionId: 2, objectId: 3, occurredAt: 4 };
	const body = ids.map((eventId) => ({ ...event, eventId, subscriptionType: 'deal.creation' }));
	return call({ 'x-hubspot-signature': 's' }, body);
}

describe('Derive Key: what comes out', () => {
	it('is the untouched item, with its files and its link, and the key beside it', async () => {
		const binary = { data: { data: '', mimeType: 'text/plain' } };
		const input = { json: structuredClone(push), binary };
		const run = await derive({}, [input]);

		expect(run.status).toBe('success');
		expect(input.json).toEqual(push);
		expect(run.items('Derive Key')).toEqual([
			{
				json: {
					...push,
					idempotency: {
						key: 'v1:github:72d3162e',
						components: { 'X-GitHub-Delivery': '72d3162e' },
						source: 'auto',
						preset: 'github',
						variant: 'webhook',
						field: 'header X-GitHub-Delivery',
						evidence: 'verified',
						tier: 'strong',
						fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
					},
				},
				binary,
				pairedItem: { item: 0 },
			},
		]);
		expect(hints(run)).toEqual([]);
	});

	it('joins what an item already carries, without leftovers of an earlier key', async () => {
		const before = { namespace: 'shop', key: 'v1:old', preset: 'stripe', components: { old: 1 } };
		const run = await derive({ source: 'field', value: '={{ $json.id }}' }, [
			{ id: 7, idempotency: before },
		]);
		expect(idempotency(run)).toEqual([
			{
				namespace: 'shop',
				key: 'v1:field:7',
				components: { Value: '7' },
				source: 'field',
				tier: 'chosen',
				fingerprint: expect.any(String) as string,
			},
		]);
	});

	it('keeps items linked to what came before', async () => {
		const flow = workflow([
			{ name: 'Webhook', type: 'webhook' },
			{ name: 'Derive Key', type: 'deriveKey', parameters: { options: { splitBatches: true } } },
			{
				name: 'After',
				type: 'set',
				parameters: { fields: { origin: "={{ $('Webhook').item.json.n }}" } },
			},
		]);
		const items = [
			{ ...hubspot(1, 2), n: 1 },
			{ ...hubspot(3), n: 2 },
		];
		const run = await runWorkflow(flow, { nodes: [DeriveKey], items });
		expect(run.json('After').map(({ origin }) => origin)).toEqual([1, 1, 2]);
	});

	it('is the same on every run', async () => {
		const runs = await Promise.all([derive({}, [push]), derive({}, [structuredClone(push)])]);
		expect(idempotency(runs[0])).toEqual(idempotency(runs[1]));
	});
});

describe('Derive Key: sources', () => {
	it('Auto-Detect Sender falls back to a weaker key and says so', async () => {
		const order = {
			id: 1,
			admin_graphql_api_id: 'gid://shopify/Order/1',
			updated_at: '2026-11-16T09:30:00+01:00',
		};
		const run = await derive({ source: 'auto' }, [order], {}, 'shopifyTrigger');
		expect(idempotency(run)[0]).toMatchObject({
			key: 'v1:shopify:|gid://shopify/Order/1|2026-11-16T09:30:00+01:00',
			variant: 'trigger',
			tier: 'weak',
			field: 'admin_graphql_api_id + updated_at',
		});
		expect(hints(run)).toEqual([
			'Shopify: only a weaker key was possible. The Shopify Trigger drops the delivery ID: receive the event with the Webhook node to get it. The key was put together from admin_graphql_api_id + updated_at.',
		]);
	});

	it('Auto-Detect Sender says when it relies on something unverified', async () => {
		const run = await derive({}, [
			{ id: 'WH-1', event_type: 'A', resource_type: 'B', resource: {} },
		]);
		expect(idempotency(run)[0]).toMatchObject({ key: 'v1:paypal:WH-1', evidence: 'unverified' });
		expect(hints(run)).toEqual([expect.stringMatching(/^PayPal: this preset is not verified/)]);
	});

	it('Provider Preset uses the preset that was chosen', async () => {
		const run = await derive({ source: 'preset', preset: 'telegram' }, [{ update_id: 5, x: 1 }]);
		expect(keys(run)).toEqual(['v1:telegram:5']);
	});

	it('Field or Expression uses one value, normalised on request', async () => {
		const run = await derive(
			{ source: 'field', value: '={{ $json.code }}', valueRules: ['trim', 'upper'] },
			[{ code: ' ab-1 ' }, { code: 'AB-2' }],
		);
		expect(keys(run)).toEqual(['v1:field:AB-1', 'v1:field:AB-2']);
	});

	it('Composite puts values together without ambiguity', async () => {
		const values = [
			{ name: 'order', value: '={{ $json.order }}' },
			{ name: 'status', value: '={{ $json.status }}', rules: ['lower'] },
			{ name: 'shop', value: '={{ $json.shop }}', rules: ['dropEmpty'] },
		];
		const run = await derive({ source: 'composite', components: { values } }, [
			{ order: 'a|b', status: 'PAID' },
			{ order: 'a', status: 'b|paid', shop: 'x' },
		]);
		expect(keys(run)).toEqual(['v1:composite:a%7Cb|paid|', 'v1:composite:a|b%7Cpaid|x']);
		expect(idempotency(run)[0].components).toEqual({ order: 'a|b', status: 'paid' });
	});

	it('Content Hash covers what the sender said, not how it was delivered', async () => {
		const run = await derive({ source: 'content' }, [
			call({ date: '1' }, { a: 1, b: 2 }),
			call({ date: '2' }, { b: 2, a: 1 }),
			call({ date: '3' }, { a: 1, b: 3 }),
		]);
		const [first, second, third] = keys(run);
		expect(first).toMatch(/^v1:content:[0-9a-f]{64}$/);
		expect(second).toBe(first);
		expect(third).not.toBe(first);
		expect(`v1:content:${String(idempotency(run)[0].fingerprint)}`).toBe(first);
	});

	it('Content Hash covers chosen fields, or all but some, after normalising', async () => {
		const items = [
			{ mail: 'Ann@Example.com ', total: '10.50', at: 1 },
			{ mail: 'ann@example.com', total: 10.5, at: 2 },
		];
		const normalise = {
			rules: [
				{ field: 'mail', rules: ['trim', 'lower'] },
				{ field: 'total', rules: ['number'] },
			],
		};
		for (const choice of [
			{ hashFields: 'only', fields: 'mail, total' },
			{ hashFields: 'except', fields: 'at' },
		]) {
			const [first, second] = keys(
				await derive({ source: 'content', ...choice, normalise }, items),
			);
			expect(first).toBe(second);
		}
		const [first, second] = keys(await derive({ source: 'content', normalise }, items));
		expect(first).not.toBe(second);
	});

	it('Schedule Slot names the slot in the time zone of the workflow', async () => {
		const fired = (timestamp: string) => ({ timestamp, 'Readable time': timestamp });
		const run = await derive(
			{ source: 'schedule', slotSize: 15, slotUnit: 'minutes' },
			[fired('2026-11-16T09:30:00.012+01:00'), fired('2026-11-16T09:30:04.900+01:00')],
			{},
			'scheduleTrigger',
		);
		const [first, second] = idempotency(run);
		expect(first.key).toBe('v1:slot:wf1|2026-11-16T09:30+01:00/PT15M');
		expect(second).toEqual(first);
	});

	it('Schedule Slot takes a name and another time zone', async () => {
		const run = await derive(
			{
				source: 'schedule',
				slotUnit: 'days',
				scheduleName: 'nightly',
				timezone: 'Asia/Tokyo',
				scheduledTime: '={{ $json.due }}',
			},
			[{ due: '2026-11-16T20:00:00Z' }],
		);
		expect(keys(run)).toEqual(['v1:slot:nightly|2026-11-17/P1D']);
	});
});

describe('Derive Key: options', () => {
	it('Split Batches gives one item per event', async () => {
		const run = await derive({ options: { splitBatches: true } }, [hubspot(1, 2, 3)]);
		expect(keys(run)).toEqual([1, 2, 3].map((id) => `v1:hubspot:1|2|${id}|3|4|`));
		expect(run.json('Derive Key')[1].body).toEqual([expect.objectContaining({ eventId: 2 })]);
		expect(run.items('Derive Key').map(({ pairedItem }) => pairedItem)).toEqual(
			Array(3).fill({ item: 0 }),
		);
	});

	it('Hash Key hides the value everywhere', async () => {
		const parameters = { source: 'field', value: '={{ $json.mail }}' };
		const hashed = await derive({ ...parameters, options: { hashKey: true } }, [
			{ mail: 'ann@example.com' },
		]);
		const [result] = idempotency(hashed);
		expect(result.key).toMatch(/^v1:field:~[0-9a-f]{64}$/);
		expect(result).not.toHaveProperty('components');
		expect(hints(hashed)).toEqual([]);

		const kept = await derive({ ...parameters, options: { hashKey: true, keepComponents: true } }, [
			{ mail: 'ann@example.com' },
		]);
		expect(idempotency(kept)[0].components).toEqual({ Value: 'ann@example.com' });
	});

	it('Keep Components can be turned off', async () => {
		const run = await derive({ options: { keepComponents: false } }, [push]);
		expect(idempotency(run)[0]).not.toHaveProperty('components');
	});

	it('Fingerprint Fields and Ignored Fields decide what a conflict is', async () => {
		const items = [
			{ id: 1, total: 5, at: 1 },
			{ id: 1, total: 5, at: 2 },
			{ id: 1, total: 6, at: 1 },
		];
		const prints = async (options: IDataObject) =>
			idempotency(
				await derive(
					{ source: 'field', value: '={{ $json.id }}', options: options as INodeParameters },
					items,
				),
			).map(({ fingerprint }) => fingerprint);

		expect(new Set(await prints({})).size).toBe(3);
		for (const options of [{ fingerprintFields: 'total' }, { fingerprintIgnoredFields: 'at' }]) {
			const [first, second, third] = await prints(options);
			expect(second).toBe(first);
			expect(third).not.toBe(first);
		}
	});
});
