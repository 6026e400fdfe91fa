import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { MarkStepDone } from '../../nodes/MarkStepDone/MarkStepDone.node';
import {
	claim,
	claimStep,
	complete,
	counter,
	deliver,
	eventFlow,
	idempotency,
	outcomes,
	stepDone,
	withOutputs,
} from './events';
import { defineNode, type NodeSpec } from './harness';
import { type LedgerUnderTest, onEmbeddedLedger, onEveryLedger } from './ledgers';

const stopHere = { name: 'Stop', type: 'stopAndError' };

function mark(operation: string, parameters: IDataObject = {}): NodeSpec {
	return { name: 'Mark', type: 'markStepDone', parameters: { operation, ...parameters } };
}

async function stored({ ledger }: LedgerUnderTest, namespace: string, key: string) {
	const [found] = await ledger.get([{ namespace, key }]);
	return found!;
}

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

onEveryLedger((on) => {
	it('records a step with its output, external ID and how to undo it', async () => {
		const parameters = {
			externalId: '={{ $json.id }}-x',
			output: '={{ { total: 3 } }}',
			options: { undo: '{ "refund": "ch_1" }' },
		};
		const flow = eventFlow([claim(), stepDone('charge', parameters)]);
		const run = await deliver(on, flow, [{ id: 'a' }], { executionId: '3' });
		expect(run.error).toBeUndefined();
		const [before] = idempotency(run, 'Claim Event');
		expect(idempotency(run, 'charge Done')).toEqual([
			{
				...before,
				state: 'processing',
				repeated: false,
				leaseUntil: expect.any(String) as string,
				step: {
					name: 'charge',
					outcome: 'done',
					state: 'done',
					externalId: 'a-x',
					output: { total: 3 },
					finishedAt: expect.any(String) as string,
				},
			},
		]);
		expect((await stored(on, flow.id, 'a')).steps).toMatchObject([
			{
				name: 'charge',
				state: 'done',
				executionId: '3',
				externalId: 'a-x',
				output: { total: 3 },
				undo: { refund: 'ch_1' },
			},
		]);
	});

	it('changes nothing when it is repeated', async () => {
		const again = { ...stepDone('s', { output: '={{ { n: 2 } }}' }), name: 'Again' };
		const flow = eventFlow([
			claim(),
			stepDone('s', { output: '={{ { n: 1 } }}' }),
			again,
			complete({ result: '={{ { n: 1 } }}' }),
			{ ...complete({ result: '={{ { n: 2 } }}' }), name: 'Complete Again' },
		]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		expect(run.error).toBeUndefined();
		expect(idempotency(run, 'Again')).toMatchObject([{ repeated: true }]);
		expect(idempotency(run, 'Complete Again')).toMatchObject([{ repeated: true, state: 'done' }]);
		const { event, steps } = await stored(on, flow.id, 'a');
		expect(steps[0].output).toEqual({ n: 1 });
		expect(event.result).toEqual({ n: 1 });
	});

	it('says of a claim that was taken over who has it now', async () => {
		let takeOver: () => Promise<unknown>;
		const slow = defineNode('slow', async function () {
			await takeOver();
			return [this.getInputData()];
		});
		const flow = eventFlow([
			claim({ onStopped: 'takeover' }),
			{ name: 'Slow', type: 'slow' },
			complete(),
		]);
		const nodes = [slow];
		takeOver = async () => {
			takeOver = async () => {};
			await on.expireLease({ namespace: flow.id, key: 'a' });
			const next = await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: 'second' });
			expect(next.status).toBe('success');
		};
		const zombie = await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: 'first' });
		expect(zombie.status).toBe('error');
		expect(zombie.error?.message).toMatch(
			/^The claim on 'a' is no longer held by this run: attempt 2 of execution second took over at 2.* and the event is 'done'$/,
		);
		expect(zombie.error?.description).toMatch(/^Nothing was changed/);
		expect((await stored(on, flow.id, 'a')).event.executionId).toBe('second');
	});

	it.each([
		['failed', 'retry', 0],
		['review', 'review', 2],
	])('fails an event as %s', async (failAs, outcome, output) => {
		const flow = withOutputs([claim(), mark('failEvent', { failAs, reason: 'Out of stock' })]);
		await deliver(on, flow, [{ id: 'a' }]);
		expect((await stored(on, flow.id, 'a')).event).toMatchObject({
			state: failAs,
			reason: 'Out of stock',
		});
		expect(outcomes(await deliver(on, flow, [{ id: 'a' }]))[output]).toEqual([outcome]);
	});

	it('renews a lease', async () => {
		const flow = eventFlow([
			claim({ leaseMinutes: 1 }),
			mark('renewLease', { options: { leaseMinutes: 120 } }),
		]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		const until = (node: string) => Date.parse(String(idempotency(run, node)[0].leaseUntil));
		expect(until('Mark') - until('Claim Event')).toBeGreaterThan(100 * 60_000);
	});

	it('fails everything that an execution holds, from an error workflow', async () => {
		const flow = withOutputs([claim(), stopHere]);
		const failed = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { executionId: 'dead-1' });
		const report = {
			execution: { id: 'dead-1', error: { message: failed.error?.message } },
			workflow: { id: flow.id },
		};
		const errorFlow = eventFlow([
			{ name: 'On Error', type: 'errorTrigger' },
			mark('failExecution'),
		]);
		const run = await deliver(on, errorFlow, [report], { startNode: 'On Error', mode: 'error' });
		expect(run.error).toBeUndefined();
		expect(run.json('Mark')).toEqual([
			{
				...report,
				failedEvents: ['a', 'b'].map((key) => ({
					namespace: flow.id,
					key,
					state: 'failed',
					attempt: 1,
				})),
			},
		]);
		expect((await stored(on, flow.id, 'b')).event.reason).toBe('Stopped on purpose');
		expect(outcomes(await deliver(on, flow, [{ id: 'a' }]))[0]).toEqual(['retry']);
	});

	it('runs a step once, gives its output to repeats, and asks when it is in doubt', async () => {
		const effect = counter('effect');
		let crash = true;
		const crashing = defineNode('crashing', async function () {
			if (crash) throw new NodeOperationError(this.getNode(), 'Killed');
			return [this.getInputData()];
		});
		const flow = eventFlow(
			[
				claim({ onStopped: 'takeover' }),
				claimStep('mail'),
				{ name: 'Effect', type: 'effect' },
				{ name: 'Crashing', type: 'crashing' },
				stepDone('mail'),
				{ name: 'In Doubt', type: 'noOp' },
			],
			[
				['Webhook', 'Claim Event'],
				['Claim Event', 'Claim mail'],
				['Claim mail', 'Effect'],
				['Effect', 'Crashing'],
				['Crashing', 'mail Done'],
				['Claim mail', 'In Doubt', 2],
			],
		);
		const nodes = [effect.node, crashing];
		const dead = await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: '1' });
		expect(idempotency(dead, 'Claim mail')).toMatchObject([
			{ claimed: true, step: { name: 'mail', outcome: 'run', state: 'started' } },
		]);
		crash = false;
		await on.expireLease({ namespace: flow.id, key: 'a' });
		const doubtful = await deliver(on, flow, [{ id: 'a' }], { nodes });
		expect(effect.seen).toEqual(['a']);
		expect(idempotency(doubtful, 'In Doubt')).toMatchObject([
			{
				claimed: false,
				step: { name: 'mail', outcome: 'in_doubt' },
				reason: "Step 'mail' was started by attempt 1 of execution 1 and not finished",
			},
		]);
		expect(idempotency(doubtful, 'In Doubt')[0]).not.toHaveProperty('token');
		expect((await stored(on, flow.id, 'a')).event.state).toBe('review');
	});

	it('ends the event of a business key together with the first', async () => {
		const options = { businessKey: '={{ $json.order }}' };
		const flow = eventFlow([claim(options), claimStep('s'), stepDone('s'), complete()]);
		const run = await deliver(on, flow, [
			{ id: 'd', order: 'o' },
			{ id: 'e', order: 'p' },
		]);
		expect(run.error).toBeUndefined();
		for (const key of ['o', 'p']) {
			const { event } = await stored(on, `${flow.id} (business key)`, key);
			expect(event.state).toBe('done');
		}
	});

	describe('when the business key was taken away', () => {
		const takenAway = async (behind: NodeSpec) => {
			const flow = eventFlow([claim({ businessKey: 'o' }), { name: 'Slow', type: 'slow' }, behind]);
			const address = { namespace: `${flow.id} (business key)`, key: 'o' };
			const slow = defineNode('slow', async function () {
				await on.ledger.failEvents([{ ...address, by: 'operator', as: 'review', reason: 'Stop' }]);
				return [this.getInputData()];
			});
			const run = await deliver(on, flow, [{ id: 'd' }], { nodes: [slow] });
			return { run, ...(await stored(on, flow.id, 'd')) };
		};

		it('does not begin a step', async () => {
			const { run, steps } = await takenAway(claimStep('s'));
			expect(run.error?.message).toMatch("The event 'o' is 'review'");
			expect(steps).toEqual([]);
		});

		it('records what is done all the same, and says so', async () => {
			const { run, event } = await takenAway(complete());
			expect(run.error?.message).toMatch("The event 'o' is 'review'");
			expect(event.state).toBe('done');
		});
	});
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

	it.each([
		['={{ $json }}', { id: 'a', n: 1 }],
		['={{ JSON.stringify($json) }}', { id: 'a', n: 1 }],
		['={{ { deep: [$json] } }}', { deep: [{ id: 'a', n: 1 }] }],
	])('never stores a token: %s', async (result, expected) => {
		const flow = eventFlow([claim(), complete({ result })]);
		const run = await deliver(on, flow, [{ id: 'a', n: 1 }]);
		expect(run.error).toBeUndefined();
		expect((await stored(on, flow.id, 'a')).event.result).toEqual(expected);
	});

	it('never stores what proved who sent the request', async () => {
		const flow = eventFlow([claim(), complete()]);
		const headers = { authorization: 'Bearer x', 'x-api-key': 'y', 'content-type': 'text/plain' };
		await deliver(on, flow, [{ id: 'a', headers }]);
		expect((await stored(on, flow.id, 'a')).event.result).toEqual({
			id: 'a',
			headers: { 'content-type': 'text/plain' },
		});
	});

	it('says which field is not JSON', async () => {
		const flow = eventFlow([claim(), complete({ result: '{ "a": }' })]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		expect(run.error?.message).toBe("'Result' is not valid JSON");
	});

	it('takes the reason from what an error output gives', async () => {
		const declined = defineNode('declined', async function () {
			const error = new NodeOperationError(this.getNode(), 'Card declined');
			return [this.getInputData().map(({ json }, item) => ({ json, error, pairedItem: { item } }))];
		});
		const charge = { name: 'Charge', type: 'declined', onError: 'continueErrorOutput' as const };
		const flow = eventFlow(
			[claim(), charge, mark('failEvent')],
			[
				['Webhook', 'Claim Event'],
				['Claim Event', 'Charge'],
				['Charge', 'Mark', 1],
			],
		);
		const run = await deliver(on, flow, [{ id: 'a' }], { nodes: [declined] });
		expect(run.error).toBeUndefined();
		expect((await stored(on, flow.id, 'a')).event.reason).toBe('Card declined');
	});

	it('refuses to complete what is not known to be finished', async () => {
		const flow = eventFlow([claim(), claimStep('mail'), complete()]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		expect(run.error?.message).toMatch("not known to be finished: 'mail'");
	});

	it('says that an error report without an execution names none', async () => {
		const errorFlow = eventFlow([
			{ name: 'On Error', type: 'errorTrigger' },
			mark('failExecution'),
		]);
		const run = await deliver(on, errorFlow, [{ trigger: {} }], { startNode: 'On Error' });
		expect(run.error?.message).toBe("The 'Execution ID' is empty");
	});

	it('with Continue set gives out what failed as errors and writes the rest', async () => {
		const flow = eventFlow([
			claim(),
			{ name: 'Strip One', type: 'strip' },
			{ ...complete(), onError: 'continueRegularOutput' },
		]);
		const strip = defineNode('strip', async function () {
			const items = this.getInputData();
			return [[items[0], { json: {} }, { json: {} }]];
		});
		const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes: [strip] });
		expect(run.status).toBe('success');
		const error = 'No claim was found for this item';
		expect(run.json('Complete').slice(1)).toEqual([{ error }, { error }]);
		expect(await done(flow.id, 'a')).toBe('done');
	});

	it('gives an agent only what became of the event', async () => {
		const asTool = new MarkStepDone();
		asTool.description = { ...asTool.description, name: 'markStepDoneTool' };
		const flow = eventFlow([claim(), { ...complete(), type: 'markStepDoneTool' }]);
		const run = await deliver(on, flow, [{ id: 'a' }], { nodes: [asTool] });
		expect(run.json('Complete')).toEqual([
			{ namespace: flow.id, key: 'a', state: 'done', repeated: false },
		]);
	});
});
