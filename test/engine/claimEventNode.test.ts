import { join } from 'node:path';

import { ExecuteContext, loadOutputSchema } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import {
	claim,
	claimStep,
	complete,
	deliver,
	eventFlow,
	idempotency,
	outcomes,
	stepDone,
	stored,
	withOutputs,
} from './events';
import { onEmbeddedLedger } from './ledgers';

onEmbeddedLedger((on) => {
	it('does not wait for an event of its own execution', async () => {
		const flow = withOutputs([claim({ waitSeconds: 3600 })]);
		const run = await deliver(on, flow, [{ id: 'a' }, { id: 'a' }]);
		expect(outcomes(run)).toEqual([['new'], ['in_progress'], []]);
	});

	it('answers the webhook with the stored result if nothing is new', async () => {
		const flow = withOutputs([
			claim({ answerWebhook: true }),
			complete({ result: '={{ { invoice: 7 } }}' }),
		]);
		expect((await deliver(on, flow, [{ id: 'a' }])).responses).toEqual([]);
		const headers = { 'content-type': 'application/json', 'idempotent-replayed': 'true' };
		const again = await deliver(on, flow, [{ id: 'a' }]);
		expect(again.responses).toEqual([{ statusCode: 200, headers, body: { invoice: 7 } }]);
		const mixed = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }]);
		expect(mixed.responses).toEqual([]);
		const both = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }]);
		expect(both.responses).toMatchObject([{ body: [{ invoice: 7 }, { invoice: 7 }] }]);
	});

	it.each([
		['text', '"done"', '"done"'],
		['a number', '5', '5'],
		['nothing', '', { status: 'duplicate', key: 'a', reason: undefined }],
	])('answers the webhook with JSON when the result is %s', async (_, result, body) => {
		const flow = withOutputs([claim({ answerWebhook: true }), complete({ result })]);
		await deliver(on, flow, [{ id: 'a' }]);
		const again = await deliver(on, flow, [{ id: 'a' }]);
		expect(again.responses).toMatchObject([{ statusCode: 200, body }]);
	});

	it('evaluates no parameter more often than once per item, and a plain field never', async () => {
		const read = jest.spyOn(ExecuteContext.prototype as never, '_getNodeParameter');
		const flow = withOutputs([
			claim({ businessKey: '={{ $json.id.trim() }}' }),
			stepDone('s'),
			complete(),
		]);
		try {
			const run = await deliver(on, flow, [{ id: 'once-1' }, { id: 'once-2' }]);
			expect(run.error).toBeUndefined();
			const seen = (read.mock.calls as unknown[][]).flatMap(([name, itemIndex, , options], i) => {
				const { node } = read.mock.contexts[i] as unknown as { node: { name: string } };
				const { rawExpressions } = (options ?? {}) as { rawExpressions?: boolean };
				return rawExpressions ? [] : [[node.name, name, itemIndex].join(' ')];
			});
			expect(seen).toEqual(expect.arrayContaining(['Claim Event options 1', 'Complete result 1']));
			expect(seen).not.toContain('Claim Event key 1');
			expect(seen.filter((name, i) => seen.indexOf(name) !== i)).toEqual([]);
		} finally {
			read.mockRestore();
		}
	});

	it('is told what a missing or broken key is, and claims nothing', async () => {
		const flow = withOutputs([claim()]);
		for (const [id, message] of [
			[undefined, 'The key is empty'],
			['', 'The key is empty'],
			[{ a: 1 }, 'The key is empty'],
			['x'.repeat(513), 'The key has 513 characters; the limit is 512'],
		] as const) {
			const run = await deliver(on, flow, [{ id: 'fine' }, { id } as IDataObject]);
			expect(run.error?.message).toMatch(message);
			expect(run.error?.context?.itemIndex).toBe(1);
		}
		expect(await stored(on, flow.id, 'fine')).toBeUndefined();
		expect(outcomes(await deliver(on, flow, [{ id: 5 }]))[0]).toEqual(['new']);
		expect((await stored(on, flow.id, '5')).event.key).toBe('5');
	});

	it.each([
		[{ businessKey: '={{ $json.nothing }}' }, "The option 'Business Key' is empty"],
		[{ namespace: '={{ $json.nothing }}' }, "The 'Namespace' has no value"],
		[{ order: { values: { object: 'o', version: '' } } }, "The 'Version' is ''"],
		[{ order: { values: { object: '', version: '1' } } }, 'The object is empty'],
		[{ maxAttempts: 0 }, 'The maximum number of attempts is 0'],
	])('refuses %j', async (options, message) => {
		const run = await deliver(on, withOutputs([claim(options as IDataObject)]), [{ id: 'a' }]);
		expect(run.error?.message).toMatch(message);
	});

	it('forgets what an earlier claim left on the item', async () => {
		const other = claim({}, { name: 'Other', parameters: { key: 'other' } });
		const flow = eventFlow([claim(), stepDone('x'), other]);
		await deliver(on, flow, [{ id: 'a' }]);
		const run = await deliver(on, flow, [{ id: 'b' }]);
		expect(idempotency(run, 'Other', 1)).toHaveLength(1);
		const [left] = idempotency(run, 'Other', 1);
		expect(Object.keys(left).sort()).toEqual(
			['attempt', 'claimed', 'first', 'httpStatus', 'key', 'namespace', 'outcome'].sort(),
		);
	});

	it.each([
		['claimEvent', 'Claim Event'],
		['claimStep', 'Claim s'],
	])('has an output schema that knows all that %s gives out', async (operation, node) => {
		const nodeDir = join(__dirname, '../../nodes/ClaimEvent');
		const schema = loadOutputSchema({ nodeDir, version: 1, operation }) as {
			properties: { idempotency: { properties: Record<string, { properties?: object }> } };
		};
		const flow = eventFlow([
			claim({ businessKey: '={{ $json.id }}', maxAttempts: 1 }),
			claimStep('s'),
			stepDone('s', { externalId: 'x' }),
			complete(),
		]);
		const known = schema.properties.idempotency.properties;
		const items = [
			{ id: operation, idempotency: { fingerprint: '1' } },
			{ id: `${operation} 2`, idempotency: { fingerprint: '1' } },
		];
		const runs = [await deliver(on, flow, items), await deliver(on, flow, items)];
		const given = runs
			.filter((run) => run.nodes.includes(node))
			.flatMap((run) => [0, 1].flatMap((output) => idempotency(run, node, output)));
		expect(given.length).toBeGreaterThan(1);
		const ofClaimEvent = ['attempt', 'fingerprint', 'leaseUntil', 'outcome', 'sameContentAs'];
		for (const fields of given) {
			for (const [name, value] of Object.entries(fields)) {
				if (!(name in known)) expect(ofClaimEvent).toContain(name);
				const inside = known[name]?.properties;
				if (inside)
					expect(Object.keys(inside)).toEqual(expect.arrayContaining(Object.keys(value as object)));
			}
		}
	});

	it('gives an agent one summary, on the only output that it hears', async () => {
		const tool = { ...claim(), type: 'claimEventTool' };
		const { ClaimEvent } = await import('../../nodes/ClaimEvent/ClaimEvent.node');
		const asTool = new ClaimEvent();
		asTool.description = { ...asTool.description, name: 'claimEventTool' };
		const run = await deliver(on, eventFlow([tool]), [{ id: 'a' }, { id: 'a' }], {
			nodes: [asTool],
		});
		expect(run.json('Claim Event')).toEqual([
			{
				summary: '1 new, 1 in progress',
				events: [
					{ key: 'a', outcome: 'new', claimed: true },
					{ key: 'a', outcome: 'in_progress', claimed: false },
				],
			},
		]);
	});
});
