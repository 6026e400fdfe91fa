/** Every example is imported as it is and does what its notes say, repeated and cut off. */
import { EXAMPLES, readExample } from '../../scripts/n8n/examples';
import { until } from '../servers/ServerProcess';
import { events } from './findings';
import { approve, openPage } from './refunds';
import { deliver } from './sender';
import { nodeOf, Stage, type StageLedger } from './Stage';

let stage: Stage;
let place: StageLedger;
beforeAll(async () => {
	stage = await Stage.open({ mode: 'regular' });
	place = await stage.ledger('embedded');
});
afterAll(() => stage?.close());

it.each(EXAMPLES)('%s carries no credentials and explains itself', (example) => {
	const { nodes } = readExample(example);
	expect(nodes.filter((node) => node.credentials)).toEqual([]);
	expect(nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote').length).toBeGreaterThan(
		1,
	);
});

it('1: a repeat is answered with the first result; the same order with other content needs review', async () => {
	const { url } = await stage.publish('01-webhook-dedupe', place);
	const first = await deliver(url, { orderId: 'E1', amount: 42 });
	expect(first).toEqual({
		status: 200,
		body: { status: 'created', order: stage.world.of('shop')[0].id },
	});
	expect(await deliver(url, { orderId: 'E1', amount: 42 })).toEqual(first);
	expect(await deliver(url, { orderId: 'E1', amount: 43 })).toMatchObject({
		status: 422,
		body: { status: 'conflict' },
	});
	expect(stage.world.of('shop')).toHaveLength(1);
});

it('2 and 5: the next delivery after a failure goes on where it stopped', async () => {
	const errorWorkflow = await stage.publish('05-error-workflow', place);
	const { url, workflowId } = await stage.publish('02-order-invoice-email', place, (workflow) => {
		workflow.settings = { ...workflow.settings, errorWorkflow: errorWorkflow.workflowId };
	});
	const order = { orderId: 'E2', amount: 9, email: 'kim@example.com' };
	// The invoices recover by themselves, because repeating is safe there; the email is refused for good.
	stage.world.refuse('invoices', 2);
	stage.world.refuse('mail', 1, 400);
	expect((await deliver(url, order)).status).toBe(500);

	// Example 5 lets go of the claim, and says so.
	await until('the error workflow to fail the claim', async () => {
		const found = await events(place.ledger, workflowId);
		expect(found.get('E2')).toMatchObject({ state: 'failed' });
		expect(stage.world.of('chat')).toHaveLength(1);
	});
	const [invoice] = stage.world.of('invoices');
	const answer = await deliver(url, order);
	const [mail] = stage.world.of('mail');
	expect(answer).toEqual({
		status: 200,
		body: { status: 'invoiced', order: 'E2', message: mail.id },
	});
	expect(mail.body).toMatchObject({ to: 'kim@example.com', subject: `Your invoice ${invoice.id}` });
	expect(stage.world.of('invoices')).toHaveLength(1);
	expect(await deliver(url, order)).toEqual(answer);
	expect(stage.world.of('mail')).toHaveLength(1);
});

it('2: an email that may have been sent is not sent again; a person is asked', async () => {
	const { url, workflowId } = await stage.publish('02-order-invoice-email', place);
	const order = { orderId: 'E2b', amount: 9, email: 'kim@example.com' };
	stage.world.refuse('mail', 1, 502);
	const before = stage.world.of('mail').length;
	for (let delivery = 1; delivery <= 2; delivery++) {
		expect((await deliver(url, order)).status).toBe(202);
		expect((await events(place.ledger, workflowId)).get('E2b')).toMatchObject({ state: 'review' });
		expect(stage.world.of('mail')).toHaveLength(before);
	}
});

it('3: the model is asked once and its answer is the one that reaches the CRM', async () => {
	const { url } = await stage.publish('03-typeform-ai-crm', place, (workflow) => {
		nodeOf(workflow, 'Create Lead').retryOnFail = true;
	});
	const response = {
		event_id: 'e3',
		event_type: 'form_response',
		form_response: {
			form_id: 'f',
			token: 'tok-3',
			answers: [{ type: 'text', text: 'A quote, please' }],
		},
	};
	stage.world.refuse('crm', 1);
	const first = await deliver(url, response);
	expect(first).toMatchObject({ status: 200, body: { status: 'saved' } });
	expect(await deliver(url, response)).toEqual(first);
	expect(stage.world.of('openai')).toHaveLength(1);
	expect(stage.world.of('crm').map(({ body }) => body)).toEqual([
		{ source: 'tok-3', category: 'sales openai-1' },
	]);
});

it('4: each order is sent once per version; what was refused is tried again', async () => {
	const { workflowId } = await stage.publish('04-daily-order-sync', place);
	const orders = [1, 2, 3].map((number) => ({
		number: `S-${number}`,
		updatedAt: '2026-11-16T06:00:00Z',
		items: number,
	}));
	stage.world.offer('shop', { orders });
	const sent = () => stage.world.of('warehouse').map(({ body }) => body.order);
	const run = async () => {
		const id = await stage.n8n.api.runFrom(workflowId, 'Run by Hand');
		await until('the run to end', async () => {
			expect((await stage.n8n.api.execution(id)).status).toBe('success');
		});
	};

	stage.world.refuse('warehouse', 1, 422);
	await run();
	expect(sent()).toHaveLength(2);
	await run();
	expect(sent().sort()).toEqual(['S-1', 'S-2', 'S-3']);
	await run();
	expect(sent()).toHaveLength(3);
	orders[1].updatedAt = '2026-11-17T06:00:00Z';
	await run();
	expect(sent().slice(3)).toEqual(['S-2']);
});

it('6: a small refund is paid at once, a large one when two people have approved', async () => {
	const { url } = await stage.publish('06-refund-two-approvers', place);
	const request = {
		orderNumber: '4711',
		customer: 'Ada',
		reason: 'Never arrived',
		currency: 'EUR',
	};
	const paid = () => stage.world.of('bank').map(({ body }) => body.amount);
	const ask = (id: string, amount: number) =>
		deliver(url, { ...request, id, amount, requestedBy: 'olga@example.com' });

	await ask('R1', 500);
	await until('the small refund', () => expect(paid()).toEqual([500]));

	await ask('R2', 1250);
	await until('three messages', () => expect(approvalLinks()).toHaveLength(3));
	const [olga, paul, rita] = approvalLinks();
	// Who asked for it may not decide.
	expect((await openPage(olga)).html).not.toMatch(/name="token"/);
	await approve(paul);
	expect(paid()).toEqual([500]);
	await approve(rita);
	await until('the large refund', () => expect(paid()).toEqual([500, 1250]));
	await ask('R2', 1250);
	expect(paid()).toHaveLength(2);
});

function approvalLinks(): string[] {
	return stage.world.of('mail').flatMap(({ body }) => (body.text ? [String(body.text)] : []));
}
