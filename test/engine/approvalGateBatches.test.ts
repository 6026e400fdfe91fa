import { ApprovalGate } from '../../nodes/ApprovalGate/ApprovalGate.node';
import { deliver } from './events';
import { approvalGate, approvals, arrive, AtGate, gateFlow } from './gates';
import { useInbox } from './inbox';
import { onEmbeddedLedger, onEveryLedger } from './ledgers';

const inbox = useInbox();
const ITEMS = ['a', 'b', 'c'].map((id, i) => ({ id, amount: 100 * (i + 1) }));

onEveryLedger((on) => {
	it('one page for all items: each is decided, then all go on', async () => {
		const at = await arrive(on, gateFlow(), ITEMS);
		const { body } = (await at.get()).response;
		expect(body).toContain('3 requests for approval');
		const first = await at.decide('each', { item0: 'approved', item1: 'rejected', item2: '' });
		expect(first.continued).toBeUndefined();
		expect(first.response.body).toMatch(/APPROVED.*REJECTED/s);
		const { continued } = await at.decide('approved', { name: 'Paul' });
		expect(continued!.json('Approved').map(({ id }) => id)).toEqual(['a', 'c']);
		expect(continued!.json('Not Approved').map(({ id }) => id)).toEqual(['b']);
		expect(approvals(continued, 1).map(({ decidedBy }) => decidedBy)).toEqual(['Olga', 'Paul']);
		expect(continued!.items('Approved').map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
		expect(continued!.items('Gate', 1).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 2 },
		]);
	});

	it('all at once', async () => {
		const at = await arrive(on, gateFlow(), ITEMS);
		const { continued } = await at.decide('approved');
		expect(continued!.json('Approved')).toHaveLength(3);
	});

	it('asks only about what is open, and lets nothing go on before', async () => {
		const flow = gateFlow(approvalGate({ options: { expiresAfterHours: 1 } }));
		await (await arrive(on, flow, [ITEMS[0]])).decide('approved');
		await on.ledger.releaseEvents([{ namespace: flow.id, key: 'a', by: 'operator' }]);
		const at = await arrive(on, flow, ITEMS);
		expect((await at.get()).response.body).toContain('2 requests for approval');
		const late = await at.execution.timeOut();
		expect(late.nodes).not.toContain('Approved');
		expect(approvals(late, 0).map(({ decision, approved }) => [decision, approved])).toEqual(
			Array(3).fill(['expired', false]),
		);
	});
});

onEmbeddedLedger((on) => {
	it('one page per item: a link each', async () => {
		const gate = approvalGate({
			notify: 'json',
			webhookUrl: inbox.url,
			options: { links: 'each' },
		});
		const at = await arrive(on, gateFlow(gate), ITEMS);
		expect(inbox.messages).toHaveLength(3);
		const urls = inbox.messages.map(({ approvalUrl }) => String(approvalUrl));
		expect((await at.decide('approved', {}, urls[0])).continued).toBeUndefined();
		expect((await at.decide('rejected', {}, urls[1])).continued).toBeUndefined();
		const { continued } = await at.decide('approved', {}, urls[2]);
		expect(continued!.json('Approved').map(({ id }) => id)).toEqual(['a', 'c']);
	});

	it('one message for a page of several', async () => {
		const gate = approvalGate({ notify: 'json', webhookUrl: inbox.url });
		await arrive(on, gateFlow(gate), ITEMS);
		expect(inbox.messages).toMatchObject([{ title: '3 requests for approval' }]);
	});

	it('two items with one key are one request, and refused if they are about different things', async () => {
		const flow = gateFlow(approvalGate({ options: { key: 'k' } }));
		flow.connections.Webhook = { main: [[{ node: 'Gate', type: 'main', index: 0 }]] };
		const run = await deliver(on, flow, ITEMS);
		expect(run.error!.message).toContain("Item 0 of the same run has the same key 'k'");
		const at = await arrive(on, flow, [ITEMS[0], ITEMS[0]]);
		const { continued } = await at.decide('approved');
		expect(continued!.json('Approved')).toHaveLength(2);
	});

	it('what cannot be asked about does not go on, where n8n is set to continue', async () => {
		const gate = approvalGate(
			{ title: '={{ $json.title }}' },
			{ onError: 'continueRegularOutput' },
		);
		const items = [
			{ id: 'a', amount: 1, title: 'T' },
			{ id: 'b', amount: 1 },
		];
		const at = new AtGate(await deliver(on, gateFlow(gate), items));
		const { continued } = await at.decide('approved');
		expect(continued!.json('Approved').map(({ id }) => id)).toEqual(['a']);
		expect(approvals(continued, 0)).toMatchObject([
			{
				decision: 'error',
				approved: false,
				reason: expect.stringContaining("'Title' is empty") as string,
			},
		]);
	});

	it('an item that expired while others were decided is not asked anew by the same run', async () => {
		const gate = approvalGate({
			options: { expiresAfterHours: '={{ $json.id === "a" ? 0.00005 : 1 }}' },
		});
		const flow = gateFlow(gate);
		const at = await arrive(on, flow, ITEMS.slice(0, 2));
		await new Promise((resolve) => setTimeout(resolve, 250));
		const { continued } = await at.decide('approved');
		expect(continued!.json('Approved').map(({ id }) => id)).toEqual(['b']);
		expect(approvals(continued, 0)).toMatchObject([{ decision: 'expired', approved: false }]);
	});

	it('as the review step of an agent it needs no key, and says approved at the top', async () => {
		/** As n8n generates it: the same node under another name. */
		class HitlTool extends ApprovalGate {
			constructor() {
				super();
				this.description = { ...this.description, name: 'approvalGateHitlTool' };
			}
		}
		const gate = {
			...approvalGate({ message: 'The agent wants to run this tool: refund, {"amount":600}' }),
			type: 'approvalGateHitlTool',
		};
		for (const decision of ['approved', 'rejected']) {
			const flow = gateFlow(gate);
			flow.connections.Webhook = { main: [[{ node: 'Gate', type: 'main', index: 0 }]] };
			const run = await deliver(on, flow, [{ toolCallId: '1' }], { nodes: [HitlTool] });
			const at = new AtGate(run);
			expect((await at.get()).response.body).toContain('run this tool: refund');
			const { continued } = await at.decide(decision);
			// The agent reads the first item of the first output.
			expect(continued!.json('Gate', 0)).toMatchObject([{ approved: decision === 'approved' }]);
			expect(continued!.items('Gate', 1)).toEqual([]);
			const late = await new AtGate(
				await deliver(on, flow, [{ toolCallId: '1' }], { nodes: [HitlTool] }),
			).execution.timeOut();
			expect(late.json('Gate', 0)).toMatchObject([{ approved: false }]);
		}
	});
});
