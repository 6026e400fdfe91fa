/** What people and n8n repeat by hand: a node's retries, a failed execution, a run from the editor. */
import { until } from '../servers/ServerProcess';
import { events } from './findings';
import { deliver } from './sender';
import { Stage, type StageLedger } from './Stage';

let stage: Stage;
let place: StageLedger;
beforeAll(async () => {
	stage = await Stage.open({ mode: 'regular' });
	place = await stage.ledger('embedded');
});
afterAll(() => stage?.close());

it('"Retry On Fail" on every node of ours: done once', async () => {
	const { url, workflowId } = await stage.publish('02-order-invoice-email', place, (workflow) => {
		for (const node of workflow.nodes) {
			if (node.type.startsWith('n8n-nodes-idempotency.')) {
				Object.assign(node, { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 });
			}
		}
	});
	stage.world.refuse('invoices', 1, 422);
	const answer = await deliver(url, { orderId: 'H1', amount: 9, email: 'kim@example.com' });
	expect(answer).toMatchObject({ status: 200, body: { status: 'invoiced' } });
	expect(stage.world.of('invoices')).toHaveLength(1);
	expect((await events(place.ledger, workflowId)).get('H1')).toMatchObject({
		state: 'done',
		attempt: 1,
	});
});

it('a failed execution retried through the API goes on where it failed', async () => {
	const { url, workflowId } = await stage.publish('02-order-invoice-email', place);
	stage.world.refuse('mail', 1, 400);
	const order = { orderId: 'H2', amount: 9, email: 'kim@example.com' };
	expect((await deliver(url, order)).status).toBe(500);
	const [failed] = await stage.n8n.api.executions(workflowId, 'error');
	const sentBefore = stage.world.of('mail').length;

	const retryId = await stage.n8n.api.retry(failed.id);
	await until('the retry to end', async () => {
		expect((await stage.n8n.api.execution(retryId)).status).toBe('success');
	});
	const ofOrder = (service: string) =>
		stage.world.of(service).filter(({ body }) => body.orderId === 'H2');
	expect(ofOrder('invoices')).toHaveLength(1);
	expect(ofOrder('mail')).toHaveLength(1);
	expect(stage.world.of('mail')).toHaveLength(sentBefore + 1);
	expect((await events(place.ledger, workflowId)).get('H2')).toMatchObject({ state: 'done' });
	expect((await deliver(url, order)).status).toBe(200);
	expect(ofOrder('mail')).toHaveLength(1);
});

it('a finished workflow run again from the editor does nothing again', async () => {
	const { workflowId } = await stage.publish('04-daily-order-sync', place);
	stage.world.offer('shop', { orders: [{ number: 'H3', updatedAt: '2026-11-16', items: 1 }] });
	for (let run = 1; run <= 3; run++) {
		const id = await stage.n8n.api.runFrom(workflowId, 'Run by Hand');
		await until('the run to end', async () => {
			expect((await stage.n8n.api.execution(id)).status).toBe('success');
		});
		expect(stage.world.of('warehouse')).toHaveLength(1);
	}
});
