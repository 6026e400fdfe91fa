import { AmbiguousExecutionError } from '../../../ledger/errors';
import type { Case } from './Case';
import {
	at,
	BOB,
	claimant,
	complete,
	fail,
	heldBy,
	kinds,
	look,
	pause,
	review,
	takeOver,
	unchanged,
	wait,
	win,
} from './helpers';

/** For error workflows, which know no more than which execution failed. */
export const executions: Case[] = [
	{
		name: 'failing by execution: all claims it holds, and nothing else',
		async run(fixture) {
			const executionId = `broken ${fixture.namespace}`;
			const by = claimant(executionId);
			const mine = { claimant: by };
			await win(fixture, 'processing', mine);
			await wait(fixture, 'waiting', (await win(fixture, 'waiting', mine)).held);
			await win(fixture, 'last attempt', { ...mine, maxAttempts: 1 });
			await win(fixture, 'elsewhere', { ...mine, namespace: `${fixture.namespace} 2` });
			await complete(fixture, 'done', (await win(fixture, 'done', mine)).held);
			await fail(fixture, 'failed', (await win(fixture, 'failed', mine)).held, 'Before');
			await review(fixture, 'review', (await win(fixture, 'review', mine)).held);
			await win(fixture, 'taken over', mine);
			await takeOver(fixture, 'taken over');
			await win(fixture, 'other', { claimant: BOB });

			const request = { instance: by.instance, executionId, reason: 'The workflow broke' };
			const failed = await fixture.ledger.failByExecution(request);
			expect(failed.map(({ key, state }) => `${key}: ${state}`).sort()).toEqual([
				'elsewhere: failed',
				'last attempt: review',
				'processing: failed',
				'waiting: failed',
			]);
			for (const { key, reason } of failed) {
				expect(reason).toContain('The workflow broke');
				if (key !== 'elsewhere') {
					expect((await look(fixture, key)).event.reason).toBe(reason);
				}
			}
			expect((await kinds(fixture, 'processing')).at(-1)).toBe('failed');
			expect((await look(fixture, 'failed')).event.reason).toBe('Before');
			for (const key of ['taken over', 'other']) {
				expect((await look(fixture, key)).event.state).toBe('processing');
			}
			expect(await fixture.ledger.failByExecution(request)).toEqual([]);
			expect(await fixture.ledger.failByExecution({ ...request, executionId: 'none' })).toEqual([]);
		},
	},
	{
		name: 'failing by execution into review',
		async run(fixture) {
			const executionId = `broken ${fixture.namespace}`;
			await win(fixture, 'k', { claimant: claimant(executionId) });
			const failed = await fixture.ledger.failByExecution({
				instance: 'n8n',
				executionId,
				as: 'review',
				reason: 'Look',
			});
			expect(failed).toMatchObject([{ key: 'k', state: 'review', reason: 'Look' }]);
			expect(await kinds(fixture, 'k')).toEqual(['new', 'review']);
		},
	},
	{
		name: 'the same execution number of another instance is another execution',
		async run(fixture) {
			const executionId = `57 of ${fixture.namespace}`;
			const other = { ...claimant(executionId), instance: 'other n8n' };
			await win(fixture, 'mine', { claimant: claimant(executionId) });
			await win(fixture, 'theirs', { claimant: other });
			const request = { instance: 'n8n', executionId, reason: 'It broke' };
			const failed = await fixture.ledger.failByExecution(request);
			expect(failed.map(({ key }) => key)).toEqual(['mine']);
			expect((await look(fixture, 'theirs')).event.state).toBe('processing');
			const nobody = { ...request, instance: 'third n8n' };
			expect(await fixture.ledger.failByExecution(nobody)).toEqual([]);
		},
	},
	{
		name: 'two clones with the same execution number: refused, because nobody can say which is meant',
		async run(fixture) {
			const executionId = `57 of ${fixture.namespace}`;
			const clone = { ...claimant(executionId), nonce: "the clone's nonce" };
			const first = await win(fixture, 'first', { claimant: claimant(executionId) });
			await win(fixture, 'second', { claimant: clone });
			const request = { instance: 'n8n', executionId, reason: 'It broke' };
			for (const key of ['first', 'second']) {
				await unchanged(fixture, key, async () => {
					await expect(fixture.ledger.failByExecution(request)).rejects.toThrow(
						AmbiguousExecutionError,
					);
				});
			}
			await complete(fixture, 'first', first.held);
			// What one of them has finished is nobody's any more.
			const failed = await fixture.ledger.failByExecution(request);
			expect(failed.map(({ key }) => key)).toEqual(['second']);
		},
	},
	{
		name: 'failing by execution reaches many events, paused ones too',
		async run(fixture) {
			const executionId = `many of ${fixture.namespace}`;
			const by = claimant(executionId);
			const keys = Array.from({ length: 450 }, (_, i) => `k${i}`);
			await fixture.ledger.claimEvents(keys.map((key) => ({ ...at(fixture, key), claimant: by })));
			await pause(fixture, 'k7', heldBy(by, 1));
			const failed = await fixture.ledger.failByExecution({
				instance: by.instance,
				executionId,
				reason: 'It broke',
			});
			expect(failed.map(({ key }) => key).sort()).toEqual([...keys].sort());
			const { events } = await fixture.ledger.stats({ namespace: fixture.namespace });
			expect(events).toMatchObject({ processing: 0, waiting: 0, failed: 450 });
		},
	},
];
