import { randomUUID } from 'node:crypto';

import { claimed, given, inReview, ledgerNode, stepWithUndo } from './ledgerNode';
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
			const token = await claimed(on, namespace, 'a');
			await stepWithUndo(on, { namespace, key: 'a', token }, 'invoice');
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
			expect(JSON.stringify(found)).not.toContain(token);
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
			const filters = { keyPrefix: 'k1' };
			expect(await given(on, 'event', 'getMany', { ...list, filters })).toMatchObject([
				{ key: 'k1' },
			]);
			expect(await given(on, 'review', 'getMany', list)).toMatchObject([
				{ key: 'r', reason: 'In doubt' },
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
			expect(await given(on, 'event', 'delete', {}, of('delete', 'delete'))).toMatchObject([
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

	it('steps are undone newest first, each until it is marked, and again after a crash', async () => {
		const token = await claimed(on, namespace, 'trip');
		const held = { namespace, key: 'trip', token };
		for (const step of ['flight', 'hotel', 'car']) await stepWithUndo(on, held, step);
		const claimant = { executionId: 'e1', nodeId: 'm', runIndex: 0, itemIndex: 0 };
		await on.ledger.beginSteps([{ ...held, step: 'in doubt', claimant }]);
		const item = { idempotency: { ...held, claimed: true } };
		const names = async (...args: Parameters<typeof given>) =>
			(await given(...args)).map(({ step }) => (step as { name: string }).name);

		expect(await names(on, 'step', 'getUndos', {}, [item])).toEqual(['car', 'hotel', 'flight']);
		const [marked] = await given(on, 'step', 'markUndone', { step: 'car' }, [item]);
		expect(marked).toMatchObject({ undone: { step: 'car', state: 'undone', repeated: false } });
		// The run dies here. Whoever takes over goes on where it stopped.
		await on.expireLease({ namespace, key: 'trip' });
		const next = await claimed(on, namespace, 'trip', {
			onStopped: 'takeover',
			claimant: { ...claimant, executionId: 'e2' },
		});
		const taken = { idempotency: { ...held, token: next, claimed: true } };
		expect(await names(on, 'step', 'getUndos', {}, [taken])).toEqual(['hotel', 'flight']);
		expect(await names(on, 'step', 'getUndos', {}, [taken])).toEqual([]);
		const zombie = await ledgerNode(on, 'step', 'markUndone', { step: 'hotel' }, [item]);
		expect(zombie.error?.message).toContain('no longer held');
		for (const step of ['hotel', 'flight']) {
			await given(on, 'step', 'markUndone', { step }, [taken]);
		}
		const all = await given(on, 'step', 'getMany', {}, of('trip'));
		expect(all.map(({ name, state }) => [name, state])).toEqual([
			['flight', 'undone'],
			['hotel', 'undone'],
			['car', 'undone'],
			['in doubt', 'started'],
		]);
		const never = await ledgerNode(on, 'step', 'markUndone', { step: 'in doubt' }, [taken]);
		expect(never.error?.message).toContain('is not done');
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
		const token = await claimed(on, namespace, 'a');
		await claimed(on, namespace, 'a', {
			claimant: { executionId: 'other', nodeId: 'n', runIndex: 0, itemIndex: 0 },
		});
		await on.ledger.completeEvents([{ namespace, key: 'a', token }]);
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
