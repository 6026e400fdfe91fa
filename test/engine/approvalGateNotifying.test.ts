import { approvalGate, approvals, arrive, AtGate, gateFlow } from './gates';
import { claim, claimStep, complete, deliver, OUR_NODES, outcomes, stepDone } from './events';
import { retryExecution, runWorkflow, workflow } from './harness';
import { useInbox } from './inbox';
import { onEmbeddedLedger, onEveryLedger } from './ledgers';

const inbox = useInbox();

function tellingGate(parameters = {}) {
	return approvalGate({ notify: 'json', webhookUrl: inbox.url, ...parameters });
}

const ITEM = { id: 'a', amount: 600 };

onEveryLedger((on) => {
	it('posts the request once, and once more when the execution that had the links is gone', async () => {
		const flow = gateFlow(tellingGate());
		const first = await arrive(on, flow);
		expect(inbox.messages).toMatchObject([
			{ event: 'approval_requested', title: 'Refund', amount: '600' },
		]);
		expect((await first.get(inbox.links.anyone)).response.status).toBe(200);

		// The execution dies. The next delivery of the event finds the request, and has links of its own.
		await on.ledger.releaseEvents([{ namespace: flow.id, key: 'a', by: 'operator' }]);
		const second = await arrive(on, flow);
		expect(inbox.messages).toHaveLength(2);
		expect(inbox.messages[1].requests).toEqual(inbox.messages[0].requests);
		const { continued } = await second.decide('approved', {}, inbox.links.anyone);
		expect(approvals(continued, 1)).toMatchObject([{ decision: 'approved' }]);
		expect(inbox.messages).toHaveLength(2);
	});

	it('does not lose a request that could not be posted', async () => {
		const flow = gateFlow(tellingGate());
		inbox.status = 500;
		const failed = await deliver(on, flow, [ITEM]);
		expect(failed.status).toBe('error');
		expect(failed.error!.message).toMatch(/could not be posted to the json webhook \(500\)/);
		expect(failed.error!.message).not.toContain(inbox.url);
		inbox.status = 200;
		const retried = await retryExecution(failed);
		expect(retried.status).toBe('waiting');
		expect(inbox.messages).toHaveLength(1);
		expect((await new AtGate(retried).decide('approved')).continued!.status).toBe('success');
	});
});

