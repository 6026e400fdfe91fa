import { deliver } from './events';
import { approvalGate, approvals, arrive, AtGate, gateFlow, tokenIn } from './gates';
import { useInbox } from './inbox';
import { type LedgerUnderTest, onEmbeddedLedger, onEveryLedger } from './ledgers';

const inbox = useInbox();

type Person = string | { name: string; pin: string };

/** A gate with these people. */
function listGate(people: Person[], required: number, options = {}) {
	const values = people.map((person) => (typeof person === 'string' ? { name: person } : person));
	return approvalGate({ whoDecides: 'list', approvers: { values }, required, options });
}

/** An execution at its gate, and the links that people were told. */
async function arriveWithLinks(on: LedgerUnderTest, gate = listGate(['olga', 'paul', 'rita'], 2)) {
	const parameters = { ...gate.parameters, notify: 'json', webhookUrl: inbox.url };
	const flow = gateFlow({ ...gate, parameters });
	const at = await arrive(on, flow);
	return { at, flow, links: inbox.links };
}

onEveryLedger((on) => {
	it('needs as many different people as it says, each by a link of their own', async () => {
		const { at, links } = await arriveWithLinks(on);
		expect((await at.get()).response.body).toContain('Every approver has a link of their own');
		expect((await at.get()).response.body).not.toContain('name="token"');

		const first = await at.decide('approved', { name: 'somebody else' }, links.olga);
		expect(first.continued).toBeUndefined();
		expect(first.response.body).toContain('1 of 2 approvals so far');
		expect(first.response.body).toContain('Your approval is recorded');
		const again = await at.decide('approved', {}, links.olga);
		expect(again.continued).toBeUndefined();
		expect(again.response.status).not.toBe(500);

		const second = await at.decide('approved', {}, links.rita);
		expect(approvals(second.continued, 1)).toMatchObject([
			{
				decision: 'approved',
				decidedBy: 'rita',
				votes: [{ by: 'olga' }, { by: 'rita' }],
			},
		]);
	});

	it('rejects with one rejection', async () => {
		const { at, links } = await arriveWithLinks(on);
		await at.decide('approved', {}, links.olga);
		const { continued } = await at.decide('rejected', {}, links.paul);
		expect(approvals(continued, 0)).toMatchObject([{ decision: 'rejected', decidedBy: 'paul' }]);
	});

	it('wants the PIN, counts attempts before it looks at them, and stops guessing', async () => {
		const gate = listGate([{ name: 'olga', pin: '4711' }, 'paul'], 1);
		const { at, flow, links } = await arriveWithLinks(on, gate);
		const token = tokenIn((await at.get(links.olga)).response.body);
		const guess = async (pin: string) =>
			(await at.post({ token, pin, decision: 'approved' }, links.olga)).response.status;
		expect(await guess('0000')).toBe(403);
		expect(await guess('')).toBe(403);
		const many = await Promise.all(Array.from({ length: 20 }, (_, i) => guess(`${i}`)));
		expect(many.filter((status) => status === 403)).toHaveLength(8);
		expect(many.filter((status) => status === 429)).toHaveLength(12);
		// Also for the right one.
		expect(await guess('4711')).toBe(429);
		const [found] = await on.ledger.get([{ namespace: flow.id, key: 'a' }]);
		expect(found!.approvals).toMatchObject([{ state: 'pending', votes: [] }]);
		expect(JSON.stringify(found)).not.toContain('4711"');
		// Others are not locked out.
		expect((await at.decide('approved', {}, links.paul)).continued).toBeDefined();
	});

	it('takes the right PIN', async () => {
		const { at, links } = await arriveWithLinks(on, listGate([{ name: 'olga', pin: '4711' }], 1));
		const { continued } = await at.decide('approved', { pin: ' 4711 ' }, links.olga);
		expect(approvals(continued, 1)).toMatchObject([{ decidedBy: 'olga' }]);
	});
});

