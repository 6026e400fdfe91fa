import type { WriteCommand } from '../../../../ledger/rules/commands';
import type { Event, Found, Step } from '../../../../ledger/rules/Event';
import { RULES } from '../../../../ledger/rules/RuleBook';
import { ALICE, approval, BOB, claimCommand, event, HOUR, NOW, step } from '../events';

/** Nobody may change it, in whatever depth. */
function frozen<T>(value: T): T {
	if (typeof value !== 'object' || value === null) return value;
	for (const field of Object.values(value)) frozen(field);
	return Object.freeze(value);
}

const EVENTS: Event[] = [
	event(),
	event({ leaseUntil: NOW - 1, dueAt: NOW - 1 }),
	event({ state: 'failed', leaseUntil: undefined, dueAt: NOW - 1, reason: 'why', attempt: 3 }),
	event({ state: 'review', leaseUntil: undefined, dueAt: NOW - 1 }),
	event({ state: 'done', leaseUntil: undefined, dueAt: undefined, expiresAt: NOW + HOUR }),
	event({
		state: 'waiting',
		leaseUntil: undefined,
		approvals: [approval(), approval({ gate: 'b' })],
	}),
	event({
		state: 'waiting',
		leaseUntil: undefined,
		approvals: [approval({ expiresAt: NOW - 1, notes: { 'approval_shown olga': 1 } })],
	}),
	event({ state: 'waiting', isPaused: true, leaseUntil: NOW - 1 }),
	event({
		steps: 4,
		openSteps: 2,
		approvals: [approval({ state: 'approved', decidedBy: 'olga' })],
	}),
];

const STEPS: Step[] = [
	step(),
	step({ name: 'failed', state: 'failed', position: 1 }),
	step({ name: 'done', state: 'done', output: '1', undo: '2', finishedAt: NOW - 1, position: 2 }),
	step({ name: 'undone', state: 'undone', undo: '2', finishedAt: NOW - 1, position: 3 }),
];

const address = { namespace: 'ns', key: 'k' };
const held = { ...address, holder: ALICE, attempt: 1 };
const olga = { ...address, by: 'olga' };
const gate = { gate: 'gate', fingerprint: 'content' };
const begun = { executionId: 'sub', claimant: 'alice/node/0/0', call: 'c' };

const COMMANDS: WriteCommand[] = [
	...['step', 'failed', 'done', 'undone', 'new'].flatMap((name): WriteCommand[] => [
		{ kind: 'begin', ...held, ...begun, step: name, whenInDoubt: 'review' },
		{ kind: 'begin', ...held, ...begun, step: name, whenInDoubt: 'repeat', fingerprint: 'f' },
		{ kind: 'finish', ...held, step: name, state: 'done', output: '"out"' },
		{ kind: 'finish', ...held, step: name, state: 'failed', error: 'No' },
		{ kind: 'resolve', ...olga, step: name, resolution: 'happened' },
		{ kind: 'markUndone', ...olga, step: name },
	]),
	{ kind: 'takeUndos', ...held, visibilityMs: HOUR },
	{ kind: 'takeUndos', ...olga, visibilityMs: HOUR },
	{ kind: 'complete', ...held, result: '1' },
	{ kind: 'complete', ...olga, inState: 'review' },
	{ kind: 'fail', ...held, as: 'failed', reason: 'why', retryAfterMs: 0 },
	{ kind: 'fail', ...olga, as: 'review', reason: 'why', retryAfterMs: 0 },
	{ kind: 'renew', ...held },
	{ kind: 'renew', ...held, holder: BOB },
	{ kind: 'pause', ...held, forMs: HOUR },
	{ kind: 'release', ...olga },
	{ kind: 'requestApproval', ...held, ...gate, id: 'i', required: 1, content: '1' },
	{ kind: 'requestApproval', ...address, ...gate, fingerprint: 'other', id: 'i', required: 2 },
	{ kind: 'decideApproval', ...olga, gate: 'gate', approvalId: 'request', decision: 'approved' },
	{
		kind: 'noteApproval',
		...olga,
		gate: 'gate',
		approvalId: 'request',
		note: 'approval_shown',
		limit: 2,
	},
	{
		kind: 'take',
		...olga,
		kinds: ['stuck', 'failed', 'review', 'expired_gate'],
		...{ visibilityMs: HOUR, minAgeMs: 0, minAttempts: 0, backoffMs: 0, maxBackoffMs: HOUR },
	},
];

function found(seen: Event | undefined): Found {
	return {
		event: seen,
		steps: new Map(STEPS.map((one) => [one.name, one])),
		contents: new Map([['gate', '"shown"']]),
		result: '"result"',
	};
}

beforeAll(() => frozen([EVENTS, STEPS, COMMANDS]));

describe('The rules change nothing of what they are given, and always decide the same', () => {
	const pairs = COMMANDS.map((command, i) => [`${i} ${command.kind}`, command] as const);

	test.each(pairs)('%s', (_, command) => {
		for (const seen of [...EVENTS, undefined]) {
			const first = RULES.write(found(seen), command, NOW);
			expect(RULES.write(found(seen), command, NOW)).toEqual(first);
			if (first.event) {
				expect(first.event).not.toBe(seen);
				expect(first.event.createdAt).toBe(seen!.createdAt);
				expect(first.event.attempt).toBe(seen!.attempt);
			} else {
				// What is not written down is not counted either.
				const { steps, contents, history, counts, duplicates } = first;
				expect([steps, contents, history, counts, duplicates]).toEqual([[], [], [], [], 0]);
			}
		}
	});

	test('claims too', () => {
		for (const seen of EVENTS) {
			for (const holder of [ALICE, BOB]) {
				const command = frozen(claimCommand({ holder, fingerprint: 'f' }));
				for (const isStale of [false, true]) {
					const delivery = frozen({ countedAs: `met_${seen.state}`, isStale });
					const first = RULES.claim(seen, command, delivery, NOW);
					expect(RULES.claim(seen, command, delivery, NOW)).toEqual(first);
				}
			}
		}
	});
});
