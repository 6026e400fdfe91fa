import { NodeOperationError, type IDataObject } from 'n8n-workflow';

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
	stored,
	withOutputs,
} from './events';
import { defineNode, type NodeSpec } from './harness';
import { onEmbeddedLedger, onEveryLedger } from './ledgers';

const stopHere = { name: 'Stop', type: 'stopAndError' };

function mark(operation: string, parameters: IDataObject = {}): NodeSpec {
	return { name: 'Mark', type: 'markStepDone', parameters: { operation, ...parameters } };
}

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
		expect((await stored(on, flow.id, 'a')).event.state).toBe('review');
	});
});

onEmbeddedLedger((on) => {
	const done = async (namespace: string, key: string) =>
		(await stored(on, namespace, key)).event.state;
	it.each([
		['={{ $json }}', { id: 'a', n: 1 }],
		['={{ JSON.stringify($json) }}', { id: 'a', n: 1 }],
		['={{ { deep: [$json] } }}', { deep: [{ id: 'a', n: 1 }] }],
	])('never stores the claim: %s', async (result, expected) => {
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

	it('refuses to complete what is not done', async () => {
		const flow = eventFlow([claim(), claimStep('mail'), complete()]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		expect(run.error?.message).toMatch("not done: 'mail'");
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
