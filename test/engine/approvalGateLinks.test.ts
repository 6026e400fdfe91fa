import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';

import type { ApprovalRecord } from '../../ledger/records';
import { answer } from '../../nodes/ApprovalGate/answer';
import { batchOf, linkToken, type RequestRef } from '../../nodes/ApprovalGate/tokens';
import { arrive, gateFlow, tokenIn } from './gates';
import { type LedgerUnderTest, onEveryLedger } from './ledgers';

const key = randomBytes(32);

/** A request at a gate, in the ledger. */
async function request(on: LedgerUnderTest) {
	const flow = gateFlow();
	const { ledger } = on;
	await arrive(on, flow);
	const find = async (): Promise<ApprovalRecord> => {
		const [found] = await ledger.get([{ namespace: flow.id, key: 'a' }]);
		return found!.approvals[0];
	};
	const ref: RequestRef = { namespace: flow.id, key: 'a', gate: 'approval', id: (await find()).id };
	return { ref, find };
}

// Without n8n's own signature around them: with a page of its own, these tokens are all there is.
onEveryLedger((on) => {
	it('a link opens its own request and no other, and a page of several only as it was', async () => {
		const { ref } = await request(on);
		const { ref: other } = await request(on);
		const { ledger } = on;
		const get = async (token: string, waiting?: RequestRef[]) =>
			(await answer({ ledger, key, waiting }, { method: 'GET', token, form: {} })).status;
		const link = linkToken(key, { request: ref });
		expect(await get(link)).toBe(200);
		expect(await get(link, [ref, other])).toBe(200);
		expect(await get(link, [other])).toBe(403);
		expect(await get(link, [])).toBe(403);
		const page = linkToken(key, { batch: batchOf([ref, other]) });
		expect(await get(page, [ref, other])).toBe(200);
		expect(await get(page, [other, ref])).toBe(403);
		expect(await get(page, [ref])).toBe(403);
		expect(await get(page)).toBe(403);
		expect(await get(linkToken(key, { request: { ...ref, key: 'nothing' } }))).toBe(410);
		expect(await get(linkToken(randomBytes(32), { request: ref }))).toBe(403);
	});

	it('no link and no form but the right ones together decide anything', async () => {
		const { ledger } = on;
		const { ref, find } = await request(on);
		const { ref: other } = await request(on);
		const link = linkToken(key, { request: ref });
		const formOf = async (token: string) =>
			tokenIn((await answer({ ledger, key }, { method: 'GET', token, form: {} })).page);
		const form = await formOf(link);
		const foreign = linkToken(key, { request: other });
		const tokens = [link, foreign, linkToken(key, { request: ref, approver: 'olga' })];
		const links = fc.oneof(
			fc.constantFrom(...tokens, undefined, [link]),
			fc
				.tuple(fc.nat(link.length - 1), fc.constantFrom(...'AZaz09-_.'))
				.map(([i, character]) => link.slice(0, i) + character + link.slice(i + 1)),
		);
		const forms = fc.oneof(
			fc.constantFrom(form, await formOf(foreign), undefined, '', link),
			fc.string(),
		);
		await fc.assert(
			fc.asyncProperty(
				links,
				forms,
				fc.constantFrom('GET', 'HEAD', 'POST', 'PUT'),
				async (token, sent, method) => {
					fc.pre(!(token === link && sent === form && method === 'POST'));
					// The other request may be decided; this one must not be.
					fc.pre(token !== foreign);
					const body = { token: sent, name: 'Mallory', decision: 'approved' };
					const { decided } = await answer({ ledger, key }, { method, token, form: body });
					expect(decided).toEqual([]);
				},
			),
			{ numRuns: 150 },
		);
		expect(await find()).toMatchObject({ state: 'pending', votes: [] });
		const body = { token: form, name: 'Olga', decision: 'approved' };
		const right = await answer({ ledger, key }, { method: 'POST', token: link, form: body });
		expect(right.decided).toEqual([ref]);
		// And it is good for one decision only.
		const again = await answer(
			{ ledger, key },
			{ method: 'POST', token: link, form: { ...body, decision: 'rejected' } },
		);
		expect(again).toMatchObject({ status: 200, decided: [] });
		expect(await find()).toMatchObject({ state: 'approved', decidedBy: 'Olga' });
	});
});
