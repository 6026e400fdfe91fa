import type { Ledger } from '../../../ledger/Ledger';
import type { Case } from './Case';
import {
	at,
	beginStep,
	complete,
	history,
	HOUR,
	kinds,
	look,
	lose,
	takeOver,
	unchanged,
	win,
} from './helpers';

/** Forgets what other cases left, so that the counts of a case are its own. */
async function purgeAll(ledger: Ledger): Promise<void> {
	for (let i = 0; i < 1000; i++) if (!(await ledger.purge({ limit: 10_000 })).more) return;
	throw new Error('There is always more to purge');
}

export const upkeep: Case[] = [
	{
		name: 'an imported record is done, and makes every delivery a duplicate with its result',
		async run(fixture) {
			const doneAt = Date.parse('2020-02-02T00:00:00Z');
			const imported = await fixture.ledger.importRecords([
				{
					...at(fixture, 'k'),
					fingerprint: 'fp',
					result: { id: 7 },
					externalId: 'x',
					doneAt,
					retentionMs: 5 * HOUR,
				},
				at(fixture, 'plain'),
			]);
			expect(imported).toEqual(['imported', 'imported']);
			const { event, steps } = await look(fixture, 'k');
			expect(event).toMatchObject({
				state: 'done',
				attempt: 0,
				fingerprint: 'fp',
				result: { id: 7 },
				externalId: 'x',
				doneAt,
				duplicates: 0,
			});
			expect(event).not.toHaveProperty('executionId');
			expect(event).not.toHaveProperty('dueAt');
			expect(event).not.toHaveProperty('leaseUntil');
			expect(event.expiresAt! - event.createdAt).toBe(5 * HOUR);
			expect(steps).toEqual([]);
			expect(await history(fixture, 'k')).toEqual([
				{ at: event.createdAt, kind: 'imported', attempt: 0 },
			]);
			const plain = (await look(fixture, 'plain')).event;
			expect(plain.doneAt).toBe(plain.createdAt);
			expect(plain).not.toHaveProperty('result');

			const lost = await lose(fixture, 'k', { onStopped: 'takeover' });
			expect(lost).toMatchObject({ outcome: 'duplicate', event: { result: { id: 7 } } });
			expect((await lose(fixture, 'k', { fingerprint: 'other' })).outcome).toBe('conflict');
		},
	},
	{
		name: 'an import leaves alone what is there, and replaces what is expired',
		async run(fixture) {
			await win(fixture, 'processing', { input: 'in' });
			const { held } = await win(fixture, 'done');
			await complete(fixture, 'done', held, 'result');
			for (const key of ['processing', 'done']) {
				await unchanged(fixture, key, async () => {
					const request = { ...at(fixture, key), result: 'imported' };
					expect(await fixture.ledger.importRecords([request])).toEqual(['exists']);
				});
			}
			await fixture.expireRecord(at(fixture, 'done'));
			const results = await fixture.ledger.importRecords(
				['done', 'fresh', 'fresh'].map((key) => ({ ...at(fixture, key), result: 'imported' })),
			);
			expect(results).toEqual(['imported', 'imported', 'exists']);
			expect((await look(fixture, 'done')).event).toMatchObject({ result: 'imported', attempt: 0 });
			expect(await kinds(fixture, 'done')).toEqual(['imported']);
		},
	},
	{
		name: 'a released import can be claimed like any failed event',
		async run(fixture) {
			await fixture.ledger.importRecords([at(fixture, 'k')]);
			await fixture.ledger.releaseEvents([{ ...at(fixture, 'k'), by: 'olga' }]);
			const won = await win(fixture, 'k');
			expect(won).toMatchObject({ outcome: 'retry', event: { attempt: 1, executionId: 'alice' } });
		},
	},
	{
		name: 'purge removes expired records, a bounded number per call, and nothing else',
		async run(fixture) {
			const { ledger } = fixture;
			await purgeAll(ledger);
			const expired = ['a', 'b', 'c', 'd', 'e'];
			for (const key of [...expired, 'kept']) {
				const { held } = await win(fixture, key);
				await complete(fixture, key, held);
			}
			await win(fixture, 'processing');
			for (const key of expired) await fixture.expireRecord(at(fixture, key));
			expect(await ledger.purge({ limit: 2 })).toEqual({ purged: 2, more: true });
			expect(await ledger.purge({ limit: 2 })).toEqual({ purged: 2, more: true });
			expect(await ledger.purge({ limit: 2 })).toEqual({ purged: 1, more: false });
			expect(await ledger.purge()).toEqual({ purged: 0, more: false });
			const { events, tallies } = await ledger.stats({ namespace: fixture.namespace });
			expect(events).toMatchObject({ done: 1, processing: 1 });
			const purged = tallies.filter(({ kind }) => kind === 'purged');
			expect(purged.reduce((sum, { count }) => sum + count, 0)).toBe(5);
			const { events: listed } = await ledger.list({ namespace: fixture.namespace });
			expect(listed.map(({ key }) => key).sort()).toEqual(['kept', 'processing']);
			expect((await win(fixture, 'a')).outcome).toBe('new');
		},
	},
	{
		name: 'purge removes all that belonged to a record',
		async run(fixture) {
			const { held } = await win(fixture, 'k', { fingerprint: 'fp' });
			await beginStep(fixture, 'k', held, 'email');
			const done = { ...at(fixture, 'k'), by: 'olga' };
			await fixture.ledger.completeEvents([done]);
			const asked = { ...at(fixture, 'k'), gate: 'gate', fingerprint: 'content' };
			await fixture.ledger.requestApprovals([asked]);
			await fixture.expireRecord(at(fixture, 'k'));
			await purgeAll(fixture.ledger);
			await win(fixture, 'k');
			expect(await look(fixture, 'k')).toMatchObject({ steps: [], approvals: [] });
			expect(await kinds(fixture, 'k')).toEqual(['new']);
			const request = { fingerprint: 'fp', findSameContent: true };
			expect(await win(fixture, 'other', request)).not.toHaveProperty('sameContentAs');
		},
	},
	{
		name: 'check says what the store is and how much it has',
		async run(fixture) {
			await win(fixture, 'k');
			const report = await fixture.ledger.check();
			expect(report).toMatchObject({ store: fixture.store.kind, server: expect.any(String) });
			expect(report.server).not.toBe('');
			expect(report.schemaVersion).toBeGreaterThanOrEqual(1);
			expect(report.entries).toBeGreaterThanOrEqual(1);
			for (const finding of report.findings) {
				expect(['error', 'warning']).toContain(finding.severity);
				expect(finding.message).not.toBe('');
				expect(finding.remedy).not.toBe('');
			}
		},
	},
	{
		name: 'counts what was rescued, and how long it took',
		async run(fixture) {
			await complete(fixture, 'smooth', (await win(fixture, 'smooth')).held);
			for (const key of ['a', 'b']) {
				await win(fixture, key);
				const { held } = await takeOver(fixture, key);
				await complete(fixture, key, held);
				await fixture.ledger.completeEvents([{ ...at(fixture, key), ...held }]);
			}
			const { tallies } = await fixture.ledger.stats({ namespace: fixture.namespace });
			const count = (kind: string) => tallies.find((tally) => tally.kind === kind)?.count;
			expect(count('rescued')).toBe(2);
			expect(count('rescue_seconds')).toBeGreaterThanOrEqual(2);
			expect(count('rescue_seconds')).toBeLessThan(120);
		},
	},
];
