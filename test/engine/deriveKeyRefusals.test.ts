import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DeriveKey } from '../../nodes/DeriveKey/DeriveKey.node';
import { runNode, type EngineRun, type NodeSpec, type RunOptions } from './harness';

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

function call(headers: IDataObject, body: unknown): IDataObject {
	return { headers, params: {}, query: {}, body: body as IDataObject };
}

function hubspot(...ids: number[]): IDataObject {
	const event = { portalId: 1, subscriptionId: 2, objectId: 3, occurredAt: 4 };
	const body = ids.map((eventId) => ({ ...event, eventId, subscriptionType: 'deal.creation' }));
	return call({ 'x-hubspot-signature': 's' }, body);
}

describe('Derive Key: what it refuses', () => {
	it.each<[string, INodeParameters, IDataObject, RegExp, RegExp]>([
		['nobody known', {}, { id: 1 }, /sender of this event was not recognised/, /'Source'/],
		[
			'another sender than chosen',
			{ source: 'preset', preset: 'stripe' },
			{ id: 'ch_1', object: 'charge' },
			/does not look like an event from Stripe/,
			/The preset looks for: body id/,
		],
		[
			'a trigger that drops the id',
			{ source: 'preset', preset: 'typeform' },
			{ name: 'Ann' },
			/does not look like an event from Typeform/,
			/'Only Answers' is off/,
		],
		[
			'a missing value',
			{ source: 'field', value: '={{ $json.missing }}' },
			{ id: 1 },
			/'Value' is missing/,
			/share one key/,
		],
		[
			'an empty component',
			{
				source: 'composite',
				components: { values: [{ name: 'order', value: '={{ $json.order }}' }] },
			},
			{ order: ' ' },
			/'order' is empty/,
			/share one key/,
		],
		[
			'no component',
			{ source: 'composite', components: { values: [] } },
			{ order: 1 },
			/no component with a value/,
			/at least one field/,
		],
		[
			'an object',
			{ source: 'field', value: '={{ $json.order }}' },
			{ order: { id: 1 } },
			/'Value' is an object, but a single value is needed/,
			/Content Hash/,
		],
		[
			'a missing field of the content',
			{ source: 'content', hashFields: 'only', fields: 'id, total' },
			{ id: 1 },
			/'total' is missing or empty/,
			/Drop If Empty/,
		],
		[
			'no fields',
			{ source: 'content', hashFields: 'only', fields: ' , ' },
			{ id: 1 },
			/'Fields' is empty/,
			/separated by commas/,
		],
		[
			'a run without its time',
			{ source: 'schedule' },
			{ id: 1 },
			/scheduled time '' is not a date/,
			/'timestamp'/,
		],
		['several events in one request', {}, hubspot(1, 2), /carries 2 events/, /'Split Batches'/],
	])('%s', async (_what, parameters, item, message, description) => {
		const run = await derive(parameters, [item]);
		expect(run.status).toBe('error');
		expect(run.error?.name).toBe('NodeOperationError');
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(description);
		expect(run.error?.context?.itemIndex).toBe(0);
	});

	it('names the item', async () => {
		const run = await derive({ source: 'field', value: '={{ $json.id }}' }, [{ id: 1 }, {}]);
		expect(run.error?.context?.itemIndex).toBe(1);
	});
});

describe('Derive Key: when the workflow is to continue', () => {
	const parameters = { source: 'field', value: '={{ $json.id }}' };
	const items = [{ id: 1 }, { other: true }, { id: 3 }];

	it('only the item without a key carries the reason', async () => {
		const run = await derive(parameters, items, { onError: 'continueRegularOutput' });
		expect(run.status).toBe('success');
		const [first, second, third] = run.items('Derive Key');
		expect(first.json.idempotency).toMatchObject({ key: 'v1:field:1' });
		expect(second).toMatchObject({
			json: { error: "The component 'Value' is missing" },
			pairedItem: { item: 1 },
		});
		expect(second.json).not.toHaveProperty('idempotency');
		expect(third.json.idempotency).toMatchObject({ key: 'v1:field:3' });
	});

	it('also if a setting is wrong for all of them', async () => {
		const wrong = { source: 'content', hashFields: 'only', fields: ' ' };
		const run = await derive(wrong, items, { onError: 'continueRegularOutput' });
		expect(run.json('Derive Key')).toEqual(Array(3).fill({ error: "'Fields' is empty" }));
	});

	it('it goes to the error output if there is one', async () => {
		const run = await derive(parameters, items, { onError: 'continueErrorOutput' });
		expect(keys(run)).toEqual(['v1:field:1', 'v1:field:3']);
		expect(run.json('Derive Key', 1)).toEqual([{ error: "The component 'Value' is missing" }]);
	});
});
