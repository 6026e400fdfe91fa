import * as fc from 'fast-check';

import { EVENT_STATES } from '../../../ledger/records';
import { HOUR } from '../conformance/helpers';
import { HOLDER, type Item, type Kind, type Operation, WORKERS } from './operations';
import { SAGAS, STORIES } from './stories';

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(...values: readonly T[]) => fc.constantFrom(undefined, ...values);
const rarely = oneOf(false, false, false, true);
const hardlyEver = oneOf(...Array<boolean>(9).fill(false), true);

const anyItem: fc.Arbitrary<Item> = fc.record({
	key: oneOf('a', 'a', 'a', 'b', 'b', 'c'),
	step: oneOf('s1', 's1', 's1', 's2'),
	row: maybe(undefined, undefined, undefined, 'r1'),
	gate: oneOf('g1', 'g1', 'g1', 'g2'),
});

/** Mostly one request, because most callers have one. */
const anyItems = fc.oneof(
	{ weight: 6, arbitrary: fc.array(anyItem, { minLength: 1, maxLength: 1 }) },
	{ weight: 1, arbitrary: fc.array(anyItem, { minLength: 2, maxLength: 4 }) },
);

const common = {
	worker: oneOf(...WORKERS, 'w1', 'w2', 'w3', ...Array<typeof HOLDER>(12).fill(HOLDER)),
	elsewhere: rarely,
	outdated: hardlyEver,
	items: anyItems,
};

const byOperator = { byOperator: rarely, inState: maybe(undefined, undefined, ...EVENT_STATES) };
const externalId = maybe(undefined, 'e1', 'e2');
const fingerprint = maybe(undefined, undefined, 'f1', 'f2');

type Fields = { [name: string]: fc.Arbitrary<unknown> };

/** How often each kind of operation comes, and what it may be about. */
const FIELDS: Record<Kind, [weight: number, fields?: Fields]> = {
	claim: [
		14,
		{
			onStopped: oneOf('takeover', 'takeover', 'review'),
			itemIndex: oneOf(0, 0, 0, 1),
			actsFor: maybe(undefined, undefined, undefined, ...WORKERS),
			fingerprint,
			input: maybe(1, 2),
			keepInput: rarely,
			version: maybe(undefined, undefined, undefined, 1, 2, 3),
			alias: maybe(undefined, undefined, undefined, 'x', 'y'),
			findSameContent: rarely,
			longer: rarely,
		},
	],
	begin: [
		7,
		{
			whenInDoubt: oneOf('review', 'repeat'),
			itemIndex: oneOf(0, 0, 0, 1),
			isSub: rarely,
			fingerprint,
		},
	],
	finish: [
		8,
		{
			state: oneOf('done', 'done', 'failed'),
			output: maybe(1, 2),
			undo: oneOf(1, 2, undefined),
			externalId,
		},
	],
	resolve: [3, { resolution: oneOf('happened', 'did_not_happen'), externalId }],
	takeUndos: [3, { byOperator: oneOf(false, false, true) }],
	markUndone: [3, { byOperator: oneOf(false, false, true) }],
	complete: [5, { ...byOperator, result: maybe(1, 2), externalId }],
	fail: [5, { ...byOperator, as: oneOf('failed', 'failed', 'review'), later: rarely }],
	renew: [2, { longer: rarely }],
	pause: [3, { forMs: maybe(0, 3 * HOUR) }],
	release: [3, { ...byOperator, byOperator: oneOf(true, false) }],
	failByExecution: [1, { as: oneOf('failed', 'review') }],
	ask: [
		6,
		{
			holds: oneOf(true, true, false),
			fingerprint: oneOf('c1', 'c1', 'c2'),
			required: oneOf(1, 1, 2),
			expires: fc.boolean(),
		},
	],
	decide: [
		7,
		{
			decision: oneOf('approved', 'approved', 'rejected'),
			person: oneOf('olga', 'olga', 'paul'),
			superseded: hardlyEver,
		},
	],
	note: [
		3,
		{
			noted: oneOf('approval_shown', 'decision_sent', 'decision_sent'),
			person: oneOf('olga', 'olga', 'paul'),
			limit: oneOf(1, 2),
			superseded: hardlyEver,
		},
	],
	take: [
		3,
		{
			kinds: fc.uniqueArray(oneOf('stuck', 'failed', 'review', 'expired_gate'), { minLength: 1 }),
			minAttempts: oneOf(0, 0, 0, 2),
			minAgeMs: oneOf(0, 0, 0, 0, HOUR),
			backoffMs: oneOf(0, 0, HOUR),
			maxBackoffMs: oneOf(24 * HOUR, 24 * HOUR, 0),
		},
	],
	get: [1],
	histories: [1],
	list: [
		2,
		{
			by: fc.oneof(
				oneOf(...EVENT_STATES, 'stuck').map((state) => ({ state })),
				oneOf(...WORKERS).map((executionOf) => ({ executionOf })),
				oneOf('f1', 'f2').map((name) => ({ fingerprint: name })),
				oneOf('e1', 'e2').map((id) => ({ externalId: id })),
				oneOf({ keyPrefix: 'a' }, { keyPart: 'b' }, { nothing: true }),
			),
			limit: oneOf(1, 2, 50),
		},
	],
	stats: [1],
	import: [1, { result: oneOf(1, 2), fingerprint, externalId }],
	delete: [1],
	purge: [1],
	registerRecovery: [1, { everywhere: fc.boolean() }],
	recoveries: [1],
	secret: [1, { name: oneOf('n1', 'n2') }],
	expireLease: [6],
	expirePause: [2],
	expireRecord: [2],
	expireApproval: [3],
	makeDue: [2],
	expireUndos: [2],
};

function operation(kind: Kind): fc.Arbitrary<Operation> {
	const [, fields = {}] = FIELDS[kind];
	const all = { kind: fc.constant(kind), ...common, ...fields };
	return fc.record(all, { noNullPrototype: true }) as fc.Arbitrary<Operation>;
}

const KINDS = Object.keys(FIELDS) as Kind[];
const anyOperation = fc.oneof(
	...KINDS.map((kind) => ({ weight: FIELDS[kind][0], arbitrary: operation(kind) })),
);

/** Its parts are about the same event, and, unless it is a saga, about the same step and gate. */
function story(kinds: readonly Kind[], isSaga: boolean): fc.Arbitrary<Operation[]> {
	// Parts may be missing, mostly so that a failure can be reduced to those that matter.
	const parts = kinds.map((kind) => fc.option(operation(kind), { freq: 20 }));
	return fc.tuple(anyItem, ...parts).map(([about, ...operations]) =>
		operations
			.filter((part) => part !== null)
			.map((part) => ({
				...part,
				items: part.items.map((item) => ({ ...(isSaga ? item : about), key: about.key })),
			})),
	);
}

/** What several workers do, one after the other. */
export const anySequence: fc.Arbitrary<Operation[]> = fc
	.array(
		fc.oneof(
			{ weight: STORIES.length, arbitrary: anyOperation.map((one) => [one]) },
			...STORIES.map((kinds) => story(kinds, false)),
			...SAGAS.map((kinds) => story(kinds, true)),
		),
		{ maxLength: 12, size: 'max' },
	)
	.map((parts) => parts.flat());
