import { randomUUID } from 'node:crypto';

import { claimed, elsewhere, given, inReview, ledgerNode, stepWithUndo } from './ledgerNode';
import { type LedgerUnderTest, onEveryLedger } from './ledgers';

const OLGA = { by: 'olga', reason: 'Looked it up' };

async function stateOf(on: LedgerUnderTest, namespace: string, key: string) {
	return (await on.ledger.get([{ namespace, key }]))[0]?.event.state;
}

onEveryLedger((on) => {
	let namespace: string;
	beforeEach(() => (namespace = randomUUID()));
	const of = (...keys: string[]) => keys.map((key) => ({ namespace, key }));

	describe('events', () => {
		it('are looked up with steps and links, and those that are not there say so', async () => {
			const held = await claimed(on, namespace, 'a');
			await stepWithUndo(on, held, 'invoice');
			const found = await given(on, 'event', 'get', {}, of('a', 'b'));
			expect(found).toMatchObject([
				{
					found: true,
					key: 'a',
					state: 'processing',
					input: { id: 'a' },
					executionUrl: 'http://localhost:5678/workflow/wf/executions/e1',
					steps: [{ name: 'invoice', state: 'done', externalId: 'invoice-1' }],
				},
				{ found: false, namespace, key: 'b' },
			]);
			expect(JSON.stringify(found)).not.toContain(held.holder.instance);
			const history = await given(on, 'event', 'getHistory', {}, of('a'));
			expect(history.map(({ kind }) => kind)).toEqual(['new', 'step_done']);
		});

		it('are listed by state, page after page', async () => {
			for (let i = 0; i < 5; i++) await claimed(on, namespace, `k${i}`);
			await inReview(on, namespace, 'r');
			const list = { inNamespace: true, namespace };
			expect(await given(on, 'event', 'getMany', { ...list, limit: 3 })).toHaveLength(3);
			expect(await given(on, 'event', 'getMany', { ...list, returnAll: true })).toHaveLength(6);
			const ofState = { ...list, state: 'review', returnAll: true };
			expect(await given(on, 'event', 'getMany', ofState)).toMatchObject([{ key: 'r' }]);
			for (const filters of [{ keyPrefix: 'k1' }, { keyPart: '1' }]) {
				expect(await given(on, 'event', 'getMany', { ...list, filters })).toMatchObject([
					{ key: 'k1' },
				]);
			}
			expect(await given(on, 'review', 'getMany', list)).toMatchObject([
				{ key: 'r', reason: 'In doubt' },
			]);
		});

		it('are found when they are stuck, and by an external ID of a step', async () => {
			const held = await claimed(on, namespace, 'stuck');
			await stepWithUndo(on, held, 'invoice');
			await claimed(on, namespace, 'alive');
			await on.expireLease(held);
			const list = { inNamespace: true, namespace };
			const stuck = await given(on, 'event', 'getMany', { ...list, state: 'stuck' });
			expect(stuck).toMatchObject([{ key: 'stuck', state: 'processing' }]);
			const filters = { externalId: 'invoice-1' };
			expect(await given(on, 'event', 'getMany', { ...list, filters })).toMatchObject([
				{ key: 'stuck' },
			]);
		});

		it('show what came under their key with other content', async () => {
			const input = { total: 1 };
			await claimed(on, namespace, 'a', { fingerprint: 'f1', input });
			const other = { fingerprint: 'f2', input: { total: 2 }, claimant: elsewhere('e2') };
			await on.ledger.claimEvents([{ namespace, key: 'a', ...other }]);
			expect(await given(on, 'event', 'get', {}, of('a'))).toMatchObject([
				{
					conflicts: 1,
					input,
					conflictingDeliveries: [
						{ executionId: 'e2', fingerprint: 'f2', input: { total: 2 }, at: expect.any(String) },
					],
				},
			]);
		});

		it('are completed, failed, released, sent to review and deleted by a person, who is remembered', async () => {
			for (const key of ['complete', 'fail', 'sendToReview', 'release', 'delete']) {
				await claimed(on, namespace, key);
			}
			const result = { result: '{"ok":true}', externalId: 'x1' };
			expect(
				await given(on, 'event', 'complete', { ...OLGA, ...result }, of('complete')),
			).toMatchObject([{ state: 'done', externalId: 'x1', repeated: false }]);
			const retry = { ...OLGA, retryAfterMinutes: 5 };
			expect(await given(on, 'event', 'fail', retry, of('fail'))).toMatchObject([
				{ state: 'failed', reason: 'Looked it up' },
			]);
			expect(await given(on, 'event', 'sendToReview', OLGA, of('sendToReview'))).toMatchObject([
				{ state: 'review' },
			]);
			expect(await given(on, 'event', 'release', OLGA, of('release'))).toMatchObject([
				{ state: 'failed' },
			]);
			expect(await given(on, 'event', 'delete', OLGA, of('delete', 'delete'))).toMatchObject([
				{ deleted: true },
				{ deleted: false },
			]);
			for (const key of ['complete', 'fail', 'sendToReview', 'release']) {
				const history = await on.ledger.history({ namespace, key });
				expect(history.at(-1)).toMatchObject({ by: 'olga', reason: 'Looked it up' });
			}
		});

		it('are run again only if their input is there', async () => {
			await inReview(on, namespace, 'a');
			await inReview(on, namespace, 'b', { input: undefined });
			expect(await given(on, 'event', 'runAgain', OLGA, of('a'))).toMatchObject([
				{ state: 'failed' },
			]);
			const run = await ledgerNode(on, 'event', 'runAgain', OLGA, of('b'));
			expect(run.error?.message).toContain('its input is not stored');
			expect(await stateOf(on, namespace, 'b')).toBe('review');
			const none = await ledgerNode(on, 'event', 'runAgain', OLGA, of('c'));
			expect(none.error).toMatchObject({ message: expect.stringContaining("no event 'c'") });
		});
	});

	it('an item that goes wrong does not stop the others, where n8n is set to continue', async () => {
		await claimed(on, namespace, 'a');
		const run = await ledgerNode(on, 'event', 'complete', OLGA, of('missing', 'a'), {
			onError: 'continueRegularOutput',
		});
		const [first, second] = run.items('Ledger');
		expect(first.error?.message ?? first.json.error).toContain("no event 'missing'");
		expect(second.json).toMatchObject({ key: 'a', state: 'done' });
	});

	it.each(['by', 'reason'])('nobody decides without %s', async (name) => {
		await inReview(on, namespace, 'a');
		const run = await ledgerNode(on, 'review', 'resolve', { ...OLGA, [name]: ' ' }, of('a'));
		expect(run.error).toBeDefined();
		expect(await stateOf(on, namespace, 'a')).toBe('review');
	});

	it('a review ends with what the first person decided', async () => {
		for (const key of ['done', 'again', 'up']) await inReview(on, namespace, key);
		const done = { ...OLGA, decision: 'done', externalId: 'x', result: '{"looked":"up"}' };
		expect(await given(on, 'review', 'resolve', done, of('done'))).toMatchObject([
			{ state: 'done', decision: 'done' },
		]);
		const again = { ...OLGA, decision: 'runAgain' };
		expect(await given(on, 'review', 'resolve', again, of('again'))).toMatchObject([
			{ state: 'failed', decision: 'runAgain' },
		]);
		const up = { ...OLGA, decision: 'giveUp' };
		expect(await given(on, 'review', 'resolve', up, of('up'))).toMatchObject([{ state: 'done' }]);
		const details = await on.ledger.get(of('done', 'up'));
		expect(details.map((one) => one?.event.result)).toEqual([
			{ looked: 'up' },
			{ givenUp: true, reason: 'Looked it up' },
		]);
		// The second one is too late, and is told so.
		for (const key of ['again', 'up']) {
			const late = await ledgerNode(on, 'review', 'resolve', again, of(key));
			expect(late.error).toBeDefined();
		}
		expect(await stateOf(on, namespace, 'up')).toBe('done');
		expect((await on.ledger.history({ namespace, key: 'up' })).at(-1)).toMatchObject({
			kind: 'completed',
			by: 'olga',
			reason: 'Looked it up',
		});
	});

	it('a step in doubt is settled by what a person found out', async () => {
		for (const key of ['happened', 'not']) {
			const held = await claimed(on, namespace, key);
			await on.ledger.beginSteps([{ ...held, step: 'mail', claimant: elsewhere() }]);
			await on.ledger.failEvents([{ ...held, as: 'review', reason: 'In doubt' }]);
		}
		const happened = { ...OLGA, step: 'mail', externalId: 'm1', output: '{"sent":true}' };
		expect(await given(on, 'review', 'resolveStep', happened, of('happened'))).toMatchObject([
			{
				state: 'review',
				resolution: 'happened',
				repeated: false,
				step: { name: 'mail', state: 'done', externalId: 'm1', output: { sent: true } },
			},
		]);
		const not = { ...OLGA, step: 'mail', resolution: 'did_not_happen' };
		expect(await given(on, 'review', 'resolveStep', not, of('not'))).toMatchObject([
			{ state: 'review', step: { name: 'mail', state: 'failed' } },
		]);
		for (const [key, outcome] of [
			['happened', 'done'],
			['not', 'run'],
		]) {
			await given(on, 'review', 'resolve', { ...OLGA, decision: 'runAgain' }, of(key));
			const held = await claimed(on, namespace, key, { claimant: elsewhere('e2') });
			const [begun] = await on.ledger.beginSteps([
				{ ...held, step: 'mail', claimant: elsewhere('e2') },
			]);
			expect(begun).toMatchObject({ ok: true, value: { outcome } });
		}
		const late = await ledgerNode(on, 'review', 'resolveStep', happened, of('not'));
		expect(late.error?.message).toContain('execution e2 has it');
		const wrong = { ...OLGA, step: 'other' };
		await inReview(on, namespace, 'none');
		const none = await ledgerNode(on, 'review', 'resolveStep', wrong, of('none'));
		expect(none.error?.message).toContain("The step 'other'");
	});

	it('imports what was handled elsewhere, and says what differs from a list', async () => {
		const options = { externalId: '={{ $json.id }}', doneAt: '2026-01-31T12:00:00Z' };
		const parameters = { namespace, key: '={{ $json.id }}', options };
		const ids = ['a', 'b', 'c'].map((id) => ({ id }));
		const imported = await given(on, 'import', 'importDone', parameters, ids);
		expect(imported).toMatchObject(
			ids.map(({ id }) => ({ id, idempotency: { key: id, import: 'imported' } })),
		);
		const again = await given(on, 'import', 'importDone', parameters, ids);
		expect(again).toMatchObject(ids.map(() => ({ idempotency: { import: 'exists' } })));

		await claimed(on, namespace, 'open');
		const list = ['a', 'open', 'new'].map((id) => ({ id }));
		const found = await given(on, 'import', 'reconcile', parameters, list);
		expect(found.map(({ status, key }) => `${status as string} ${key as string}`).sort()).toEqual([
			'extra b',
			'extra c',
			'missing new',
			'unfinished open',
		]);
	});

	it('purges, checks, counts and reports', async () => {
		expect(await given(on, 'upkeep', 'purge')).toMatchObject([{ more: false }]);
		expect(await given(on, 'upkeep', 'check')).toMatchObject([
			{ schemaVersion: expect.any(Number) },
		]);
		const held = await claimed(on, namespace, 'a');
		await claimed(on, namespace, 'a', { claimant: elsewhere('other') });
		await on.ledger.completeEvents([held]);
		const only = { inNamespace: true, namespace };
		expect(await given(on, 'statistics', 'get', only)).toMatchObject([
			{
				now: { done: 1 },
				events: 1,
				duplicatesPrevented: 1,
				recovered: 0,
				shareWithFullHistory: 1,
			},
		]);
		expect(await given(on, 'statistics', 'get', { ...only, split: 'byDay' })).toMatchObject([
			{ namespace, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), events: 1 },
		]);
		const [{ html }] = await given(on, 'statistics', 'getReport', { ...only, title: 'A <b>' });
		expect(html).toContain('<title>A &lt;b&gt;</title>');
		expect(html).toContain('</html>');
	});
});
