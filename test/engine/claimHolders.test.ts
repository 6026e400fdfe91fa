import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { RecordLedger } from '../../ledger/RecordLedger';
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
import { defineNode, type EngineRun, retryExecution } from './harness';
import { onEmbeddedLedger } from './ledgers';

/** A node that fails until it is repaired. */
function breaking() {
	const repair = { isDone: false };
	const node = defineNode('breaking', async function () {
		if (!repair.isDone) throw new NodeOperationError(this.getNode(), 'Down');
		return [this.getInputData()];
	});
	return { node, repair: () => void (repair.isDone = true) };
}

/** What an item shows of a claim that another execution has. */
function shownBy(run: EngineRun): IDataObject {
	const { namespace, key, attempt, executionId } = idempotency(run, 'Claim Event')[0];
	return { namespace, key, attempt, executionId, claimed: true };
}

// What an execution may write to is decided by this package alone: one kind of ledger is enough.
onEmbeddedLedger((on) => {
	describe('an execution that is retried by hand', () => {
		it('finds its own claim again', async () => {
			const { node, repair } = breaking();
			const flow = withOutputs([claim(), { name: 'Work', type: 'breaking' }, complete()]);
			const failed = await deliver(on, flow, [{ id: 'a' }], { nodes: [node] });
			expect(failed.error?.message).toBe('Down');
			repair();
			const retried = await retryExecution(failed);
			expect(retried.status).toBe('success');
			expect((await stored(on, flow.id, 'a')).event).toMatchObject({ state: 'done', attempt: 1 });
		});

		it('claims again when Claim Event itself is retried', async () => {
			const flow = withOutputs([claim({ waitSeconds: 5 }), complete()]);
			await deliver(on, { ...flow, nodes: flow.nodes.slice(0, 2) }, [{ id: 'taken' }]);
			// The claims are made; then, while it waits for the other run, the ledger goes away.
			const cutOff = jest
				.spyOn(RecordLedger.prototype, 'get')
				.mockRejectedValueOnce(new Error('Cut off'));
			const failed = await deliver(on, flow, [{ id: 'b' }, { id: 'taken' }]);
			cutOff.mockRestore();
			expect(failed.error?.message).toBe('Cut off');
			const instant = withOutputs([claim()]);
			const other = await deliver(on, { ...instant, id: flow.id }, [{ id: 'b' }]);
			expect(outcomes(other)[1]).toEqual(['in_progress']);

			const taken = { namespace: flow.id, key: 'taken' };
			await on.ledger.completeEvents([{ ...taken, by: 'olga', reason: 'Looked it up' }]);
			const retried = await retryExecution(failed);
			expect(retried.error).toBeUndefined();
			expect(idempotency(retried, 'Claim Event')).toMatchObject([
				{ outcome: 'resumed', attempt: 2, executionId: retried.executionId },
			]);
			expect((await stored(on, flow.id, 'b')).event.state).toBe('done');
		});

		it('takes a step that was cut off for one in doubt, and not for one in progress', async () => {
			const { node, repair } = breaking();
			const flow = eventFlow([claim(), claimStep('mail'), { name: 'Mail', type: 'breaking' }]);
			const failed = await deliver(on, flow, [{ id: 'a' }], { nodes: [node] });
			repair();
			const { executionData, resultData } = failed.data;
			// As after a crash: n8n starts at the node before.
			delete resultData.runData['Claim mail'];
			const [entry] = executionData!.nodeExecutionStack;
			entry.node = { ...entry.node, ...failed.workflow.nodes[2] } as never;
			const retried = await retryExecution(failed);
			expect(idempotency(retried, 'Claim mail', 2)).toMatchObject([
				{ claimed: false, step: { outcome: 'in_doubt' } },
			]);
		});
	});

	it('is resumed at a second Claim Event by the claim that the item shows', async () => {
		const second = { ...claim(), name: 'Second' };
		const flow = eventFlow([claim(), second, complete()]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		expect(outcomes(run, 'Second')).toEqual([['resumed'], [], []]);
		expect(idempotency(run, 'Complete')).toMatchObject([{ state: 'done', attempt: 2 }]);
	});

	it('is not the execution of another n8n that has the same number', async () => {
		const flow = withOutputs([claim()]);
		const first = await deliver(on, flow, [{ id: 'a' }], { executionId: '57' });
		const clone = await deliver(on, flow, [{ id: 'a' }], { executionId: '57' });
		expect(outcomes(first)[0]).toEqual(['new']);
		expect(outcomes(clone)).toEqual([[], ['in_progress'], []]);
	});

	it('has no say over the claim of another one, whatever a sender writes into its item', async () => {
		const flow = withOutputs([claim()]);
		const victim = await deliver(on, flow, [{ id: 'a' }], { executionId: '57' });
		const item = { id: 'a', idempotency: shownBy(victim) };
		const options = { executionId: '57' };
		for (const node of [complete(), stepDone('s'), claimStep('s')]) {
			const { id } = flow;
			const forged = await deliver(on, { ...eventFlow([node]), id }, [item], options);
			expect(forged.error?.message).toBe(
				"The claim on 'a' that this item shows belongs to execution 57 and not to this one",
			);
		}
		expect(outcomes(await deliver(on, flow, [item], options))).toEqual([[], ['in_progress'], []]);
		const behind = await deliver(
			on,
			eventFlow([claim({}, { parameters: { key: 'own' } }), complete()]),
			[item],
		);
		expect(idempotency(behind, 'Complete')).toMatchObject([{ key: 'own', state: 'done' }]);
		const { event, steps } = await stored(on, flow.id, 'a');
		expect(event).toMatchObject({ state: 'processing', attempt: 1 });
		expect(steps).toEqual([]);
	});

	it('writes nothing into its items that would give somebody a right', async () => {
		const flow = eventFlow([claim({ businessKey: 'b' }), claimStep('s'), stepDone('s')]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		const { flow: kept } = run.data.executionData!.contextData as Record<string, IDataObject>;
		const [{ nonce }] = kept.idempotencyExecutions as IDataObject[];
		expect(nonce).toMatch(/^[\w-]{22}$/);
		expect(JSON.stringify(run.data.resultData)).not.toContain(String(nonce));
		expect(JSON.stringify(kept)).not.toContain(run.data.resumeToken);
	});

	it('finds each of 1,500 claims by its key, after items and links are lost', async () => {
		const keys = Array.from({ length: 1500 }, (_, i) => `k${i}`);
		const unlinked = defineNode('unlinked', async function () {
			const ids = this.getInputData().map(({ json }) => ({ json: { id: json.id } }));
			return [[...ids.reverse(), { json: { id: 'k0' } }]];
		});
		const flow = eventFlow([
			claim(),
			{ name: 'Lost', type: 'unlinked' },
			complete({ options: { key: '={{ $json.id }}' } }),
		]);
		const items = keys.map((id) => ({ id }));
		const run = await deliver(on, flow, items, { nodes: [unlinked] });
		expect(run.error).toBeUndefined();
		const { events } = await on.ledger.stats({ namespace: flow.id });
		expect(events).toMatchObject({ done: 1500, processing: 0 });
	});
});
