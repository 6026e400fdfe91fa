/** A person decides, exactly once, and nothing gets past without it: on a real n8n. */
import { randomUUID } from 'node:crypto';

import type { EventState } from '../../ledger/records';
import type { Effect } from '../../scripts/n8n/OutsideWorld';
import { until } from '../servers/ServerProcess';
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

/** A refund on its way, and what can be seen of it. */
interface Opened {
	url: string;
	id: string;
	workflowId: string;
	paid: () => Effect[];
	told: () => Effect[];
	/** Of the newest of so many messages. */
	link: (count?: number) => Promise<string>;
	settled: (state: EventState, more?: object) => Promise<void>;
}

describe.each(['regular', 'queue'] as const)('in %s mode', (mode) => {
	let stage: Stage;
	let place: StageLedger;
	beforeAll(async () => {
		stage = await Stage.open({ mode });
		place = await stage.ledger('postgres');
	});
	afterAll(() => stage?.close());

	async function open(variant: Parameters<typeof refunds>[1] = {}): Promise<Opened> {
		const { url, workflowId } = await stage.publishWorkflow(refunds(stage.world, variant), place);
		const id = randomUUID();
		const title = `Refund ${id}`;
		return {
			url,
			id,
			workflowId,
			paid: () => stage.world.of('bank').filter(({ body }) => body.refund === id),
			told: () => stage.world.of('chat').filter(({ body }) => body.title === title),
			link: (count) => linkTo(stage.world, title, count),
			settled: (state, more = {}) =>
				until(`the event to be ${state}`, async () => {
					const [found] = await place.ledger.get([
						{ namespace: workflowId, key: `v1:field:${id}` },
					]);
					expect(found?.event).toMatchObject({ state, ...more });
				}),
		};
	}

	it('looking decides nothing, whoever looks; a POST approves, once', async () => {
		const { url, id, paid, told, settled, link } = await open();
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
		await settled('done', { result: { status: 'paid' } });
		expect(paid()).toHaveLength(1);

		// Who comes late is told by n8n that there is nothing to do, and changes nothing.
		const late = await visit(page, { method: 'POST' });
		expect([200, 409]).toContain(late.status);
		expect(paid()).toHaveLength(1);
		// The same event again is a duplicate: nobody is asked.
		await deliver(url, refund(id));
		expect(told()).toHaveLength(1);
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
		// The event is done a moment before its execution, and n8n does not list what is still running.
		await until('the run to end', async () => {
			const runs = await stage.n8n.api.executions(workflowId);
			expect(runs.map(({ status }) => status)).toEqual(['success']);
		});
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
		await settled('done', { result: { status: 'paid' } });
		expect(paid()).toHaveLength(1);
	});

	/** Approved, but the bank refuses. */
	async function approvedAndRefused({ url, id, workflowId, link }: Opened): Promise<void> {
		stage.world.refuse('bank', 1, 400);
		await deliver(url, refund(id));
		await approve(await link());
		await until('the refusal', async () => {
			expect(await stage.n8n.api.executions(workflowId, 'error')).toHaveLength(1);
		});
		await letGo(workflowId, id);
	}

	/** Somebody fails the event, so that it may be delivered again before its lease is over. */
	async function letGo(namespace: string, id: string): Promise<void> {
		const event = { namespace, key: `v1:field:${id}` };
		const [failed] = await place.ledger.failEvents([{ ...event, by: 'Olga', reason: 'Again' }]);
		expect(failed.ok).toBe(true);
	}

	it('what was approved is not asked again', async () => {
		const opened = await open();
		await approvedAndRefused(opened);
		await deliver(opened.url, refund(opened.id));
		await opened.settled('done', { result: { status: 'paid' } });
		expect(opened.paid()).toHaveLength(1);
		expect(opened.told()).toHaveLength(1);
	});

	it('a changed amount is asked again', async () => {
		const opened = await open();
		await approvedAndRefused(opened);
		await deliver(opened.url, refund(opened.id, 751));
		const link = await opened.link(2);
		expect((await openPage(link)).html).toMatch(/Changed since it was asked before/);
		expect(opened.paid()).toEqual([]);
		await approve(link);
		await opened.settled('done', { result: { status: 'paid' } });
		expect(opened.paid().map(({ body }) => body.amount)).toEqual([751]);
	});

	it('an item that came around the gate is not paid', async () => {
		const { url, id, workflowId, paid } = await open({ aroundTheGate: true });
		await deliver(url, refund(id));
		await until('the run to end', async () => {
			const [run] = await stage.n8n.api.executions(workflowId, 'success');
			const { data } = await stage.n8n.api.execution(run.id);
			expect(JSON.stringify(data?.resultData.runData.Pay)).toContain('not_approved');
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
			await settled('done', { result: { status: 'paid' } });
			expect(paid()).toHaveLength(1);
		});
	} else {
		it('the worker dies after the decision: the next delivery uses it, and nobody is asked again', async () => {
			const { url, id, workflowId, paid, told, settled, link } = await open();
			await deliver(url, refund(id));
			const page = await link();
			const token = tokenIn(await openPage(page));
			for (const worker of stage.n8n.workers) worker.freeze();
			const answer = await decide(page, { token, decision: 'approved', name: 'Paula' });
			expect(answer.status).toBe(200);
			await Promise.all(stage.n8n.workers.map((worker) => worker.kill()));
			await Promise.all(stage.n8n.workers.map((worker) => worker.restart()));

			// The worker that died had the execution, and n8n does not run it again.
			expect(paid()).toEqual([]);
			await letGo(workflowId, id);
			await deliver(url, refund(id));
			await settled('done', { result: { status: 'paid' } });
			expect(paid()).toHaveLength(1);
			expect(told()).toHaveLength(1);
		});
	}

	if (full) {
		it('expiry never approves', async () => {
			const { url, id, paid, settled, link } = await open({ options: { expiresAfterHours: 0.02 } });
			await deliver(url, refund(id));
			await openPage(await link());
			await until('it to expire', () => settled('done', { result: { status: 'expired' } }));
			expect(paid()).toEqual([]);
		});
	}
});
