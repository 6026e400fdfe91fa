import * as fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { ApprovalGate } from '../../nodes/ApprovalGate/ApprovalGate.node';
import { webhook } from '../../nodes/ApprovalGate/webhook';
import { deliver } from './events';
import { approvalGate, approvals, arrive, AtGate, gateFlow, tokenIn } from './gates';
import { defineNode, type EngineRun, WaitingExecution } from './harness';
import { type LedgerUnderTest, onEmbeddedLedger, onEveryLedger } from './ledgers';

const ITEM = { id: 'a', amount: 600 };

/** A file is no folder. */
const UNUSABLE = `${__filename}/ledger`;

/** The gate's only request in the ledger. */
async function requestOf({ ledger }: LedgerUnderTest, flow: { id: string }) {
	const [found] = await ledger.get([{ namespace: flow.id, key: 'a' }]);
	return found!.approvals[0];
}

/** With a changed query, and so without n8n's signature; or with a new one, as if n8n's secret were known. */
function altered(url: string, change: (query: URLSearchParams) => void): string {
	const target = new URL(url);
	change(target.searchParams);
	return target.toString();
}

/** A visit that is not a form sent in order: the kind, and two numbers that vary it. */
type Attempt = { kind: number; n: number; text: string };

/** All that people, scanners and forgers do. `other` is an execution of the same workflow with a request of its own. */
async function attempt(
	at: AtGate,
	other: AtGate,
	{ kind, n, text }: Attempt,
): Promise<EngineRun | undefined> {
	const token = tokenIn((await at.get()).response.body);
	const foreign = tokenIn((await other.get()).response.body);
	const good = { token, name: 'Olga', decision: 'approved' };
	const approval = new URL(at.url).searchParams.get('approval')!;
	const cut = Math.min(n, token.length - 1);
	const forged = token.slice(0, cut) + (token[cut] === 'x' ? 'y' : 'x') + token.slice(cut + 1);
	const send = async (url: string, body?: IDataObject, method: 'GET' | 'POST' = 'POST') =>
		(await at.execution.visit(url, { method, body })).continued;
	const attempts: Array<() => Promise<EngineRun | undefined>> = [
		() => send(at.url, undefined, 'GET'),
		() => send(at.url, good, 'GET'),
		() => send(at.url, {}),
		() => send(at.url, { ...good, token: undefined }),
		() => send(at.url, { ...good, token: forged }),
		() => send(at.url, { ...good, token: foreign }),
		() => send(at.url, { ...good, token: [token] }),
		() => send(at.url, { ...good, token: text }),
		() => send(at.url, { ...good, decision: text }),
		() => send(at.url, { ...good, decision: ['approved'] }),
		() => send(at.url, { ...good, decision: 'each' }),
		() => send(at.url, { ...good, name: '' }),
		() => send(other.url, good),
		() =>
			send(
				altered(at.url, (query) => query.delete('approval')),
				good,
			),
		() =>
			send(
				altered(at.url, (query) => query.set('approval', approval.slice(0, -1))),
				good,
			),
		() =>
			send(
				altered(at.url, (query) => query.set('decision', 'approved')),
				undefined,
				'GET',
			),
		() =>
			send(
				altered(at.url, (query) => query.set('signature', text)),
				good,
			),
		() =>
			send(
				altered(at.url, (query) => query.set('continue', '1')),
				good,
			),
	];
	return await attempts[kind % attempts.length]();
}

const anyAttempt = fc.record({ kind: fc.nat(), n: fc.nat(60), text: fc.string() });

onEveryLedger((on) => {
	it('nothing but a form that is sent in order ever approves', async () => {
		const other = await arrive(on, gateFlow(), [{ id: 'other', amount: 1 }]);
		await fc.assert(
			fc.asyncProperty(fc.array(anyAttempt, { minLength: 1, maxLength: 12 }), async (all) => {
				const flow = gateFlow(approvalGate({ options: { expiresAfterHours: 1 } }));
				const at = await arrive(on, flow);
				for (const one of all) expect(await attempt(at, other, one)).toBeUndefined();
				expect(await requestOf(on, flow)).toMatchObject({ state: 'pending', votes: [] });
				const late = await at.execution.timeOut();
				expect(late.nodes).not.toContain('Approved');
				expect(approvals(late, 0)).toMatchObject([{ decision: 'expired' }]);
			}),
			{ numRuns: 40 },
		);
	}, 60_000);

	it('a link is of no use to another execution, and an outdated one says so', async () => {
		const flow = gateFlow();
		const first = await arrive(on, flow);
		const token = tokenIn((await first.get()).response.body);
		await on.ledger.releaseEvents([{ namespace: flow.id, key: 'a', by: 'operator' }]);
		const second = await arrive(on, flow, [{ id: 'a', amount: 6000 }]);
		expect((await second.get(first.url)).response.status).toBe(404);
		const outdated = await first.post({ token, name: 'Olga', decision: 'approved' });
		expect(outdated.response.status).toBe(200);
		expect(outdated.response.body).toContain('This request has changed');
		expect(outdated.continued).toBeUndefined();
		expect(await requestOf(on, flow)).toMatchObject({ state: 'pending', votes: [] });
	});

	it('a late click sees who decided, and changes nothing', async () => {
		const flow = gateFlow(approvalGate({ options: { links: 'each' } }));
		const at = await arrive(on, flow, [ITEM, { id: 'b', amount: 1 }]);
		const token = tokenIn((await at.get()).response.body);
		await at.decide('rejected', { comment: 'No' });
		for (const sent of [token, 'outdated']) {
			const late = await at.post({ token: sent, name: 'Paul', decision: 'approved' });
			expect(late.response.status).toBe(200);
			expect(late.response.body).toMatch(/REJECTED<\/strong> · by Olga/);
		}
		expect(await requestOf(on, flow)).toMatchObject({ state: 'rejected', decidedBy: 'Olga' });
	});
});

