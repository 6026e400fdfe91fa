import * as fc from 'fast-check';

import type { WorkKind } from '../../../ledger/Ledger';
import type { NoteKind } from '../../../ledger/records';
import { HOUR } from '../conformance/helpers';

/** Few names, and some of them often, so that the operations meet each other. */
export const KEYS = ['a', 'b'] as const;
export const WORKERS = ['w1', 'w2', 'w3'] as const;
/** Stands for the worker who won the claim last: most others could only fail. */
export const HOLDER = 'holder';

/** One thing that somebody does. Plain data, so that a failure shows what was done. */
export type Operation = { key: string; worker: string; step: string; gate: string } & (
	| {
			kind: 'claim';
			onStopped: 'review' | 'takeover';
			item: number;
			carries: boolean;
			fingerprint?: string;
			input?: number;
			version?: number;
	  }
	| { kind: 'begin'; whenInDoubt: 'review' | 'repeat'; fingerprint?: string }
	| { kind: 'finish'; state: 'done' | 'failed'; output?: number; undo?: number }
	| { kind: 'takeUndos'; byOperator: boolean }
	| { kind: 'markUndone'; byOperator: boolean }
	| { kind: 'complete'; byOperator: boolean; result?: number }
	| { kind: 'fail'; byOperator: boolean; as: 'failed' | 'review'; later: boolean }
	| { kind: 'renew' }
	| { kind: 'release'; byOperator: boolean }
	| { kind: 'failByExecution'; as: 'failed' | 'review' }
	| { kind: 'ask'; holds: boolean; fingerprint: string; required: number; expires: boolean }
	| { kind: 'decide'; decision: 'approved' | 'rejected'; person: string; outdated: boolean }
	| { kind: 'note'; noted: NoteKind; person: string; limit: number; outdated: boolean }
	| {
			kind: 'take';
			kinds: WorkKind[];
			minAttempts: number;
			minAgeMs: number;
			backoffMs: number;
			maxBackoffMs: number;
	  }
	| { kind: 'import'; result: number }
	| { kind: 'delete' }
	| { kind: 'purge' }
	| { kind: 'expireLease' }
	| { kind: 'expireRecord' }
	| { kind: 'expireApproval' }
	| { kind: 'makeDue' }
	| { kind: 'expireUndos' }
);

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(...values: readonly T[]) => fc.constantFrom(undefined, ...values);
const rarely = oneOf(false, false, false, true);

const anyWorker = oneOf(...WORKERS, ...Array<string>(6).fill(HOLDER));

function operation(
	weight: number,
	kind: Operation['kind'],
	fields: { [name: string]: fc.Arbitrary<unknown> } = {},
): fc.WeightedArbitrary<Operation> {
	const common = {
		key: oneOf('a', 'a', 'a', 'b'),
		worker: anyWorker,
		step: oneOf('s1', 's1', 's1', 's2'),
		gate: oneOf('g1', 'g1', 'g1', 'g2'),
	};
	const arbitrary = fc.record({ kind: fc.constant(kind), ...common, ...fields });
	return { weight, arbitrary: arbitrary as fc.Arbitrary<Operation> };
}

