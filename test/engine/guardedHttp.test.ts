import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../httpServer/FaultServer';
import { claim, complete, eventFlow, idempotency, outcomes, stored } from './events';
import {
	deliverAgain,
	deliverGuarded,
	GUARDED,
	guarded,
	guardedFlow,
	useServer,
	WITH_KEY,
} from './guarded';
import { defineNode, retryExecution } from './harness';
import { onEmbeddedLedger, onEveryLedger } from './ledgers';

const status = (code: number, headers: Record<string, string> = {}): Fault => ({
	kind: 'answer',
	status: code,
	headers,
});
const stopHere = { name: 'Stop', type: 'stopAndError' };

onEveryLedger((on) => {
	const at = useServer();
	beforeEach(() => (at.server.honoursKeys = false));

	it('gives a repeat the stored answer in the same shape, and sends nothing', async () => {
		const flow = guardedFlow(guarded(at.server), stopHere);
		const first = await deliverGuarded(on, flow, [{ id: 'r1' }]);
		const [sent] = first.json(GUARDED);
		expect(sent).toMatchObject({
			statusCode: 201,
			headers: { 'content-type': 'application/json' },
			body: { id: 'thing-r1', state: 'made' },
			idempotency: {
				claimed: true,
				replayed: false,
				step: { outcome: 'sent', externalId: 'thing-r1' },
			},
		});
		const again = await deliverAgain(on, flow, 'r1');
		const [replayed] = again.json(GUARDED);
		expect(replayed).toMatchObject({
			idempotency: { replayed: true, step: { outcome: 'replayed' } },
		});
		for (const field of ['statusCode', 'headers', 'body']) {
			expect(replayed[field]).toEqual(sent[field]);
		}
		expect(at.server.requests('r1')).toHaveLength(1);
	});

	it('stops another request under the same step before it is sent', async () => {
		const body = { sendBody: true, jsonBody: '={{ { amount: $json.amount } }}' };
		const flow = guardedFlow(guarded(at.server, body), stopHere);
		await deliverGuarded(on, flow, [{ id: 'c1', amount: 1 }]);
		await on.expireLease({ namespace: flow.id, key: 'c1' });
		const again = await deliverGuarded(on, flow, [{ id: 'c1', amount: 2 }]);
		expect(again.json(GUARDED)).toEqual([]);
		expect(idempotency(again, GUARDED, 1)).toMatchObject([{ outcome: 'conflict', claimed: false }]);
		expect(at.server.requests('c1')).toHaveLength(1);
		const { event } = await stored(on, flow.id, 'c1');
		expect(event.state).toBe('review');
		expect(event.reason).toMatch(
			/^Step 'Guarded HTTP Request' was begun by execution .* with another method, URL or body\. Nothing was sent/,
		);
	});

	it('sends nothing with a claim that was taken over', async () => {
		let takeOver: () => Promise<unknown>;
		const slow = defineNode('slow', async function () {
			await takeOver();
			return [this.getInputData()];
		});
		const flow = eventFlow([
			claim({ onStopped: 'takeover' }),
			{ name: 'Slow', type: 'slow' },
			guarded(at.server),
			complete(),
		]);
		const nodes = [slow];
		takeOver = async () => {
			takeOver = async () => {};
			await on.expireLease({ namespace: flow.id, key: 's1' });
			expect((await deliverGuarded(on, flow, [{ id: 's1' }], { nodes })).status).toBe('success');
		};
		const zombie = await deliverGuarded(on, flow, [{ id: 's1' }], { nodes });
		expect(zombie.error?.message).toMatch(/^The claim on 's1' is no longer held by this run/);
		expect(at.server.requests('s1')).toHaveLength(1);
	});

	it('sends nothing more when the claim is taken over between two attempts', async () => {
		const flow = guardedFlow(guarded(at.server), complete());
		at.server.script('z1', [status(429)]);
		at.server.onRequest = async () => {
			at.server.onRequest = undefined;
			const next = await deliverAgain(on, flow, 'z1');
			expect(idempotency(next, GUARDED, 1)).toMatchObject([{ outcome: 'in_doubt' }]);
		};
		const zombie = await deliverGuarded(on, flow, [{ id: 'z1' }]);
		expect(zombie.error?.message).toMatch(/^The claim on 'z1' is no longer held by this run/);
		expect(at.server.requests('z1')).toHaveLength(1);
		expect(at.server.effects('z1')).toBe(0);
	});

	it('does not count on a key that the destination has forgotten', async () => {
		at.server.honoursKeys = true;
		at.server.script('f1', Array<Fault>(2).fill({ kind: 'dropAfter' }));
		const withKeyFor = (keyHours: number) =>
			guarded(at.server, { ...WITH_KEY, keyHours, options: { maxAttempts: 2 } });
		const flow = guardedFlow(withKeyFor(1));
		const first = await deliverGuarded(on, flow, [{ id: 'f1' }]);
		expect(first.error?.description).toMatch(/^It may have happened, and is safe to repeat/);
		await new Promise((resolve) => setTimeout(resolve, 5));
		const later = { ...guardedFlow(withKeyFor(1e-6)), id: flow.id };
		const again = await deliverAgain(on, later, 'f1');
		expect(idempotency(again, GUARDED, 1)).toMatchObject([{ outcome: 'in_doubt', claimed: false }]);
		expect(at.server.requests('f1')).toHaveLength(2);
		expect((await stored(on, flow.id, 'f1')).event.state).toBe('review');
	});

	it('gives the event back for a long wait', async () => {
		at.server.script('p1', [status(429, { 'retry-after': '3600' })]);
		const flow = guardedFlow(guarded(at.server));
		const run = await deliverGuarded(on, flow, [{ id: 'p1' }]);
		expect(run.error?.message).toMatch(/^The server asks to wait until 2/);
		const { event, steps } = await stored(on, flow.id, 'p1');
		expect(event).toMatchObject({ state: 'failed' });
		expect(event.dueAt! - event.claimedAt).toBeGreaterThan(3_590_000);
		expect(steps).toMatchObject([{ state: 'failed' }]);
	});

	it('leaves at most one window in doubt, and nothing that is finished unrecorded', async () => {
		const ids = Array.from({ length: 12 }, (_, i) => `w${i}`);
		const flow = guardedFlow(guarded(at.server, { options: { concurrency: 3 } }));
		const open = new Set<string>();
		let most = 0;
		const unfinished: number[] = [];
		at.server.onRequest = async ({ url }) => {
			open.add(url);
			most = Math.max(most, open.size);
			const found = await on.ledger.get(ids.map((key) => ({ namespace: flow.id, key })));
			await new Promise((resolve) => setTimeout(resolve, 5));
			unfinished.push(found.filter((each) => each?.steps[0]?.state === 'started').length);
			open.delete(url);
		};
		const run = await deliverGuarded(
			on,
			flow,
			ids.map((id) => ({ id })),
		);
		at.server.onRequest = undefined;
		expect(run.json(GUARDED).map(({ body }) => (body as IDataObject).id)).toEqual(
			ids.map((id) => `thing-${id}`),
		);
		expect(most).toBeLessThanOrEqual(3);
		expect(most).toBeGreaterThan(1);
		expect(Math.max(...unfinished)).toBeLessThanOrEqual(3);
	});
});

