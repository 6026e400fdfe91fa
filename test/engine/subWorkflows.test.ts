import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	claim,
	claimStep,
	complete,
	counter,
	deliver,
	eventFlow,
	idempotency,
	OUR_NODES,
	outcomes,
	stepDone,
	stored,
} from './events';
import { defineNode, type EngineRun, type NodeSpec, retryExecution, workflow } from './harness';
import type { WorkflowJson } from './harness/workflow';
import { onEmbeddedLedger } from './ledgers';

function sub(...specs: NodeSpec[]): WorkflowJson & { id: string } {
	const trigger = { name: 'When Called', type: 'executeWorkflowTrigger' };
	return { ...workflow([trigger, ...specs]), id: randomUUID() };
}

function call({ id }: { id: string }): NodeSpec {
	return { name: 'Call', type: 'executeWorkflow', parameters: { workflowId: id } };
}

const fail = defineNode('fail', async () => await Promise.reject(new Error('Down')));

onEmbeddedLedger((on) => {
	it('works on what its caller has claimed, and the caller goes on', async () => {
		const effect = counter('effect');
		const child = sub(claimStep('s'), { name: 'Effect', type: 'effect' }, stepDone('s'));
		const flow = eventFlow([claim(), call(child), complete({ result: '={{ { ok: true } }}' })]);
		const items = [{ id: 'a' }, { id: 'b' }];
		const options = { nodes: [effect.node], subWorkflows: [child] };
		const run = await deliver(on, flow, items, options);
		expect(run.error).toBeUndefined();
		expect(effect.seen).toEqual(['a', 'b']);
		for (const key of ['a', 'b']) {
			const { event, steps } = await stored(on, flow.id, key);
			expect(event).toMatchObject({ state: 'done', attempt: 1, executionId: run.executionId });
			expect(steps).toMatchObject([{ name: 's', state: 'done' }]);
		}
	});

	it('works at any depth, and through a workflow that knows nothing of it', async () => {
		const inner = sub(complete());
		const middle = sub({ name: 'Pass', type: 'noOp' }, call(inner));
		const flow = eventFlow([claim(), call(middle)]);
		const run = await deliver(on, flow, [{ id: 'a' }], { subWorkflows: [inner, middle] });
		expect(run.error).toBeUndefined();
		expect((await stored(on, flow.id, 'a')).event.state).toBe('done');
	});

	it('claims the event of its caller once more in the name of the caller', async () => {
		const child = sub(claim({ namespace: '={{ $json.idempotency.namespace }}' }), stepDone('s'));
		const flow = eventFlow([claim(), call(child), complete()]);
		const subRuns: EngineRun[] = [];
		const run = await deliver(on, flow, [{ id: 'a' }], { subWorkflows: [child], subRuns });
		expect(outcomes(subRuns[0])).toEqual([['resumed'], [], []]);
		expect(run.error).toBeUndefined();
		expect((await stored(on, flow.id, 'a')).event).toMatchObject({
			state: 'done',
			attempt: 2,
			executionId: run.executionId,
		});
	});

	it('takes up a step that an earlier call left, when the caller is retried by hand', async () => {
		const child = sub(claimStep('s'), { name: 'Fail', type: 'fail' });
		const flow = eventFlow([claim(), call(child)]);
		const subRuns: EngineRun[] = [];
		const options = { nodes: [fail], subWorkflows: [child], subRuns };
		const failed = await deliver(on, flow, [{ id: 'a' }], options);
		expect(failed.error?.message).toBe('Down');
		await retryExecution(failed, { nodes: [...OUR_NODES, fail] });
		expect(subRuns).toHaveLength(2);
		expect(idempotency(subRuns[1], 'Claim s', 2)).toMatchObject([
			{ claimed: false, step: { outcome: 'in_doubt' } },
		]);
	});

	it('keeps its own claims to itself: the caller finds its own behind it', async () => {
		const inner = claim({}, { parameters: { key: '={{ $json.id + " inner" }}' } });
		const child = sub(inner, complete());
		const flow = eventFlow([claim(), call(child), complete()]);
		const run = await deliver(on, flow, [{ id: 'a' }], { subWorkflows: [child] });
		expect(run.error).toBeUndefined();
		expect((await stored(on, flow.id, 'a')).event.state).toBe('done');
		expect((await stored(on, child.id, 'a inner')).event.state).toBe('done');

		const alone = eventFlow([call(sub()), complete()]);
		const claiming = sub(claim());
		alone.nodes[1].parameters = { workflowId: claiming.id };
		const refused = await deliver(on, alone, [{ id: 'b' }], { subWorkflows: [claiming] });
		expect(refused.error?.message).toMatch(/^The claim on 'b' that this item shows belongs to/);
	});

	it('has no say over claims of executions that did not call it', async () => {
		const victim = await deliver(on, eventFlow([claim()]), [{ id: 'a' }]);
		const [shown] = idempotency(victim, 'Claim Event');
		const child = sub(complete());
		const forging = eventFlow([
			claim({}, { parameters: { key: 'own' } }),
			{ name: 'Forge', type: 'forge' },
			call(child),
		]);
		const forge = defineNode('forge', async () => [
			[{ json: { idempotency: shown } as IDataObject }],
		]);
		const options = { nodes: [forge], subWorkflows: [child] };
		const run = await deliver(on, forging, [{ id: 'b' }], options);
		expect(run.error?.message).toMatch(/^The claim on 'a' that this item shows belongs to/);
	});
});