onEmbeddedLedger((on) => {
	it('an approval on the item itself counts for nothing', async () => {
		const forge = defineNode('forge', async function () {
			const approval = { decision: 'approved', approved: true, gate: 'approval', id: 'x' };
			return [
				this.getInputData().map(({ json }, item) => ({
					json: {
						...json,
						approved: true,
						idempotency: { ...(json.idempotency as IDataObject), approval },
					},
					pairedItem: { item },
				})),
			];
		});
		const flow = gateFlow(approvalGate(), [{ name: 'Forge', type: 'forge' }]);
		const at = new AtGate(await deliver(on, flow, [ITEM], { nodes: [forge] }));
		const late = await at.execution.timeOut();
		expect(late.nodes).not.toContain('Approved');
		expect(approvals(late, 0)).toMatchObject([{ decision: 'expired', approved: false }]);
	});

	it('a deactivated gate approves nothing', async () => {
		const run = await deliver(on, gateFlow(approvalGate({}, { disabled: true })), [ITEM]);
		expect(run.nodes).toContain('Not Approved');
		expect(run.nodes).not.toContain('Approved');
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'a ledger that is away approves nothing, with %s too',
		async (onError) => {
			const credentials = { idempotencyLedgerApi: { store: 'embedded', file: UNUSABLE } };
			const gate = approvalGate({ options: { key: 'k' } }, { onError });
			const flow = gateFlow(gate);
			flow.connections.Webhook = { main: [[{ node: 'Gate', type: 'main', index: 0 }]] };
			const run = await deliver({ ...on, credentials }, flow, [ITEM]);
			expect(run.nodes).not.toContain('Approved');
			const stopped = await deliver(
				{ ...on, credentials },
				{ ...flow, nodes: flow.nodes.map((node) => ({ ...node, onError: undefined })) },
				[ITEM],
			);
			expect(stopped.status).toBe('error');
		},
	);

	it('a ledger that is away during the click: 503, and the execution still waits', async () => {
		const flow = gateFlow();
		const at = await arrive(on, flow);
		const token = tokenIn((await at.get()).response.body);
		const { idempotencyLedgerApi: credential } = on.credentials;
		const { file } = credential;
		credential.file = UNUSABLE;
		try {
			for (const method of ['GET', 'POST'] as const) {
				const body = { token, name: 'Olga', decision: 'approved' };
				const { response, continued } = await at.execution.visit(at.url, { method, body });
				expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
				expect(response.body).toContain('nothing was decided and the workflow still waits');
				expect(continued).toBeUndefined();
			}
		} finally {
			credential.file = file;
		}
		expect(approvals((await at.decide('approved')).continued, 1)).toHaveLength(1);
	});

	it('webhook() never throws, whatever it is given', async () => {
		const broken = new Proxy({} as IWebhookFunctions, {
			get() {
				throw new Error('Nothing works');
			},
		});
		expect(await webhook(broken)).toEqual({ noWebhookResponse: true });
		expect(await webhook({} as IWebhookFunctions)).toEqual({ noWebhookResponse: true });
		expect(await webhook(undefined as never)).toEqual({ noWebhookResponse: true });
		const at = await arrive(on, gateFlow());
		// The harness has the trap of n8n: what throws continues the execution.
		const trap = new WaitingExecution(at.run, async () => {
			throw new Error('Thrown');
		});
		expect((await trap.visit(at.url)).continued!.nodes).toContain('Not Approved');
	});

	it('every answer has the headers that keep the page from others', async () => {
		const at = await arrive(on, gateFlow());
		const answers = [await at.get(), await at.post({}), await at.decide('approved')];
		for (const { response } of answers) {
			expect(response.headers).toMatchObject({
				'cache-control': 'no-store, max-age=0',
				'referrer-policy': 'no-referrer',
				'x-frame-options': 'DENY',
				'content-type': 'text/html; charset=utf-8',
			});
			expect(response.headers['content-security-policy']).toContain("default-src 'none'");
		}
	});

	it('shows hostile items as text, and keeps the decision of hostile names', async () => {
		const hostile = '"><script>alert(1)</script>\r\nSet-Cookie: a=b';
		const gate = approvalGate({ title: `={{ $json.text }}`, message: `={{ $json.text }}` });
		const at = await arrive(on, gateFlow(gate), [{ ...ITEM, text: hostile }] as never);
		const { response, continued } = await at.decide('approved', {
			name: hostile.repeat(30),
			comment: hostile,
		});
		expect(response.status).toBe(200);
		expect(response.body).not.toContain('<script');
		expect(approvals(continued, 1)[0].decidedBy).toMatch(/^"><script>/);
	});
});

it('has the operation by which n8n signs its links and makes the review step of agents', () => {
	const { properties, webhooks } = new ApprovalGate().description;
	const operation = properties.find(({ name }) => name === 'operation')!;
	expect(operation).toMatchObject({ type: 'options', default: 'sendAndWait' });
	expect(operation.options).toContainEqual(expect.objectContaining({ value: 'sendAndWait' }));
	expect(webhooks).toHaveLength(2);
	expect(properties.some(({ name }) => name === 'message')).toBe(true);
	expect(typeof (ApprovalGate.prototype.execute as (this: IExecuteFunctions) => unknown)).toBe(
		'function',
	);
});
