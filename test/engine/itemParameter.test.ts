import type { GenericValue, IDataObject, INodeParameters } from 'n8n-workflow';

import { itemParameter } from '../../nodes/shared/itemParameter';
import { defineNode, runWorkflow, workflow } from './harness';

/** Reads its parameter for every item: as our nodes do, and as n8n says. */
const reader = defineNode(
	'reader',
	async function () {
		const items = this.getInputData();
		const ask = this.getNodeParameter;
		let asked = 0;
		this.getNodeParameter = ((...args: Parameters<typeof ask>) => {
			asked++;
			return ask(...args);
		}) as typeof ask;
		const read = itemParameter(this, 'value', '');
		const values = items.map((item, i) => read(item, i) as GenericValue);
		this.getNodeParameter = ask;
		return [
			items.map((_, i) => ({
				json: { ours: values[i], n8n: ask('value', i, '') as GenericValue, asked },
			})),
		];
	},
	{ properties: [{ displayName: 'Value', name: 'value', type: 'json', default: '' }] },
);

async function read(value: INodeParameters[string], items: IDataObject[]) {
	const flow = workflow([
		{ name: 'Webhook', type: 'webhook' },
		{ name: 'Reader', type: 'reader', parameters: { value } },
	]);
	const run = await runWorkflow(flow, { nodes: [reader], items });
	expect(run.error).toBeUndefined();
	const json = run.json('Reader');
	return {
		ours: json.map(({ ours }) => ours),
		n8n: json.map((each) => each.n8n),
		asked: json[0].asked as number,
	};
}

const items: IDataObject[] = [
	{
		id: 'evt_1',
		count: 0,
		on: false,
		body: { 'order id': 'A', list: [{ sku: 's1' }], deep: { id: 7 } },
	},
	{
		id: '={{ $json.count }}',
		count: 1.5,
		on: true,
		body: { 'order id': '', list: [{ sku: 's2' }], deep: { id: -1 } },
	},
];

describe('A parameter for every item', () => {
	it.each<INodeParameters[string]>([
		'={{ $json.id }}',
		'={{$json.count}}',
		'={{ $json.on }}',
		'={{ $json["id"] }}',
		"={{ $json['body']['order id'] }}",
		'={{ $json.body.list[0].sku }}',
		'={{\n\t$json.body.deep.id\n}}',
		[
			{ name: 'a', value: '={{ $json.id }}' },
			{ name: 'b', value: 'same' },
		],
		{ order: { values: { object: '={{ $json.id }}', version: '={{ $json.count }}' } } },
	])('reads %j from the item, as n8n would', async (value) => {
		const { ours, n8n, asked } = await read(value, items);
		expect(ours).toEqual(n8n);
		// Once, for what is written there.
		expect(asked).toBe(1);
	});

	it.each<INodeParameters[string]>(['same', '', 7, { leaseMinutes: 1 }, ['a', 'b']])(
		'asks n8n once for %j, which has no expression',
		async (value) => {
			const { ours, n8n, asked } = await read(value, items);
			expect(ours).toEqual(n8n);
			expect(asked).toBe(2);
		},
	);

	it.each<INodeParameters[string]>([
		'={{ $json.id + "" }}',
		'={{ $json.id.length }}',
		'={{ $json.body }}',
		'={{ $json.body.list }}',
		'={{ $json.missing }}',
		'={{ $json.missing?.id }}',
		'={{ $json.body["order id"].toUpperCase() }}',
		'=order {{ $json.id }}',
		'={{ $json.id }} ',
		'={{ $json.id }}{{ $json.count }}',
		'={{ $itemIndex }}',
		'={{ $json }}',
		[{ value: '={{ $json.id }}' }, { value: '={{ $json.missing }}' }],
	])('leaves %j to n8n', async (value) => {
		const { ours, n8n, asked } = await read(value, items);
		expect(ours).toEqual(n8n);
		expect(asked).toBe(1 + items.length);
	});

	it('leaves only the items to n8n that have no plain value there', async () => {
		const { ours, n8n, asked } = await read('={{ $json.id }}', [
			{ id: 'evt_1' },
			{ id: null },
			{},
			{ id: { nested: 1 } },
			{ id: 2 },
		]);
		expect(ours).toEqual(n8n);
		expect(asked).toBe(1 + 3);
	});
});