onEmbeddedLedger((on) => {
	it('does not post again for an execution that comes by twice, nor where links outlive executions', async () => {
		const byKey = { key: '={{ $json.id }}' };
		for (const options of [byKey, { ...byKey, pageUrl: 'https://n8n.example/webhook/approvals' }]) {
			inbox.messages.length = 0;
			const flow = gateFlow(tellingGate({ options }));
			flow.connections.Webhook = { main: [[{ node: 'Gate', type: 'main', index: 0 }]] };
			const isPermanent = 'pageUrl' in options;
			for (const executionId of ['1', isPermanent ? '2' : '1']) {
				expect((await deliver(on, flow, [ITEM], { executionId })).status).toBe('waiting');
			}
			expect(inbox.messages).toHaveLength(1);
		}
	});

	const request = approvalGate({ operation: 'request' }, { name: 'Request', id: 'request-id' });

	it('Request creates the request, says whether to send it, and gives the link of the gate that waits', async () => {
		const flow = gateFlow(approvalGate(), [request]);
		const at = await arrive(on, flow);
		const [{ approvalUrl, isNew, decision }] = approvals(at.run, 0, 'Request');
		expect({ isNew, decision }).toEqual({ isNew: true, decision: 'pending' });
		expect(new URL(String(approvalUrl)).pathname).toBe(
			`/webhook-waiting/${at.run.executionId}/gate-id`,
		);
		const { continued } = await at.decide('approved', {}, String(approvalUrl));
		expect(approvals(continued, 1)).toMatchObject([{ decision: 'approved', decidedBy: 'Olga' }]);

		await on.ledger.releaseEvents([{ namespace: flow.id, key: 'a', by: 'operator' }]);
		const again = await deliver(on, flow, [ITEM]);
		expect(approvals(again, 0, 'Request')).toMatchObject([{ isNew: false, decision: 'approved' }]);
		expect(again.status).toBe('success');
	});

	it('Request does not make the event wait: the link can be sent by a guarded step', async () => {
		const flow = gateFlow(approvalGate(), [request, claimStep('mail'), stepDone('mail')]);
		const at = await arrive(on, flow);
		expect(at.run.json('mail Done')).toHaveLength(1);
		expect((await at.decide('approved')).continued!.json('Approved')).toHaveLength(1);
	});

	it('Request says so when no gate comes after it', async () => {
		const flow = gateFlow(approvalGate({ gate: 'another' }), [request]);
		const run = await deliver(on, flow, [ITEM]);
		expect(run.error!.message).toBe(
			"No Approval Gate that waits at 'approval' comes after this node",
		);
	});

	const pageUrl = 'https://n8n.example/webhook/approvals';

	/** The workflow that serves the page: GET and POST. */
	async function servePage(flowId: string, visit: 'show' | 'decide', query: object, body = {}) {
		const serve = {
			name: 'Serve Page',
			type: 'approvalGate',
			parameters: { operation: 'servePage', visit },
		};
		const flow = {
			...workflow([{ name: 'Webhook', type: 'webhook' }, serve]),
			id: `${flowId}-page`,
		};
		const items = [{ headers: {}, query, body }] as never;
		const run = await runWorkflow(flow, { credentials: on.credentials, nodes: OUR_NODES, items });
		expect(run.error).toBeUndefined();
		return run.json('Serve Page')[0] as { statusCode: number; body: string };
	}

	it('Serve Page makes links that work before, during and after the wait', async () => {
		const options = { pageUrl };
		const asks = approvalGate({ operation: 'request', options }, { name: 'Request' });
		const before = gateFlow(approvalGate({ options }), [
			asks,
			{ name: 'Stop', type: 'stopAndError', disabled: false },
		]);
		const stopped = await deliver(on, before, [ITEM]);
		const url = new URL(String(approvals(stopped, 0, 'Request')[0].approvalUrl));
		expect(url.origin + url.pathname).toBe(pageUrl);
		const query = Object.fromEntries(url.searchParams);

		// Nobody waits yet.
		const shown = await servePage(before.id, 'show', query);
		expect(shown.statusCode).toBe(200);
		const token = /name="token" value="([^"]+)"/.exec(shown.body)![1];
		const form = { token, name: 'Olga', decision: 'approved' };
		// What only shows never decides, whatever it is sent.
		const looked = await servePage(before.id, 'show', query, form);
		expect(looked.body).toContain('name="token"');
		const decided = await servePage(before.id, 'decide', query, form);
		expect(decided.body).toContain('APPROVED');

		// The gate finds the decision, and the link still tells it.
		const flow = { ...gateFlow(approvalGate({ options })), id: before.id };
		await on.ledger.releaseEvents([{ namespace: flow.id, key: 'a', by: 'operator' }]);
		const run = await deliver(on, flow, [ITEM]);
		expect(approvals(run, 1)).toMatchObject([{ decision: 'approved', decidedBy: 'Olga' }]);
		expect((await servePage(flow.id, 'show', query)).body).toContain('APPROVED');
		expect((await servePage(flow.id, 'show', {})).statusCode).toBe(403);
	});

	it('Serve Page continues the execution that waits', async () => {
		const flow = gateFlow(tellingGate({ options: { pageUrl } }));
		const at = await arrive(on, flow);
		const query = Object.fromEntries(new URL(inbox.links.anyone).searchParams);
		const { body } = await servePage(flow.id, 'show', query);
		const token = /name="token" value="([^"]+)"/.exec(body)![1];
		await servePage(flow.id, 'decide', query, { token, name: 'Olga', decision: 'approved' });

		const history = await on.ledger.history({ namespace: flow.id, key: 'a' });
		const awaited = history.find(({ kind }) => kind === 'approval_awaited')!;
		// The page has called this address; n8n's server is not here, so the test does what it does.
		const { continued } = await at.execution.visit(awaited.reason!, { method: 'POST' });
		expect(approvals(continued, 1)).toMatchObject([{ decision: 'approved' }]);
	});

	it('the address that continues shows nothing and decides nothing', async () => {
		const flow = gateFlow(tellingGate({ options: { pageUrl } }));
		const at = await arrive(on, flow);
		const history = await on.ledger.history({ namespace: flow.id, key: 'a' });
		const { reason } = history.find(({ kind }) => kind === 'approval_awaited')!;
		for (const method of ['GET', 'POST'] as const) {
			const visited = await at.execution.visit(reason!, {
				method,
				body: { decision: 'approved', name: 'x' },
			});
			expect(visited.continued).toBeUndefined();
			expect(visited.response.body).not.toContain('Refund');
		}
	});

	it('works without Claim Event by a key, and remembers the decision beside the events', async () => {
		const gate = approvalGate({ options: { key: '={{ $json.id }}' } });
		const flow = gateFlow(gate);
		flow.connections.Webhook = { main: [[{ node: 'Gate', type: 'main', index: 0 }]] };
		const at = await arrive(on, flow);
		await at.decide('rejected');
		const again = await deliver(on, flow, [ITEM]);
		expect(approvals(again, 0)).toMatchObject([{ decision: 'rejected', decidedBy: 'Olga' }]);
		// An event with the same key is still new.
		expect(await on.ledger.get([{ namespace: flow.id, key: 'a' }])).toEqual([undefined]);
	});

	it('what has the same business key waits along with it', async () => {
		const flow = gateFlow();
		const { parameters } = claim({ businessKey: 'order 1' });
		flow.nodes[1] = { ...flow.nodes[1], parameters: parameters! };
		const at = await arrive(on, flow);
		const twice = await deliver(on, flow, [{ id: 'b', amount: 600 }]);
		expect(outcomes(twice)[1]).toEqual(['waiting']);
		expect((await at.decide('approved')).continued!.error).toBeUndefined();
		const after = await deliver(on, flow, [{ id: 'b', amount: 600 }]);
		expect(outcomes(after)[1]).toEqual(['in_progress']);
	});

	it('an approved event is worked on and completed like any other', async () => {
		const flow = gateFlow();
		flow.nodes.push({ ...workflow([complete()]).nodes[0], id: 'complete' });
		flow.connections.Approved = { main: [[{ node: 'Complete', type: 'main', index: 0 }]] };
		const { continued } = await (await arrive(on, flow)).decide('approved');
		expect(continued!.error).toBeUndefined();
		const [found] = await on.ledger.get([{ namespace: flow.id, key: 'a' }]);
		expect(found!.event.state).toBe('done');
	});
});
