/** A person decides, exactly once, and nothing gets past without it: on a real n8n. */
import { randomUUID } from 'node:crypto';

import { until } from '../servers/ServerProcess';
import { events } from './findings';
import { approve, decide, linkTo, openPage, refund, refunds, tokenIn, visit } from './refunds';
import { deliver } from './sender';
import { full } from './size';
import { Stage, type StageLedger } from './Stage';

const SCANNERS = [
	'Mozilla/5.0 (compatible; Microsoft Office/16.0; SafeLinks)',
	'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
	'BarracudaCentral/1.0',
	'facebookexternalhit/1.1',
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Proofpoint',
];

describe.each(['regular', 'queue'] as const)('in %s mode', (mode) => {
	let stage: Stage;
	let place: StageLedger;
	beforeAll(async () => {
		stage = await Stage.open({ mode });
		place = await stage.ledger('postgres');
	});
	afterAll(() => stage?.close());

	async function open(variant: Parameters<typeof refunds>[1] = {}) {
		const { url, workflowId } = await stage.publishWorkflow(refunds(stage.world, variant), place);
		const id = randomUUID();
		const paid = () => stage.world.of('bank').filter(({ body }) => body.refund === id);
		const settled = (state: string, more: object = {}) =>
			until(`refund ${id} to be ${state}`, async () => {
				expect((await events(place.ledger, workflowId)).get(id)).toMatchObject({ state, ...more });
			});
		return {
			url,
			id,
			workflowId,
			paid,
			settled,
			link: (n?: number) => linkTo(stage.world, `Refund ${id}`, n),
		};
	}

	it('looking decides nothing, whoever looks; a POST approves, once', async () => {
		const { url, id, paid, settled, link } = await open();
		await deliver(url, refund(id));
		const page = await link();
		await openPage(page);
		for (const agent of SCANNERS) {
			expect((await visit(page, { headers: { 'user-agent': agent } })).status).toBe(200);
		}
		await visit(page, { method: 'HEAD' });
		await settled('waiting');
		expect(paid()).toEqual([]);

		const answer = await approve(page);
		expect([answer.status, answer.story]).toEqual([
			200,
			[expect.stringMatching(/APPROVED.*Paula/s)],
		]);
		await settled('done', { result: 'paid' });
		expect(paid()).toHaveLength(1);

		// Who comes late is told by n8n that there is nothing to do, and changes nothing.
		const late = await visit(page, { method: 'POST' });
		expect([200, 409]).toContain(late.status);
		expect(paid()).toHaveLength(1);
		// The same event again is a duplicate: nobody is asked.
		await deliver(url, refund(id));
		expect(stage.world.of('chat').filter(({ body }) => body.title === `Refund ${id}`)).toHaveLength(
			1,
		);
	});

	it('of 20 clicks at once one decides, and all are told the same', async () => {
		const { url, id, workflowId, paid, settled, link } = await open();
		await deliver(url, refund(id));
		const page = await link();
		const token = tokenIn(await openPage(page));
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, i) =>
				decide(page, { token, decision: i % 2 ? 'approved' : 'rejected', name: `Person ${i}` }),
			),
		);
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
		const stories = new Set(answers.map(({ story }) => story.join()));
		expect(stories.size).toBe(1);
		await settled('done');
		const approved = [...stories][0].includes('APPROVED');
		expect(paid()).toHaveLength(approved ? 1 : 0);
		const runs = await stage.n8n.api.executions(workflowId);
		expect(runs.map(({ status }) => status)).toEqual(['success']);
	});

	it('a ledger that is away during the click: 503, still waiting, and nothing paid', async () => {
		const { url, id, paid, settled, link } = await open();
		await deliver(url, refund(id));
		const page = await link();
		const token = tokenIn(await openPage(page));
		await place.server!.kill();
		const answer = await decide(page, { token, decision: 'approved', name: 'Paula' });
		expect(answer.status).toBe(503);
		await place.server!.restart();
		await settled('waiting');
		expect(paid()).toEqual([]);
		await approve(page);
		await settled('done', { result: 'paid' });
		expect(paid()).toHaveLength(1);
	});

	it('what was approved is not asked again, and a changed amount is', async () => {
		const { url, id, paid, settled, link } = await open();
		stage.world.refuse('bank', 1, 400);
		await deliver(url, refund(id));
		await approve(await link());
		// The bank refused; somebody lets go of the event, and it is delivered again.
		await until('the refusal', async () => {
			const [{ namespace, key }] = [
				...(await events(place.ledger, (await own()).namespace)).values(),
			].filter((event) => event.key.endsWith(id));
			await place.ledger.failEvents([
				{ namespace, key, by: 'test', reason: 'refused', as: 'failed' } as never,
			]);
		});
		async function own() {
			const found = await place.ledger.list({ limit: 500 });
			return found.events.find((event) => event.key.endsWith(id))!;
		}
		await deliver(url, refund(id, 751));
		const again = await openPage(await link(2));
		expect(again.html).toMatch(/Changed since it was asked before/);
		await approve(await link(2));
		await settled('done', { result: 'paid' });
		expect(paid().map(({ body }) => body.amount)).toEqual([751]);
	});

	it('an item that came around the gate is not paid', async () => {
		const { url, id, paid, settled } = await open({ aroundTheGate: true });
		await deliver(url, refund(id));
		await settled('processing');
		await until('the refusal', async () => {
			const { events: found } = await place.ledger.list({ limit: 500 });
			expect(found.filter((event) => event.key.endsWith(id))).toHaveLength(1);
		});
		expect(paid()).toEqual([]);
	});

	if (mode === 'regular') {
		it('n8n restarts while it waits: the page is there again, and the decision counts', async () => {
			const { url, id, paid, settled, link } = await open();
			await deliver(url, refund(id));
			const page = await link();
			await openPage(page);
			await stage.n8n.main.kill();
			await stage.n8n.main.restart();
			await approve(page);
			await settled('done', { result: 'paid' });
			expect(paid()).toHaveLength(1);
		});
	} else {
		it('the worker dies after the decision: another continues', async () => {
			const { url, id, paid, settled, link } = await open();
			await deliver(url, refund(id));
			const page = await link();
			const token = tokenIn(await openPage(page));
			for (const worker of stage.n8n.workers) worker.freeze();
			const answer = await decide(page, { token, decision: 'approved', name: 'Paula' });
			expect(answer.status).toBe(200);
			await Promise.all(stage.n8n.workers.map((worker) => worker.kill()));
			await Promise.all(stage.n8n.workers.map((worker) => worker.restart()));
			await settled('done', { result: 'paid' });
			expect(paid()).toHaveLength(1);
		});
	}

	if (full) {
		it('expiry never approves', async () => {
			const { url, id, paid, settled, link } = await open({ options: { expiresAfterHours: 0.02 } });
			await deliver(url, refund(id));
			await openPage(await link());
			await until('it to expire', () => settled('done', { result: 'expired' }));
			expect(paid()).toEqual([]);
		});
	}
});
