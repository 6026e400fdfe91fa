import type { IDataObject } from 'n8n-workflow';

import { approvedFingerprint } from '../../nodes/shared/approvedContent';
import type { Fault } from '../httpServer/FaultServer';
import { claim, eventFlow, idempotency, stored } from './events';
import { deliverAgain, deliverGuarded, GUARDED, guarded, guardedFlow, useServer } from './guarded';
import { defineNode } from './harness';
import { type LedgerUnderTest, onEveryLedger } from './ledgers';

const dropAfter: Fault = { kind: 'dropAfter' };
const drop: Fault = { kind: 'dropBefore' };
const failing: Fault = { kind: 'answer', status: 500 };
const actsAndFails: Fault = { kind: 'answer', status: 500, acts: true };

onEveryLedger((on) => {
	const at = useServer();
	const lookUp = (more: IDataObject = {}): IDataObject => ({
		lookUp: true,
		lookUpUrl: `=${at.server.url('').replace(/id=$/, 'id={{ $json.id }}')}`,
		lookUpResults: 'data',
		...more,
	});

	describe('When in doubt it asks the destination', () => {
		it.each<[string, Fault[], { requests: number; outcome: string }]>([
			['which has it', [dropAfter], { requests: 1, outcome: 'adopted' }],
			['which has it, though it failed', [actsAndFails], { requests: 1, outcome: 'adopted' }],
			['which does not', [drop], { requests: 2, outcome: 'sent' }],
			['which does not, twice', [failing, drop], { requests: 3, outcome: 'sent' }],
			['which has it the second time', [drop, dropAfter], { requests: 2, outcome: 'adopted' }],
		])('%s', async (what, script, { requests, outcome }) => {
			const id = `ask ${what}`;
			at.server.script(id, script);
			const flow = guardedFlow(guarded(at.server, lookUp()), {
				name: 'Stop',
				type: 'stopAndError',
			});
			const run = await deliverGuarded(on, flow, [{ id }]);
			expect(run.json(GUARDED)).toMatchObject([
				{ body: { id: `thing-${id}` }, idempotency: { replayed: false, step: { outcome } } },
			]);
			expect(at.server.requests(id)).toHaveLength(requests);
			expect(at.server.effects(id)).toBe(1);
			expect((await stored(on, flow.id, id)).steps).toMatchObject([
				{ state: 'done', externalId: `thing-${id}` },
			]);
			const again = await deliverAgain(on, flow, id);
			expect(idempotency(again, GUARDED)).toMatchObject([{ replayed: true }]);
		});

		it.each<[string, IDataObject, string]>([
			['has several', { lookUpUrl: 'two' }, 'the look-up found 2 results'],
			['shows a list where a thing is expected', { lookUpResults: '' }, "has no 'id'"],
			['has no such list', { lookUpResults: 'items' }, "has no list in 'items'"],
			['fails', { lookUpUrl: 'fail' }, 'the look-up answered 500'],
			['does not answer', { lookUpUrl: 'http://127.0.0.1:9/' }, 'the look-up failed'],
		])('and a person if it %s', async (what, more, reason) => {
			const id = `unclear ${what}`;
			at.server.script(id, [dropAfter]);
			const flow = guardedFlow(guarded(at.server, { ...lookUp(more), ...special(more) }));
			const run = await deliverGuarded(on, flow, [{ id }]);
			expect(idempotency(run, GUARDED, 1)).toMatchObject([
				{ outcome: 'in_doubt', claimed: false, reason: expect.stringContaining(reason) },
			]);
			expect(at.server.effects(id)).toBe(1);
			expect((await stored(on, flow.id, id)).event).toMatchObject({
				state: 'review',
				reason: expect.stringMatching(
					/^Step 'Guarded HTTP Request': POST http:.*Nobody knows whether it happened/,
				),
			});
		});

		function special({ lookUpUrl }: IDataObject): IDataObject {
			// Lists of the server: two results, or an answer of 500.
			if (lookUpUrl === 'two') return { lookUpUrl: `${at.server.url('')}&results=2` };
			if (lookUpUrl === 'fail') return { lookUpUrl: `${at.server.url('')}&status=500` };
			return {};
		}

		it('and counts only results with the right value', async () => {
			for (const [id, value, requests] of [
				['match', '={{ $json.id }}', 1],
				['other', 'another', 2],
			] as const) {
				at.server.script(id, [dropAfter]);
				const only = { lookUpField: 'ref', lookUpValue: value };
				const flow = guardedFlow(guarded(at.server, lookUp(only)));
				await deliverGuarded(on, flow, [{ id }]);
				expect(at.server.requests(id)).toHaveLength(requests);
			}
		});

		it('about what an earlier run left unfinished', async () => {
			for (const [id, fault, requests] of [
				['left undone', drop, 2],
				['left done', dropAfter, 1],
			] as const) {
				at.server.script(id, [fault]);
				const flow = guardedFlow(guarded(at.server, lookUp()));
				const died = await cutOff(flow, id);
				expect(died.status).toBe('error');
				expect((await stored(on, flow.id, id)).steps).toMatchObject([{ state: 'started' }]);
				const again = await deliverAgain(on, flow, id);
				expect(again.json(GUARDED)).toMatchObject([{ body: { id: `thing-${id}` } }]);
				expect(at.server.requests(id)).toHaveLength(requests);
				expect(at.server.effects(id)).toBe(1);
			}
		});

		/** A run that is stopped when its request has been lost. */
		async function cutOff(flow: ReturnType<typeof guardedFlow>, id: string) {
			const stop = new Promise<void>((resolve) => {
				at.server.onRequest = () => resolve();
			});
			const run = await deliverGuarded(on, flow, [{ id }], { stop });
			at.server.onRequest = undefined;
			return run;
		}
	});

	describe('With approval required', () => {
		const body = { sendBody: true, jsonBody: '={{ { amount: $json.amount } }}' };
		const approval = { approval: { values: { gate: 'Refund' } } };

		async function sendWith(
			id: string,
			asked:
				| { content?: unknown; decision?: 'approved' | 'rejected'; expiresInMs?: number }
				| undefined,
			options: IDataObject = approval,
		) {
			const flow = eventFlow([
				claim(),
				{ name: 'Gate', type: 'ask' },
				guarded(at.server, { ...body, options }),
			]);
			const ask = defineNode('ask', async function () {
				if (asked) await decide(on, { namespace: flow.id, key: id }, asked);
				return [this.getInputData()];
			});
			const run = await deliverGuarded(on, flow, [{ id, amount: 5 }], { nodes: [ask] });
			return { run, flow };
		}

		it('sends what was approved', async () => {
			const { run } = await sendWith('ap1', { content: { amount: 5 }, decision: 'approved' });
			expect(run.json(GUARDED)).toHaveLength(1);
			const content = { ...approval.approval.values, content: '={{ { refund: $json.id } }}' };
			const shown = await sendWith(
				'ap2',
				{ content: { refund: 'ap2' }, decision: 'approved' },
				{ approval: { values: content } },
			);
			expect(shown.run.json(GUARDED)).toHaveLength(1);
		});

		it.each<[string, Parameters<typeof sendWith>[1], string]>([
			['nobody was asked', undefined, "Nothing was asked at the gate 'Refund'"],
			[
				'the gate was not told what it lets through',
				{ decision: 'approved' },
				"fill in its option 'Approved Content'",
			],
			['nobody has decided', { content: { amount: 5 } }, "The gate 'Refund' has not decided yet"],
			[
				'it was rejected',
				{ content: { amount: 5 }, decision: 'rejected' },
				'answered with no by ann',
			],
			[
				'other content was approved',
				{ content: { amount: 4 }, decision: 'approved' },
				'about other content',
			],
			[
				'nobody decided in time',
				{ content: { amount: 5 }, expiresInMs: 1 },
				'got no decision in time',
			],
		])('sends nothing if %s', async (what, asked, reason) => {
			const { run, flow } = await sendWith(what, asked);
			expect(run.json(GUARDED)).toEqual([]);
			expect(idempotency(run, GUARDED, 1)).toMatchObject([
				{ outcome: 'not_approved', claimed: true, reason: expect.stringContaining(reason) },
			]);
			expect(at.server.requests(what)).toEqual([]);
			expect((await stored(on, flow.id, what)).steps).toEqual([]);
		});
	});
});

async function decide(
	{ ledger }: LedgerUnderTest,
	address: { namespace: string; key: string },
	{
		content,
		decision,
		expiresInMs,
	}: { content?: unknown; decision?: 'approved' | 'rejected'; expiresInMs?: number },
): Promise<void> {
	const approves = content === undefined ? undefined : approvedFingerprint(content);
	const gate = 'Refund';
	const [asked] = await ledger.requestApprovals([
		{
			...address,
			gate,
			fingerprint: approves ?? 'shown',
			content: approves === undefined ? {} : { approves },
			expiresInMs,
		},
	]);
	if (!asked.ok) throw asked.error;
	if (expiresInMs !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
	if (!decision) return;
	const { id: approvalId } = asked.value.approval;
	await ledger.decideApproval({ ...address, gate, approvalId, decision, by: 'ann' });
}
