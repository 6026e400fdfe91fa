import type { INodeExecutionData } from 'n8n-workflow';

import { claim, complete, deliver, eventFlow, idempotency, stepDone, stored } from './events';
import { defineNode } from './harness';
import { onEmbeddedLedger } from './ledgers';

/** Makes new items, linked to those before, that keep nothing of them. */
const forgetful = defineNode('forgetful', async function () {
	return [this.getInputData().map((_, item) => ({ json: { fresh: true }, pairedItem: { item } }))];
});

/** Aggregate: one item that is linked to all before. */
const aggregate = defineNode('aggregate', async function () {
	const pairedItem = this.getInputData().map((_, item) => ({ item }));
	return [[{ json: { all: true }, pairedItem }]];
});

/** A Code node that links nothing, and more items than there were, so that n8n cannot guess either. */
const unlinked = defineNode('unlinked', async function () {
	const items = this.getInputData().map(() => ({ json: {} })) as INodeExecutionData[];
	return [[...items, { json: {} }]];
});

onEmbeddedLedger((on) => {
	const done = async (namespace: string, key: string) =>
		(await stored(on, namespace, key)).event.state;

	describe('finds the claim', () => {
		const guard = claim({}, { name: 'Gate Keeper' });

		it('through nodes that keep nothing of the items, and whatever they are called', async () => {
			const flow = eventFlow([guard, { name: 'Lost', type: 'forgetful' }, complete()]);
			const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes: [forgetful] });
			expect(run.error).toBeUndefined();
			expect(idempotency(run, 'Complete')).toMatchObject([{ key: 'a' }, { key: 'b' }]);
		});

		it('through Merge', async () => {
			const flow = eventFlow(
				[
					guard,
					{ name: 'Lost', type: 'forgetful' },
					{ name: 'Lost Too', type: 'forgetful' },
					{ name: 'Merge', type: 'merge' },
					stepDone('s'),
				],
				[
					['Webhook', 'Gate Keeper'],
					['Gate Keeper', 'Lost'],
					['Gate Keeper', 'Lost Too'],
					['Lost', 'Merge', 0, 0],
					['Lost Too', 'Merge', 0, 1],
					['Merge', 's Done'],
				],
			);
			const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes: [forgetful] });
			expect(run.error).toBeUndefined();
			expect(idempotency(run, 's Done').map(({ key, repeated }) => [key, repeated])).toEqual([
				['a', false],
				['b', false],
				['a', true],
				['b', true],
			]);
		});

		it('through Loop Over Items, with the claim before the loop', async () => {
			const flow = eventFlow(
				[
					guard,
					{ name: 'Loop', type: 'splitInBatches', parameters: { batchSize: 1 } },
					{ name: 'Lost', type: 'forgetful' },
					complete(),
				],
				[
					['Webhook', 'Gate Keeper'],
					['Gate Keeper', 'Loop'],
					['Loop', 'Lost', 1],
					['Lost', 'Complete'],
					['Complete', 'Loop'],
				],
			);
			const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes: [forgetful] });
			expect(run.error).toBeUndefined();
			expect(run.runs('Complete')).toBe(2);
			expect(await done(flow.id, 'a')).toBe('done');
			expect(await done(flow.id, 'b')).toBe('done');
		});

		it('through Loop Over Items, with the claim in the loop', async () => {
			const flow = eventFlow(
				[
					{ name: 'Loop', type: 'splitInBatches', parameters: { batchSize: 1 } },
					guard,
					{ name: 'Lost', type: 'forgetful' },
					complete(),
				],
				[
					['Webhook', 'Loop'],
					['Loop', 'Gate Keeper', 1],
					['Gate Keeper', 'Lost'],
					['Lost', 'Complete'],
					['Complete', 'Loop'],
				],
			);
			const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes: [forgetful] });
			expect(run.error).toBeUndefined();
			expect(run.runs('Complete')).toBe(2);
			expect(idempotency(run, 'Complete', 0, 1)).toMatchObject([{ key: 'b', repeated: false }]);
		});

		it('through Split Out, and back together', async () => {
			const flow = eventFlow([
				guard,
				{ name: 'Split Out', type: 'splitOut', parameters: { fieldToSplitOut: 'lines' } },
				{ name: 'Line', type: 'forgetful' },
				stepDone('s'),
				{ name: 'Aggregate', type: 'aggregate' },
				complete(),
			]);
			const items = [{ id: 'a', lines: [{ n: 1 }, { n: 2 }] }];
			const run = await deliver(on, flow, items, { nodes: [forgetful, aggregate] });
			expect(run.error).toBeUndefined();
			expect(run.items('s Done')).toHaveLength(2);
			expect(idempotency(run, 'Complete')).toMatchObject([{ key: 'a', state: 'done' }]);
		});

		it('of the nearest of several Claim Event nodes', async () => {
			const inner = claim({}, { name: 'Inner', parameters: { key: '={{ $json.id }}-inner' } });
			const flow = eventFlow([guard, inner, { name: 'Lost', type: 'forgetful' }, complete()]);
			const run = await deliver(on, flow, [{ id: 'a' }], { nodes: [forgetful] });
			expect(run.error).toBeUndefined();
			expect(await done(flow.id, 'a-inner')).toBe('done');
			expect(await done(flow.id, 'a')).toBe('processing');
		});

		it('and says so when an item has several', async () => {
			const inner = claim({}, { name: 'Inner', parameters: { key: '={{ $json.id }}-inner' } });
			const outer = claim({}, { name: 'Outer', parameters: { key: 'outer' } });
			const flow = eventFlow([
				outer,
				{ name: 'Split Out', type: 'splitOut', parameters: { fieldToSplitOut: 'lines' } },
				inner,
				{ name: 'Aggregate', type: 'aggregate' },
				complete(),
			]);
			const items = [{ lines: [{ id: 'a' }, { id: 'b' }] }];
			const run = await deliver(on, flow, items, { nodes: [aggregate] });
			expect(run.error?.message).toMatch("made of several items of 'Inner'");
			// Not that of the one before, which is not what was meant.
			expect(await done(flow.id, 'outer')).toBe('processing');
		});

		it('by its key, where nothing links the items', async () => {
			const nodes = [unlinked];
			const unaided = eventFlow([guard, { name: 'Lost', type: 'unlinked' }, complete()]);
			const items = [{ id: 'a' }, { id: 'b' }];
			const lost = await deliver(on, unaided, items, { nodes });
			expect(lost.error?.message).toBe('No claim was found for this item');

			const byKey = complete({ options: { key: '={{ $("Webhook").first().json.id }}' } });
			const aided = eventFlow([guard, { name: 'Lost', type: 'unlinked' }, byKey]);
			const run = await deliver(on, aided, items, { nodes });
			expect(run.error).toBeUndefined();
			expect(await done(aided.id, 'a')).toBe('done');

			const foreign = eventFlow([guard, complete({ options: { key: 'other' } })]);
			const refused = await deliver(on, foreign, [{ id: 'a' }]);
			expect(refused.error?.message).toMatch("This execution holds no claim on 'other'");
		});
	});
});