onEmbeddedLedger((on) => {
	const at = useServer();
	beforeEach(() => (at.server.honoursKeys = false));

	it('needs nothing but a URL behind Claim Event', async () => {
		const url = `=${at.server.url('').replace(/id=$/, 'id={{ $json.id }}')}`;
		const node = { name: GUARDED, type: 'guardedHttpRequest', parameters: { url } };
		const flow = eventFlow([claim(), node, complete()]);
		const run = await deliverGuarded(on, flow, [{ id: 'd1' }]);
		expect(run.error).toBeUndefined();
		expect(at.server.effects('d1')).toBe(1);
		const again = await deliverGuarded(on, flow, [{ id: 'd1' }]);
		expect(outcomes(again)).toEqual([[], ['duplicate'], []]);
	});

	it('goes on where it stopped when an execution is retried by hand', async () => {
		at.server.honoursKeys = true;
		at.server.script('h1', Array<Fault>(2).fill({ kind: 'dropAfter' }));
		const flow = guardedFlow(guarded(at.server, { ...WITH_KEY, options: { maxAttempts: 2 } }));
		const failed = await deliverGuarded(on, flow, [{ id: 'h1' }]);
		expect(failed.error?.message).toBe('The request got no answer');
		const retried = await retryExecution(failed);
		expect(retried.json(GUARDED)).toMatchObject([{ statusCode: 201 }]);
		expect(at.server.effects('h1')).toBe(1);
	});

	it('retries what was not sent, and says that it did not happen', async () => {
		const port = await closedPort();
		const flow = guardedFlow(guarded(at.server, { url: `http://127.0.0.1:${port}/` }));
		const run = await deliverGuarded(on, flow, [{ id: 'n1' }]);
		expect(run.error?.message).toBe('The request got no answer');
		expect(run.error?.description).toMatch(
			/^It did not happen\. .*attempt 4: connect ECONNREFUSED/,
		);
		const { event, steps } = await stored(on, flow.id, 'n1');
		expect(event.state).toBe('processing');
		expect(steps).toMatchObject([{ state: 'failed', tries: 4 }]);
	});

	it('tells a refused item from a done one, whatever n8n is set to', async () => {
		at.server.script('x1', [status(402), status(402), status(402)]);
		const items = [{ id: 'x1' }, { id: 'x2' }];
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const node = guarded(at.server, {}, { onError, alwaysOutputData: true });
			const run = await deliverGuarded(on, guardedFlow(node), items);
			expect(run.json(GUARDED)).toMatchObject([{ body: { id: 'thing-x2' } }]);
			const output = onError === 'continueErrorOutput' ? 2 : 1;
			expect(run.json(GUARDED, output)).toHaveLength(1);
			if (output === 1) {
				expect(idempotency(run, GUARDED, 1)).toMatchObject([
					{ outcome: 'error', claimed: true, answer: { statusCode: 402 } },
				]);
			} else {
				expect(run.json(GUARDED, 2)[0].error).toBe('The destination answered 402');
			}
		}
		const only = guarded(
			at.server,
			{},
			{ onError: 'continueRegularOutput', alwaysOutputData: true },
		);
		const run = await deliverGuarded(on, guardedFlow(only), [{ id: 'x1' }]);
		expect(run.json(GUARDED)).toEqual([]);
	});

	it('lets no further request begin after an error, and records those under way', async () => {
		const ids = Array.from({ length: 8 }, (_, i) => `e${i}`);
		at.server.script('e1', [status(400)]);
		const flow = guardedFlow(guarded(at.server, { options: { concurrency: 2 } }));
		const run = await deliverGuarded(
			on,
			flow,
			ids.map((id) => ({ id })),
		);
		expect(run.error?.message).toBe('The destination answered 400');
		expect(run.error?.context?.itemIndex).toBe(1);
		const found = await Promise.all(ids.map((id) => stored(on, flow.id, id)));
		const states = found.map(({ steps }) => steps[0]?.state);
		expect(states.slice(0, 2)).toEqual(['done', 'failed']);
		expect(states).not.toContain('started');
		expect(ids.filter((id) => at.server.effects(id) > 0).length).toBeLessThan(ids.length - 1);
	});

	it('makes one request for two items of one step, and refuses two different ones', async () => {
		const twice = defineNode('twice', async function () {
			const [item] = this.getInputData();
			return [[1, 2].map((line) => ({ json: { ...item.json, line }, pairedItem: { item: 0 } }))];
		});
		const flow = (body: IDataObject) =>
			eventFlow([claim(), { name: 'Lines', type: 'twice' }, guarded(at.server, body)]);
		const same = await deliverGuarded(on, flow({}), [{ id: 't1' }], { nodes: [twice] });
		expect(idempotency(same, GUARDED).map(({ replayed }) => replayed)).toEqual([false, true]);
		expect(at.server.effects('t1')).toBe(1);

		const lines = { sendBody: true, jsonBody: '={{ { line: $json.line } }}' };
		const different = await deliverGuarded(on, flow(lines), [{ id: 't2' }], { nodes: [twice] });
		expect(different.error?.message).toBe(
			"Two items of the event 't2' make different requests in the step 'Guarded HTTP Request'",
		);
		expect(different.error?.context?.itemIndex).toBe(1);
		expect(at.server.effects('t2')).toBe(1);

		const named = { ...lines, step: '=line {{ $json.line }}' };
		const told = await deliverGuarded(on, flow(named), [{ id: 't3' }], { nodes: [twice] });
		expect(told.json(GUARDED)).toHaveLength(2);
		expect(at.server.effects('t3')).toBe(2);
	});

	it('stops waiting when the execution is cancelled, and says what is known', async () => {
		at.server.script('k1', [status(429, { 'retry-after': '3600' })]);
		const flow = guardedFlow(
			guarded(at.server, {
				options: { longestWaitSeconds: 7200, deadlineSeconds: 7200 },
			}),
		);
		const stop = new Promise<void>((resolve) => {
			at.server.onRequest = () => void setTimeout(resolve, 500);
		});
		const run = await deliverGuarded(on, flow, [{ id: 'k1' }], { stop });
		at.server.onRequest = undefined;
		expect(run.error?.message).toBe('The execution was cancelled');
		await untilState('k1', 'failed');

		at.server.script('k2', [{ kind: 'late' }]);
		const inFlight = new Promise<void>((resolve) => {
			at.server.onRequest = () => resolve();
		});
		await deliverGuarded(on, flow, [{ id: 'k2' }], { stop: inFlight });
		at.server.onRequest = undefined;
		await at.server.acted('k2');
		await untilState('k2', 'started');
		expect((await stored(on, flow.id, 'k2')).event.state).toBe('processing');

		/** n8n does not wait for a cancelled node. */
		async function untilState(id: string, state: string): Promise<void> {
			const deadline = Date.now() + 30_000;
			for (;;) {
				const found = (await stored(on, flow.id, id)).steps[0]?.state;
				if (found === state) return;
				if (Date.now() > deadline) throw new Error(`The step is '${found}'`);
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		}
	});

	it('keeps to the pace', async () => {
		const ids = Array.from({ length: 6 }, (_, i) => `pace${i}`);
		const began = Date.now();
		const arrivals: number[] = [];
		at.server.onRequest = () => void arrivals.push(Date.now());
		const flow = guardedFlow(guarded(at.server, { options: { requestsPerSecond: 5 } }));
		await deliverGuarded(
			on,
			flow,
			ids.map((id) => ({ id })),
		);
		at.server.onRequest = undefined;
		expect(arrivals).toHaveLength(6);
		// Five intervals of 200 ms, and what it took to begin.
		expect(arrivals[5] - began).toBeGreaterThan(990);
	});

	it('sends nothing, and lets nothing through Done, while the ledger is away', async () => {
		let isDown = true;
		const down = defineNode('down', async function () {
			if (isDown) throw new Error('Down');
			return [this.getInputData()];
		});
		const credentials = {
			idempotencyLedgerApi: { store: 'embedded', file: '/dev/null/ledger.sqlite' },
		};
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			isDown = true;
			const node = guarded(at.server, {}, { onError });
			const flow = eventFlow([claim(), { name: 'Down', type: 'down' }, node]);
			const failed = await deliverGuarded(on, flow, [{ id: 'l1' }], { nodes: [down] });
			isDown = false;
			// By now the ledger is away.
			const run = await retryExecution(failed, { credentials });
			expect(run.items(GUARDED)).toEqual([]);
			const output = onError === 'continueErrorOutput' ? 2 : 1;
			const [{ json }] = run.items(GUARDED, output);
			expect(JSON.stringify(json)).toMatch('The directory path was expected');
		}
		expect(at.server.requests('l1')).toEqual([]);
	});

	it('needs a claim', async () => {
		const run = await deliverGuarded(on, eventFlow([guarded(at.server)]), [{ id: 'q1' }]);
		expect(run.error?.message).toBe('No claim was found for this item');
		expect(at.server.effects('q1')).toBe(0);
	});
});

async function closedPort(): Promise<number> {
	const server = createServer().listen(0);
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
