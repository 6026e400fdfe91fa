import { EventNotFoundError } from '../../../ledger/errors';
import type { Case } from './Case';
import {
	ask,
	at,
	beginStep,
	claimant,
	complete,
	finishStep,
	kinds,
	look,
	lose,
	ok,
	refused,
	sum,
	win,
} from './helpers';

/** What has to be forgotten. */
export const erasing: Case[] = [
	{
		name: 'a deleted event is gone with all that belongs to it, whatever its state',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			await win(fixture, 'untouched', { fingerprint: 'fp' });
			const { held } = await win(fixture, 'open', { fingerprint: 'fp' });
			await beginStep(fixture, 'open', held, 'step');
			await complete(fixture, 'done', (await win(fixture, 'done')).held, 'result');
			await win(fixture, 'kept', { fingerprint: 'fp' });
			const keys = ['open', 'missing', 'untouched', 'done', 'done'];
			expect(
				await ledger.deleteEvents(keys.map((key) => ({ ...at(fixture, key), by: 'olga' }))),
			).toEqual(['deleted', 'missing', 'deleted', 'deleted', 'missing']);
			expect(await ledger.get(keys.map((key) => at(fixture, key)))).toEqual(
				keys.map(() => undefined),
			);
			expect(await ledger.histories([at(fixture, 'open'), at(fixture, 'kept')])).toEqual([
				[],
				[expect.objectContaining({ kind: 'new' })],
			]);
			for (const query of [{}, { fingerprint: 'fp' }, { keyPrefix: 'k' }]) {
				const { events } = await ledger.list({ namespace, ...query });
				expect(events.map(({ key }) => key)).toEqual(['kept']);
			}
			expect((await ledger.list({ state: 'processing', namespace })).events).toHaveLength(1);
			const { events, tallies } = await ledger.stats({ namespace });
			expect(events).toEqual({ processing: 1, waiting: 0, done: 0, failed: 0, review: 0 });
			expect(tallies).toContainEqual(expect.objectContaining({ kind: 'deleted', count: 3 }));
			expect(await win(fixture, 'open')).toMatchObject({ outcome: 'new', steps: [] });
		},
	},
	{
		name: 'nothing leads to what was erased: no id, alias, content, execution, part of the key or version',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			const executionId = `execution of ${namespace}`;
			const externalId = `id of ${namespace}`;
			const by = claimant(executionId);
			const mine = { claimant: by, fingerprint: 'fp', alias: 'order', findSameContent: true };
			const ordered = { ...mine, ordering: { object: 'customer', version: 7 } };
			const { held } = await win(fixture, 'secret key', ordered);
			await lose(fixture, 'secret key', { fingerprint: 'other', input: 'private' });
			const step = { ...at(fixture, 'secret key'), ...held, step: 's', externalId };
			await ok(ledger.finishSteps([{ ...step, output: 'private', undo: 'private' }]));
			await ask(fixture, 'secret key', { content: 'private' });
			const request = { ...at(fixture, 'secret key'), by: 'olga', reason: 'Asked to' };
			expect(await ledger.deleteEvents([request])).toEqual(['deleted']);
			const filters = [
				{ namespace },
				{ executionId },
				{ externalId },
				{ namespace, fingerprint: 'fp' },
				{ namespace, keyPart: 'secret' },
				{ namespace, keyPrefix: 'secret' },
			];
			for (const filter of filters) expect((await ledger.list(filter)).events).toEqual([]);
			const failing = { instance: by.instance, executionId, reason: 'why' };
			expect(await ledger.failByExecution(failing)).toEqual([]);
			await refused(ledger.finishSteps([step]), EventNotFoundError);
			// An older version is not behind the erased one any more, and the same content is new.
			const older = { ...mine, ordering: { object: 'customer', version: 6 } };
			const second = await win(fixture, 'another key', older);
			expect(second).toMatchObject({ outcome: 'new', steps: [] });
			expect(second).not.toHaveProperty('sameContentAs');
			const details = await look(fixture, 'another key');
			expect(details).toMatchObject({ steps: [], approvals: [], conflicts: [] });
			expect(await ledger.deleteEvents([request])).toEqual(['missing']);
		},
	},
	{
		name: 'a newer version that came since stays known when an older event is erased',
		async run(fixture) {
			const ordering = (version: number) => ({ ordering: { object: 'o', version } });
			await win(fixture, 'v1', ordering(1));
			await win(fixture, 'v2', ordering(2));
			await fixture.ledger.deleteEvents([{ ...at(fixture, 'v1'), by: 'olga' }]);
			expect((await lose(fixture, 'v1', ordering(1))).outcome).toBe('stale');
		},
	},
	{
		name: 'an erased event is new again, and nothing of what it was is left in it',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { input: 'in' });
			await finishStep(fixture, 'k', held, 'step', 'out');
			await complete(fixture, 'k', held, 'result');
			await lose(fixture, 'k');
			await fixture.ledger.deleteEvents([{ ...at(fixture, 'k'), by: 'olga' }]);
			const second = await win(fixture, 'k');
			expect(second).toMatchObject({ outcome: 'new', event: { attempt: 1, duplicates: 0 } });
			expect(await look(fixture, 'k')).toEqual({
				event: second.event,
				steps: [],
				approvals: [],
				conflicts: [],
			});
			expect(await kinds(fixture, 'k')).toEqual(['new']);
		},
	},
	{
		name: 'what is forgotten was not there: missing, and counted as forgotten once',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			await complete(fixture, 'k', (await win(fixture, 'k')).held);
			await fixture.expireRecord(at(fixture, 'k'));
			const request = { ...at(fixture, 'k'), by: 'olga' };
			expect(await ledger.deleteEvents([request])).toEqual(['missing']);
			while ((await ledger.purge()).more);
			const { events, tallies } = await ledger.stats({ namespace });
			expect(sum(tallies)).toEqual({ new: 1, completed: 1, purged: 1 });
			expect(events.done).toBe(0);
		},
	},
];
