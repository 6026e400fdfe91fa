import { approvalGate, approvals, arrive, gateFlow, tokenIn } from './gates';
import { deliver } from './events';
import { onEveryLedger } from './ledgers';

onEveryLedger((on) => {
	it('pauses, shows what is to be approved, and continues through Approved', async () => {
		const flow = gateFlow();
		const gate = await arrive(on, flow);
		expect(gate.run.status).toBe('waiting');
		expect(gate.run.nodes).not.toContain('Not Approved');
		const [before] = await on.ledger.get([{ namespace: flow.id, key: 'a' }]);
		expect(before).toMatchObject({
			event: { state: 'waiting' },
			approvals: [{ state: 'pending' }],
		});

		const shown = await gate.get();
		expect(shown.continued).toBeUndefined();
		expect(shown.response.status).toBe(200);
		expect(shown.response.body).toContain('Refund');
		expect(shown.response.body).toContain('600');

		const { response, continued } = await gate.decide('approved', { comment: 'Fine' });
		expect(response.status).toBe(200);
		expect(response.body).toMatch(
			/APPROVED<\/strong> · by Olga on .*The workflow continues with it/,
		);
		expect(continued!.status).toBe('success');
		expect(continued!.nodes).not.toContain('Not Approved');
		expect(continued!.json('Approved')).toMatchObject([{ id: 'a', amount: 600 }]);
		expect(approvals(continued, 1)).toMatchObject([
			{
				decision: 'approved',
				approved: true,
				decidedBy: 'Olga',
				comment: 'Fine',
				gate: 'approval',
			},
		]);
		expect((await on.ledger.get([{ namespace: flow.id, key: 'a' }]))[0]!.event.state).toBe(
			'processing',
		);
		const kinds = (await on.ledger.history({ namespace: flow.id, key: 'a' })).map(
			({ kind }) => kind,
		);
		expect(kinds).toEqual(['new', 'approval_requested', 'approval_shown', 'approved']);
	});

	it('continues through Not Approved when it is rejected', async () => {
		const gate = await arrive(on, gateFlow());
		const { continued } = await gate.decide('rejected');
		expect(continued!.nodes).not.toContain('Approved');
		expect(approvals(continued, 0)).toMatchObject([{ decision: 'rejected', approved: false }]);
		expect(continued!.items('Not Approved')[0].pairedItem).toEqual({ item: 0 });
	});

	it('lets nobody through when the time is over', async () => {
		const gate = await arrive(on, gateFlow(approvalGate({ options: { expiresAfterHours: 1 } })));
		const late = await gate.execution.timeOut();
		expect(late.status).toBe('success');
		expect(late.nodes).not.toContain('Approved');
		expect(approvals(late, 0)).toMatchObject([{ decision: 'expired', approved: false }]);
		// The node before keeps its data as it was.
		expect(late.json('Claim Event')[0].idempotency).not.toHaveProperty('approval');
	});

	it('uses a decision that was made, and asks anew about changed content', async () => {
		const flow = gateFlow();
		await (await arrive(on, flow)).decide('approved');
		await on.ledger.releaseEvents([{ namespace: flow.id, key: 'a', by: 'operator' }]);
		const again = await deliver(on, flow, [{ id: 'a', amount: 600 }]);
		expect(again.status).toBe('success');
		expect(approvals(again, 1)).toMatchObject([{ decision: 'approved', decidedBy: 'Olga' }]);

		await on.ledger.releaseEvents([{ namespace: flow.id, key: 'a', by: 'operator' }]);
		const changed = await arrive(on, flow, [{ id: 'a', amount: 6000 }]);
		const { body } = (await changed.get()).response;
		expect(body).toContain('Changed since it was asked before');
		expect(body).toContain('<del>600</del> → <ins>6000</ins>');
		const { continued } = await changed.decide('rejected');
		expect(approvals(continued, 0)).toMatchObject([{ decision: 'rejected' }]);
	});

	it('of many clicks at the same time one decides and one continues, and all see the same', async () => {
		const gate = await arrive(on, gateFlow());
		const token = tokenIn((await gate.get()).response.body);
		const visits = await Promise.all(
			Array.from({ length: 20 }, (_, i) =>
				gate.post({ token, name: `Person ${i}`, decision: i % 2 ? 'approved' : 'rejected' }),
			),
		);
		expect(visits.filter(({ continued }) => continued)).toHaveLength(1);
		const stories = visits.map(
			({ response }) => /(APPROVED|REJECTED)<.*? on /.exec(response.body)?.[0],
		);
		expect(new Set(stories).size).toBe(1);
		expect(visits.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
	});

	it('continues what was decided and not continued, when somebody looks again', async () => {
		const flow = gateFlow();
		const gate = await arrive(on, flow);
		const [found] = await on.ledger.get([{ namespace: flow.id, key: 'a' }]);
		const { id } = found!.approvals[0];
		await on.ledger.decideApproval({
			namespace: flow.id,
			key: 'a',
			gate: 'approval',
			approvalId: id,
			decision: 'approved',
			by: 'Paul',
		});
		await new Promise((resolve) => setTimeout(resolve, 5));
		const { continued, response } = await gate.get();
		expect(response.body).toContain('by Paul');
		expect(approvals(continued, 1)).toMatchObject([{ decision: 'approved', decidedBy: 'Paul' }]);
	});
});
