import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { Client } from 'pg';

import { RecordLedger } from '../../ledger/RecordLedger';
import {
	claim,
	claimStep,
	complete,
	counter,
	deliver,
	eventFlow,
	gate,
	idempotency,
	outcomes,
	stepDone,
	stored,
	withOutputs,
} from './events';
import { defineNode } from './harness';
import { onEveryLedger } from './ledgers';

const stopHere = { name: 'Stop', type: 'stopAndError' };

onEveryLedger((on) => {
	it('lets the first delivery through and says what it holds', async () => {
		const work = counter();
		const flow = withOutputs([claim(), { name: 'Work', type: 'work' }]);
		const item = {
			id: 'evt-1',
			headers: { authorization: 'Bearer x', 'X-Gitlab-Token': 'y', 'content-type': 'text/plain' },
			body: { total: 3 },
		};
		const run = await deliver(on, flow, [item], { nodes: [work.node], executionId: '7' });

		expect(run.error).toBeUndefined();
		expect(work.seen).toEqual(['evt-1']);
		expect(run.nodes).not.toContain('Duplicate');
		expect(run.json('Claim Event')).toEqual([
			{
				...item,
				idempotency: {
					namespace: flow.id,
					key: 'evt-1',
					outcome: 'new',
					claimed: true,
					attempt: 1,
					executionId: '7',
					leaseUntil: expect.stringMatching(/^2.*Z$/) as string,
				},
			},
		]);
		expect(run.hints('Claim Event')).toEqual([
			{ message: '1 new', type: 'info', location: 'outputPane' },
		]);
		expect(run.metadata).toEqual({ idempotency_key: 'evt-1', idempotency_outcome: '1 new' });

		const { event } = await stored(on, flow.id, 'evt-1');
		expect(event).toMatchObject({ state: 'processing', executionId: '7', workflowId: flow.id });
		// For recovery, and without what proves who the sender is.
		expect(event.input).toEqual({ ...item, headers: { 'content-type': 'text/plain' } });
	});

	it('holds a redelivery back while the first one is running', async () => {
		const work = gate('work');
		const flow = withOutputs([claim(), { name: 'Work', type: 'work' }, complete()]);
		const first = deliver(on, flow, [{ id: 'a' }], { nodes: [work.node], executionId: '1' });
		await work.reached;

		const second = await deliver(on, flow, [{ id: 'a' }], { nodes: [work.node] });
		expect(outcomes(second)).toEqual([[], ['in_progress'], []]);
		expect(second.nodes).not.toContain('Work');
		expect(idempotency(second, 'Duplicate')).toEqual([
			{
				namespace: flow.id,
				key: 'a',
				outcome: 'in_progress',
				claimed: false,
				attempt: 1,
				httpStatus: 202,
				first: {
					executionId: '1',
					executionUrl: `http://localhost:5678/workflow/${flow.id}/executions/1`,
					state: 'processing',
					createdAt: expect.any(String) as string,
					claimedAt: expect.any(String) as string,
					leaseUntil: expect.any(String) as string,
					lastSeenAt: expect.any(String) as string,
					duplicates: 1,
				},
			},
		]);
		work.open();
		expect((await first).status).toBe('success');
	});

	it('gives every redelivery of a finished event the stored result', async () => {
		const flow = withOutputs([
			claim(),
			complete({ result: '={{ { invoice: $json.id + "-i" } }}' }),
		]);
		await deliver(on, flow, [{ id: 'a' }], { executionId: '1' });
		for (const duplicates of [1, 2]) {
			const again = await deliver(on, flow, [{ id: 'a', changed: duplicates }]);
			expect(outcomes(again)).toEqual([[], ['duplicate'], []]);
			const [{ result, httpStatus, first }] = idempotency(again, 'Duplicate');
			expect(result).toEqual({ invoice: 'a-i' });
			expect(httpStatus).toBe(200);
			expect(first).toMatchObject({ executionId: '1', state: 'done', duplicates });
			expect((first as IDataObject).doneAt).toEqual(expect.any(String));
		}
	});

	it('takes over from a run that stopped midway, and skips its finished steps', async () => {
		const charge = counter('charge');
		const mail = counter('mail');
		let crash = true;
		const crashing = defineNode('crashing', async function () {
			if (crash) throw new NodeOperationError(this.getNode(), 'Killed');
			return [this.getInputData()];
		});
		const flow = eventFlow(
			[
				claim({ onStopped: 'takeover' }),
				claimStep('charge'),
				{ name: 'Charge', type: 'charge' },
				stepDone('charge', { externalId: 'ch_1', output: '={{ { charge: "ch_1" } }}' }),
				{ name: 'Crashing', type: 'crashing' },
				{ name: 'Mail', type: 'mail' },
				complete(),
			],
			[
				['Webhook', 'Claim Event'],
				['Claim Event', 'Claim charge'],
				['Claim charge', 'Charge'],
				['Charge', 'charge Done'],
				['charge Done', 'Crashing'],
				['Claim charge', 'Crashing', 1],
				['Crashing', 'Mail'],
				['Mail', 'Complete'],
			],
		);
		const nodes = [charge.node, mail.node, crashing];
		const dead = await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: '1' });
		expect(dead.error?.message).toBe('Killed');
		expect((await deliver(on, flow, [{ id: 'a' }], { nodes })).nodes).not.toContain('Crashing');

		crash = false;
		await on.expireLease({ namespace: flow.id, key: 'a' });
		const next = await deliver(on, flow, [{ id: 'a' }], { nodes });
		expect(next.error).toBeUndefined();
		expect(idempotency(next, 'Claim Event')).toMatchObject([
			{
				outcome: 'recovered',
				attempt: 2,
				steps: { charge: { state: 'done', externalId: 'ch_1', output: { charge: 'ch_1' } } },
			},
		]);
		expect(idempotency(next, 'Claim charge', 1)).toMatchObject([
			{ claimed: true, step: { name: 'charge', outcome: 'done', output: { charge: 'ch_1' } } },
		]);
		expect(charge.seen).toEqual(['a']);
		expect(mail.seen).toEqual(['a']);
		expect((await stored(on, flow.id, 'a')).event.state).toBe('done');
	});

	it('asks a person about a run that stopped midway, unless told otherwise', async () => {
		const flow = withOutputs([claim(), stopHere]);
		await deliver(on, flow, [{ id: 'a' }], { executionId: '17' });
		await on.expireLease({ namespace: flow.id, key: 'a' });
		const next = await deliver(on, flow, [{ id: 'a' }]);
		expect(outcomes(next)).toEqual([[], [], ['review']]);
		expect(idempotency(next, 'Needs Review')).toMatchObject([
			{ claimed: false, reason: 'Attempt 1 of execution 17 stopped before it finished' },
		]);
	});

	it('tries a failed event again, as often as it may', async () => {
		const fail = {
			name: 'Fail',
			type: 'markStepDone',
			parameters: { operation: 'failEvent', reason: 'No answer' },
		};
		const flow = withOutputs([claim({ maxAttempts: 2 }), stepDone('look'), fail]);
		expect(outcomes(await deliver(on, flow, [{ id: 'a' }]))).toEqual([['new'], [], []]);
		const second = await deliver(on, flow, [{ id: 'a' }]);
		expect(idempotency(second, 'Claim Event')).toMatchObject([
			{ outcome: 'retry', attempt: 2, steps: { look: { state: 'done' } } },
		]);
		const third = await deliver(on, flow, [{ id: 'a' }]);
		expect(idempotency(third, 'Needs Review')).toMatchObject([
			{ outcome: 'review', reason: 'All 2 attempts are used up; last: No answer' },
		]);
	});

	it('sends the same key with other content to review', async () => {
		const flow = withOutputs([
			{
				name: 'Derive Key',
				type: 'deriveKey',
				parameters: { source: 'field', value: '={{ $json.id }}' },
			},
			{ ...claim(), parameters: {} },
			complete(),
		]);
		flow.connections['Claim Event'].main.push(
			[{ node: 'Duplicate', type: 'main', index: 0 }],
			[{ node: 'Needs Review', type: 'main', index: 0 }],
		);
		flow.connections['Derive Key'].main.length = 1;
		const first = await deliver(on, flow, [{ id: 'a', total: 1 }]);
		expect(first.error).toBeUndefined();
		expect(outcomes(await deliver(on, flow, [{ total: 1, id: 'a' }]))[1]).toEqual(['duplicate']);
		const other = await deliver(on, flow, [{ id: 'a', total: 2 }]);
		expect(outcomes(other)).toEqual([[], [], ['conflict']]);
		const [conflict] = idempotency(other, 'Needs Review');
		expect(conflict).toMatchObject({ httpStatus: 422, first: { state: 'done' } });
		expect(conflict.reason).toMatch(/was used before for other content/);
		// That of the other content is not this one's.
		expect(conflict).not.toHaveProperty('result');
	});

	it('says so when the same content came under another key', async () => {
		const flow = withOutputs([claim()]);
		const items = ['a', 'b'].map((id) => ({ id, idempotency: { fingerprint: 'same' } }));
		await deliver(on, flow, [items[0]]);
		const run = await deliver(on, flow, [items[1]]);
		expect(idempotency(run, 'Claim Event')).toMatchObject([{ outcome: 'new', sameContentAs: 'a' }]);
		expect(run.hints('Claim Event')[1]).toMatchObject({ type: 'warning' });
	});

	it('skips events that are older than what their object already has', async () => {
		const order = { values: { object: '={{ $json.contact }}', version: '={{ $json.at }}' } };
		const flow = withOutputs([claim({ order })]);
		const of = async (id: string, at: unknown) =>
			outcomes(await deliver(on, flow, [{ id, contact: 'c', at } as IDataObject]));
		expect(await of('1', '2026-01-02T00:00:00+02:00')).toEqual([['new'], [], []]);
		expect(await of('2', '2026-01-01 21:59')).toEqual([[], ['stale'], []]);
		expect(await of('3', '2026-01-01T22:00:00Z')).toEqual([['new'], [], []]);
		expect(await of('4', Date.parse('2026-01-03'))).toEqual([['new'], [], []]);
		const wrong = await deliver(on, flow, [{ id: '5', contact: 'c', at: 'version 12' }]);
		expect(wrong.error?.message).toMatch("The 'Version' is 'version 12'");
	});

	it('lets one of several items with the same key through', async () => {
		const flow = withOutputs([claim(), complete()]);
		await deliver(on, flow, [{ id: 'old' }]);
		const items = ['a', 'b', 'a', 'old', 'b'].map((id, n) => ({ id, n }));
		const run = await deliver(on, flow, items);
		expect(run.json('Claim Event').map(({ n }) => n)).toEqual([0, 1]);
		expect(run.json('Duplicate').map(({ n }) => n)).toEqual([2, 3, 4]);
		expect(outcomes(run)).toEqual([
			['new', 'new'],
			['in_progress', 'duplicate', 'in_progress'],
			[],
		]);
		expect(run.hints('Claim Event')[0].message).toBe('2 new, 2 in progress, 1 duplicate');
		expect(run.items('Duplicate').map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('lets one of two items with the same key in two rounds of a loop through', async () => {
		const work = counter();
		const flow = eventFlow(
			[
				{ name: 'Loop', type: 'splitInBatches', parameters: { batchSize: 1 } },
				claim(),
				{ name: 'Work', type: 'work' },
				{ name: 'Merge', type: 'noOp' },
			],
			[
				['Webhook', 'Loop'],
				['Loop', 'Claim Event', 1],
				['Claim Event', 'Work'],
				['Work', 'Merge'],
				['Claim Event', 'Merge', 1],
				['Merge', 'Loop'],
			],
		);
		const run = await deliver(on, flow, [{ id: 'a' }, { id: 'a' }], { nodes: [work.node] });
		expect(run.error).toBeUndefined();
		expect(run.runs('Claim Event')).toBe(2);
		expect(work.seen).toEqual(['a']);
		expect(run.metadata.idempotency_key).toBe('a');
		expect(run.metadata.idempotency_outcome).toBe('1 new, 1 in progress');
	});

	it('keeps namespaces apart and shares them by name', async () => {
		const shared = { namespace: 'orders' };
		const [one, two, own] = [claim(shared), claim(shared), claim()].map((node) =>
			withOutputs([node]),
		);
		expect(outcomes(await deliver(on, one, [{ id: 'shared' }]))[0]).toEqual(['new']);
		expect(outcomes(await deliver(on, two, [{ id: 'shared' }]))[1]).toEqual(['in_progress']);
		expect(outcomes(await deliver(on, own, [{ id: 'shared' }]))[0]).toEqual(['new']);
	});

	it('costs one call of the ledger for 1,000 items, and one more for each node behind', async () => {
		const calls: string[] = [];
		const operations = ['claimEvents', 'beginSteps', 'finishSteps', 'completeEvents'] as const;
		const spies = operations.map((name) => {
			const original = RecordLedger.prototype[name] as (requests: never[]) => Promise<never[]>;
			return jest.spyOn(RecordLedger.prototype, name).mockImplementation(function (
				this: RecordLedger,
				requests: never,
			) {
				calls.push(`${name} ${(requests as unknown[]).length}`);
				return original.call(this, requests);
			} as never);
		});
		const queries = jest.spyOn(Client.prototype, 'query');
		const flow = withOutputs([claim(), claimStep('s'), stepDone('s'), complete()]);
		const items = Array.from({ length: 1000 }, (_, n) => ({ id: `e${n}` }));
		try {
			const run = await deliver(on, flow, items);
			expect(run.error).toBeUndefined();
			expect(run.items('Complete')).toHaveLength(1000);
			expect(calls).toEqual(operations.map((name) => `${name} 1000`));
			const { store } = on.credentials.idempotencyLedgerApi;
			expect(queries.mock.calls.length).toBe(store === 'postgres' ? 4 : 0);
		} finally {
			for (const spy of [...spies, queries]) spy.mockRestore();
		}
	});
});