const OPERATIONS: Record<Operation['kind'], fc.WeightedArbitrary<Operation>> = {
	claim: operation(10, 'claim', {
		onStopped: oneOf('takeover', 'takeover', 'review'),
		item: oneOf(0, 0, 0, 1),
		carries: rarely,
		fingerprint: maybe(undefined, undefined, 'f1', 'f2'),
		input: maybe(1, 2),
		version: maybe(undefined, undefined, 1, 2),
	}),
	begin: operation(6, 'begin', {
		whenInDoubt: oneOf('review', 'repeat'),
		fingerprint: maybe(undefined, undefined, 'f1', 'f2'),
	}),
	finish: operation(6, 'finish', {
		state: oneOf('done', 'done', 'failed'),
		output: maybe(1, 2),
		undo: oneOf(1, 2, undefined),
	}),
	takeUndos: operation(3, 'takeUndos', { byOperator: rarely }),
	markUndone: operation(3, 'markUndone', { byOperator: rarely }),
	complete: operation(4, 'complete', { byOperator: rarely, result: maybe(1, 2) }),
	fail: operation(4, 'fail', { byOperator: rarely, as: oneOf('failed', 'review'), later: rarely }),
	renew: operation(2, 'renew'),
	release: operation(3, 'release', { byOperator: oneOf(true, false) }),
	failByExecution: operation(1, 'failByExecution', { as: oneOf('failed', 'review') }),
	ask: operation(5, 'ask', {
		holds: oneOf(true, true, false),
		fingerprint: oneOf('c1', 'c1', 'c2'),
		required: oneOf(1, 2),
		expires: fc.boolean(),
	}),
	decide: operation(7, 'decide', {
		decision: oneOf('approved', 'approved', 'rejected'),
		person: oneOf('olga', 'olga', 'paul'),
		outdated: rarely,
	}),
	note: operation(3, 'note', {
		noted: oneOf('approval_shown', 'decision_sent', 'decision_sent'),
		person: oneOf('olga', 'olga', 'paul'),
		limit: oneOf(1, 2),
		outdated: rarely,
	}),
	take: operation(3, 'take', {
		kinds: fc.uniqueArray(oneOf('stuck', 'failed', 'review', 'expired_gate'), { minLength: 1 }),
		minAttempts: oneOf(0, 0, 0, 2),
		minAgeMs: oneOf(0, 0, 0, 0, HOUR),
		backoffMs: oneOf(0, 0, HOUR),
		maxBackoffMs: oneOf(24 * HOUR, 24 * HOUR, 0),
	}),
	import: operation(1, 'import', { result: oneOf(1, 2) }),
	delete: operation(1, 'delete'),
	purge: operation(1, 'purge'),
	expireLease: operation(5, 'expireLease'),
	expireRecord: operation(2, 'expireRecord'),
	expireApproval: operation(2, 'expireApproval'),
	makeDue: operation(2, 'makeDue'),
	expireUndos: operation(2, 'expireUndos'),
};

/** What happens in life, and hardly ever by chance. Each operation still varies, but they are about the same things. */
const STORIES: Array<Array<Operation['kind']>> = [
	['claim', 'begin', 'expireLease', 'claim', 'begin'],
	['claim', 'finish', 'expireLease', 'claim', 'begin', 'finish'],
	['claim', 'begin', 'finish', 'fail', 'claim', 'begin', 'complete'],
	['claim', 'ask', 'decide', 'decide', 'decide', 'begin'],
	['claim', 'ask', 'expireApproval', 'decide', 'ask', 'renew'],
	['claim', 'ask', 'decide', 'ask', 'decide', 'complete'],
	['claim', 'ask', 'note', 'note', 'note', 'ask', 'note'],
	['claim', 'finish', 'complete', 'complete', 'claim', 'expireRecord', 'claim', 'begin'],
	['claim', 'expireLease', 'take', 'claim', 'take', 'fail', 'take'],
	['claim', 'fail', 'claim', 'fail', 'claim', 'fail', 'claim', 'release', 'claim'],
	['claim', 'fail', 'take', 'claim', 'fail', 'take', 'makeDue', 'take', 'release', 'take'],
	['claim', 'finish', 'takeUndos', 'takeUndos', 'markUndone', 'markUndone', 'takeUndos', 'begin'],
	['claim', 'finish', 'takeUndos', 'expireLease', 'claim', 'takeUndos', 'markUndone'],
	['claim', 'begin', 'markUndone', 'finish', 'delete', 'delete', 'claim', 'begin'],
];

/** The same of several steps of an event. */
const SAGAS: Array<Array<Operation['kind']>> = [
	['claim', 'finish', 'finish', 'takeUndos', 'markUndone', 'takeUndos', 'markUndone', 'finish'],
	['claim', 'finish', 'finish', 'fail', 'takeUndos', 'expireUndos', 'takeUndos', 'markUndone'],
];

function story(
	kinds: Array<Operation['kind']>,
	about: (first: Operation) => Partial<Operation>,
): fc.Arbitrary<Operation[]> {
	// Parts may be missing, mostly so that a failure can be reduced to those that matter.
	const parts = kinds.map((kind) => fc.option(OPERATIONS[kind].arbitrary, { freq: 20 }));
	return fc.tuple(...parts).map((operations) => {
		const told = operations.filter((part) => part !== null);
		return told.map((part) => ({ ...part, ...about(told[0]) }) as Operation);
	});
}

const stories = [
	...STORIES.map((kinds) => story(kinds, ({ key, step, gate }) => ({ key, step, gate }))),
	...SAGAS.map((kinds) => story(kinds, ({ key }) => ({ key }))),
];

const one = fc.oneof(...Object.values(OPERATIONS)).map((operation) => [operation]);

/** What several workers do, one after the other. */
export const anySequence: fc.Arbitrary<Operation[]> = fc
	.array(fc.oneof({ weight: 5, arbitrary: one }, ...stories), {
		minLength: 1,
		maxLength: 25,
		size: 'max',
	})
	.map((parts) => parts.flat());