onEmbeddedLedger((on) => {
	it('bars who asked for it', async () => {
		const gate = listGate(['Olga', 'paul'], 1, { requester: 'olga' });
		const { at, links } = await arriveWithLinks(on, gate);
		expect((await at.get(links.Olga)).response.body).toContain('You asked for this yourself');
		const token = tokenIn((await at.get(links.paul)).response.body);
		expect((await at.post({ token, decision: 'approved' }, links.Olga)).continued).toBeUndefined();
		expect((await at.decide('approved', {}, links.paul)).continued).toBeDefined();
	});

	it('bars by name where anyone may decide', async () => {
		const at = await arrive(on, gateFlow(approvalGate({ options: { requester: 'Olga' } })));
		const barred = await at.decide('approved', { name: ' olga' });
		expect(barred.response.status).toBe(403);
		expect(barred.continued).toBeUndefined();
		expect((await at.decide('approved', { name: 'Paul' })).continued).toBeDefined();
	});

	it('asks anyone for a name and, if wished, for a reason to reject and the shared secret', async () => {
		const options = { commentOnRejection: true, secret: 'geheim', recordAddress: true };
		const flow = gateFlow(approvalGate({ options }));
		const at = await arrive(on, flow);
		const nameless = await at.decide('approved', { name: ' ' });
		expect(nameless.response).toMatchObject({ status: 422 });
		expect(nameless.response.body).toContain('Give your name');
		const silent = await at.decide('rejected', { pin: 'geheim' });
		expect(silent.response.body).toContain('Say in a comment why');
		const wrong = await at.decide('rejected', { pin: 'x', comment: 'Too much' });
		expect(wrong.response.body).toContain('The PIN is not right');
		expect(wrong.response.body).toContain('Too much');
		const right = await at.decide('rejected', { pin: 'geheim', comment: 'Too much' });
		expect(approvals(right.continued, 0)).toMatchObject([{ comment: 'Too much' }]);
		const history = await on.ledger.history({ namespace: flow.id, key: 'a' });
		expect(history).toContainEqual(
			expect.objectContaining({ kind: 'approval_shown', reason: '192.0.2.7' }),
		);
		expect(history).toContainEqual(
			expect.objectContaining({ kind: 'decision_sent', reason: '192.0.2.7' }),
		);
	});

	it('keeps no address unless it is told to', async () => {
		const flow = gateFlow();
		await (await arrive(on, flow)).decide('approved');
		const history = await on.ledger.history({ namespace: flow.id, key: 'a' });
		expect(JSON.stringify(history)).not.toContain('192.0.2.7');
	});

	it.each([
		[listGate([], 1), "'Approvals Needed' is 1, and 0 of the approvers may approve"],
		[listGate(['olga'], 2), "'Approvals Needed' is 2, and 1 of the approvers may approve"],
		[listGate(['olga', 'Olga '], 1), "'Olga' is twice among the 'Approvers'"],
		[listGate([' '], 1), "An entry of 'Approvers' has no name"],
		[listGate(['olga'], 1, { requester: 'olga' }), "'Approvals Needed' is 1, and 0 of"],
		[approvalGate({ title: '={{ $json.nothing }}' }), "The 'Title' is empty"],
		[approvalGate({ gate: '={{ $json.nothing }}' }), 'The gate is empty'],
		[approvalGate({ options: { key: '={{ $json.no }}' } }), "The option 'Key' is empty"],
		[approvalGate({ message: '={{ "x".repeat(200000) }}' }), 'There is too much to show on a page'],
	])('refuses what cannot work (%#)', async (gate, message) => {
		const run = await deliver(on, gateFlow(gate), [{ id: 'a', amount: 1 }]);
		expect(run.status).toBe('error');
		expect(run.error!.message).toContain(message);
		expect(run.error!.description).toBeTruthy();
	});

	it('holds the decision for the items that wait, even if the text has a time in it', async () => {
		const gate = approvalGate({ message: '={{ "Now " + $now.toMillis() + Math.random() }}' });
		const run = await deliver(on, gateFlow(gate), [{ id: 'a', amount: 1 }]);
		const { continued } = await new AtGate(run).decide('approved');
		expect(continued!.status).toBe('success');
		expect(approvals(continued, 1)).toMatchObject([{ decision: 'approved' }]);
	});
});
