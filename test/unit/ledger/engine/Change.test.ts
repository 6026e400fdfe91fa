import { type Base, Change } from '../../../../ledger/engine/Change';
import { eventOf } from '../../../../ledger/engine/codec';
import { HISTORY_LIMIT, type HistoryEntry } from '../../../../ledger/records';
import { unchanged } from '../../../../ledger/rules/Draft';
import type { Decision, Event, Step } from '../../../../ledger/rules/Event';
import type { Swap } from '../../../../ledger/stores/RecordStore';
import { event, NOW, step } from '../events';

function base(kept: Event = event(), steps: Step[] = []): Base {
	return {
		revision: 7,
		event: kept,
		steps: new Map(steps.map((one) => [one.name, one])),
		contents: new Map([['gate', '"shown"']]),
		result: '"old"',
		size: 10,
	};
}

function decision(change: Partial<Decision<string>> = {}): Decision<string> {
	return { ...unchanged('reply'), event: event(), ...change };
}

function entry(number: number): HistoryEntry {
	return { at: NOW, kind: 'step_done', attempt: 1, step: `s${number}` };
}

/** The event that is in a swap. */
function written({ namespace, key, head, body }: Swap): Event {
	const counted = { revision: 8, duplicates: 0, lastSeenAt: NOW };
	return eventOf({ namespace, key, ...head, ...counted, body });
}

function appended({ append }: Swap): HistoryEntry[] {
	return JSON.parse(`[${append}]`) as HistoryEntry[];
}

describe('A change', () => {
	test('is none when nothing was decided to change', () => {
		const change = new Change(base());
		expect(change.add(unchanged('reply'))).toBe('reply');
		expect(change.swap()).toBeUndefined();
	});

	test('says on what it is based, and leaves alone what it does not mention', () => {
		const change = new Change(base());
		expect(change.add(decision())).toBe('reply');
		expect(change.swap()).toMatchObject({
			...{ namespace: 'ns', key: 'k', revision: 7, parts: [], append: '', rotate: false },
			...{ input: undefined, result: undefined, duplicates: 0, lastSeenAt: undefined, counts: [] },
		});
	});

	test('is seen by the decisions that follow it', () => {
		const change = new Change(base(event(), [step({ name: 'a' }), step({ name: 'b' })]));
		const done = step({ name: 'a', state: 'done' });
		const contents = [
			{ gate: 'gate', content: undefined },
			{ gate: 'other', content: '"new"' },
		];
		change.add(decision({ event: event({ attempt: 2 }), steps: [done], contents, result: null }));
		expect(change.event!.attempt).toBe(2);
		expect(change.steps.get('a')).toBe(done);
		expect([...change.steps.values()].map(({ name, state }) => `${name} ${state}`)).toEqual([
			'a done',
			'b started',
		]);
		expect(change.contents).toEqual(new Map([['other', '"new"']]));
		expect(change.result).toBeUndefined();
	});

	test('of several decisions is one write: the last of each part, all of the history, sums of counts', () => {
		const change = new Change(base());
		change.add(
			decision({
				steps: [step({ tries: 1 })],
				history: [entry(1)],
				counts: [
					{ kind: 'step_started', n: 1 },
					{ kind: 'met_done', n: -1 },
				],
				duplicates: 1,
				lastSeenAt: 5,
				input: '"in"',
			}),
		);
		change.add(
			decision({
				steps: [step({ tries: 2 })],
				history: [entry(2)],
				counts: [
					{ kind: 'step_started', n: 1 },
					{ kind: 'met_done', n: 1 },
				],
				duplicates: 1,
				input: null,
				result: '"out"',
			}),
		);
		const swap = change.swap()!;
		expect(swap.parts.map(({ text }) => (JSON.parse(text) as Step).tries)).toEqual([2]);
		expect(appended(swap)).toEqual([entry(1), entry(2)]);
		expect(swap).toMatchObject({
			...{ counts: [{ kind: 'step_started', n: 2 }], duplicates: 2, lastSeenAt: 5 },
			...{ input: null, result: '"out"' },
		});
	});

	test('that is the first writes down how the event began', () => {
		const change = new Change(base(event({ entries: 0 })));
		change.add(decision({ event: event({ entries: 0 }), history: [entry(1)] }));
		const swap = change.swap()!;
		expect(appended(swap)).toMatchObject([{ kind: 'new', executionId: 'alice' }, entry(1)]);
		expect(written(swap).entries).toBe(2);
		const silent = new Change(base(event({ entries: 0 })));
		silent.add(decision({ event: event({ entries: 0 }) }));
		expect(appended(silent.swap()!)).toMatchObject([{ kind: 'new' }]);
	});

	test('that adds to a long history lets the older part of it go, and begins to count again', () => {
		for (const entries of [HISTORY_LIMIT - 1, HISTORY_LIMIT, HISTORY_LIMIT + 50]) {
			const change = new Change(base(event({ entries })));
			change.add(decision({ event: event({ entries }), history: [entry(1), entry(2)] }));
			const swap = change.swap()!;
			const isLong = entries >= HISTORY_LIMIT;
			expect(swap.rotate).toBe(isLong);
			expect(written(swap).entries).toBe(isLong ? 2 : entries + 2);
		}
		const silent = new Change(base(event({ entries: 500 })));
		silent.add(decision({ event: event({ entries: 500 }) }));
		expect(silent.swap()!.rotate).toBe(false);
	});

	test('writes no more of a history than is ever shown', () => {
		const change = new Change(base());
		const history = Array.from({ length: 250 }, (_, i) => entry(i));
		change.add(decision({ history }));
		expect(appended(change.swap()!)).toEqual(history.slice(-HISTORY_LIMIT));
	});

	test('leaves its mark, and those of the few before it, so that a lost answer is known again', () => {
		let kept = event();
		const calls: string[] = [];
		for (let i = 0; i < 10; i++) {
			const change = new Change(base(kept));
			calls.unshift(change.call);
			change.add(decision({ event: { ...kept } }));
			kept = written(change.swap()!);
			expect(kept.calls[0]).toBe(change.call);
		}
		expect(new Set(calls).size).toBe(10);
		expect(kept.calls.length).toBeGreaterThanOrEqual(5);
		expect(kept.calls.length).toBeLessThan(10);
		expect(kept.calls).toEqual(calls.slice(0, kept.calls.length));
	});

	test('brings what is remembered up to date, without a copy of all of it', () => {
		const known = base(event(), [step({ name: 'a' }), step({ name: 'b' })]);
		const change = new Change(known);
		change.add(decision({ steps: [step({ name: 'b', state: 'done' }), step({ name: 'c' })] }));
		expect(known.steps.get('b')!.state).toBe('started');
		const { steps, size } = change.settledSteps(change.swap()!);
		expect(steps).toBe(known.steps);
		expect([...steps.values()].map(({ name, state }) => `${name} ${state}`)).toEqual([
			'a started',
			'b done',
			'c started',
		]);
		expect(size).toBeGreaterThan(known.size + 100);
		// Nothing is remembered anew when no step changed.
		const other = new Change(known);
		other.add(decision());
		expect(other.settledSteps(other.swap()!)).toMatchObject({ size: known.size });
	});
});
