import {
	belongingsOf,
	bodyOf,
	conflictPart,
	contentPart,
	eventOf,
	freshBodyOf,
	headOf,
	historyOf,
	historyText,
	isExpired,
	stepPart,
} from '../../../../ledger/engine/codec';
import type { HistoryEntry } from '../../../../ledger/records';
import { importedEvent, newEvent } from '../../../../ledger/rules/claim';
import type { Event } from '../../../../ledger/rules/Event';
import type { FullRecord } from '../../../../ledger/stores/RecordStore';
import { approval, claimCommand, event, HOUR, NOW, step } from '../events';

/** As a store keeps it and gives it back: what has no value is not there. */
function recordOf(kept: Event, body = bodyOf(kept)): FullRecord {
	const { namespace, key, duplicates, lastSeenAt } = kept;
	const record = { namespace, key, ...headOf(kept), duplicates, lastSeenAt, revision: 7, body };
	return JSON.parse(JSON.stringify(record)) as FullRecord;
}

function withoutHoles(kept: Event): unknown {
	return JSON.parse(JSON.stringify(kept));
}

const EVENTS: Record<string, Event> = {
	'as it was claimed, and touched': event(),
	'with all there is': event({
		state: 'waiting',
		attempt: 3,
		maxAttempts: 9,
		fingerprint: 'fp',
		workflowId: 'w',
		doneAt: 5,
		expiresAt: 6,
		duplicates: 4,
		conflicts: 2,
		reason: 'It broke',
		externalId: 'x',
		alias: 'a',
		outcome: 'retry',
		leaseMs: 1,
		retentionMs: 2,
		onStopped: 'takeover',
		keepInput: true,
		object: 'o',
		version: 1.5,
		attemptsSince: 2,
		isPaused: true,
		steps: 5,
		openSteps: 2,
		entries: 40,
		approvals: [approval({ notes: { 'approval_shown olga': 2 } })],
		calls: ['b', 'a'],
	}),
	'with what most events have': event({
		maxAttempts: 5,
		leaseMs: 30 * 60 * 1000,
		retentionMs: 30 * 24 * HOUR,
		onStopped: 'review',
	}),
};

describe('An event', () => {
	test.each(Object.entries(EVENTS))('%s comes back as it was', (_, kept) => {
		expect(withoutHoles(eventOf(recordOf(kept)))).toEqual(withoutHoles(kept));
	});

	test('keeps nothing twice: what the store finds it by is not in the body', () => {
		const body = JSON.parse(bodyOf(EVENTS['with all there is'])) as object;
		for (const name of Object.keys(recordOf(event()))) expect(body).not.toHaveProperty(name);
	});

	test('as most are takes few characters', () => {
		expect(bodyOf({ ...EVENTS['with what most events have'] }).length).toBeLessThan(250);
	});

	test('that was just claimed has the times of when it was inserted', () => {
		// What is sent does not know yet when that will be.
		const body = freshBodyOf(newEvent(claimCommand(), 0));
		const inserted = { ...recordOf(newEvent(claimCommand(), NOW)), body };
		expect(withoutHoles(eventOf(inserted))).toEqual(withoutHoles(newEvent(claimCommand(), NOW)));
	});

	test('that was just imported has them too, or the time that it was done', () => {
		for (const doneAt of [undefined, 5]) {
			const command = { namespace: 'ns', key: 'k', retentionMs: HOUR, call: 'c', doneAt };
			const body = freshBodyOf(importedEvent({ ...command, doneAt: doneAt ?? 0 }, 0));
			const imported = importedEvent(command, NOW);
			const back = eventOf({ ...recordOf(imported), body });
			// As what a claim was won is of no interest where there was none.
			expect(withoutHoles(back)).toEqual(withoutHoles({ ...imported, outcome: 'new' }));
			expect(back.doneAt).toBe(doneAt ?? NOW);
		}
	});

	test('is expired from the millisecond on at which it expires', () => {
		expect(isExpired({}, NOW)).toBe(false);
		expect(isExpired({ expiresAt: NOW + 1 }, NOW)).toBe(false);
		expect(isExpired({ expiresAt: NOW }, NOW)).toBe(true);
	});
});

describe('What belongs to an event', () => {
	const record = (...parts: FullRecord['parts'] & object) => ({ ...recordOf(event()), parts });

	test('comes back: steps and rows, contents of gates, values', () => {
		const steps = [step(), step({ row: 'r', output: '"out"', undo: '1' }), step({ name: 'g' })];
		const parts = [...steps.map(stepPart), contentPart('gate', '"content"')];
		const found = belongingsOf({ ...record(...parts), input: '"in"', result: '"out"' });
		expect([...found.steps.values()]).toEqual(steps);
		expect(found.steps.size).toBe(3);
		expect(found.contents).toEqual(new Map([['gate', '"content"']]));
		expect(found).toMatchObject({ input: '"in"', result: '"out"', conflicts: [] });
	});

	test('has no content where there is none any more', () => {
		expect(belongingsOf(record(contentPart('gate', undefined))).contents.size).toBe(0);
	});

	test('is found by the external id of a step', () => {
		expect(stepPart(step({ externalId: 'ch_1' })).externalId).toBe('ch_1');
		expect(stepPart(step())).not.toHaveProperty('externalId');
	});

	test('is named so that no two are mistaken for each other', () => {
		const names = [
			stepPart(step({ name: 'a', row: 'b' })),
			stepPart(step({ name: 'a b' })),
			stepPart(step({ name: 'a' })),
			stepPart(step({ name: 'b', row: 'a' })),
			contentPart('a', '1'),
			contentPart('s', '1'),
			conflictPart({ at: 1, executionId: 'x', fingerprint: 'f' }, 1),
		].map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	test('is at most five conflicts, newest first, also of one millisecond', () => {
		const kept = new Map<string, NonNullable<FullRecord['parts']>[number]>();
		for (let i = 1; i <= 8; i++) {
			const part = conflictPart({ at: NOW, executionId: `${i}`, fingerprint: 'f' }, i);
			kept.set(part.name, part);
		}
		const { conflicts } = belongingsOf(record(...kept.values()));
		expect(conflicts.map(({ executionId }) => executionId)).toEqual(['8', '7', '6', '5', '4']);
	});
});

describe('A history', () => {
	const entries: HistoryEntry[] = [
		{ at: 1, kind: 'new', attempt: 1, executionId: 'e' },
		{ at: 2, kind: 'step_done', attempt: 1, step: 'a","b', row: '[' },
		{ at: 3, kind: 'failed', attempt: 1, reason: '}{' },
	];

	test('comes back, its newest entries', () => {
		const record = { ...recordOf(event()), history: historyText(entries) };
		expect(historyOf(record, 100)).toEqual(entries);
		expect(historyOf(record, 2)).toEqual(entries.slice(1));
	});

	test('of what nobody touched is how it began', () => {
		const fresh = recordOf(newEvent(claimCommand(), NOW));
		expect(historyOf({ ...fresh, history: '' }, 100)).toEqual([
			{ at: NOW, kind: 'new', attempt: 1, executionId: 'alice' },
		]);
		const imported = importedEvent({ namespace: 'n', key: 'k', retentionMs: 1, call: 'c' }, NOW);
		expect(historyOf(recordOf(imported), 100)).toEqual([{ at: NOW, kind: 'imported', attempt: 0 }]);
	});
});
