import {
	InvalidNameError,
	InvalidRequestError,
	InvalidValueError,
	LedgerError,
	ValueTooLargeError,
} from '../../../ledger/errors';
import type { Ledger } from '../../../ledger/Ledger';
import { DEFAULTS, type EventAddress } from '../../../ledger/records';
import type { Case, Fixture } from './Case';
import {
	ALICE,
	at,
	beginStep,
	claimant,
	complete,
	history,
	look,
	ok,
	unchanged,
	wait,
	win,
} from './helpers';

const BAD_NAMES: Record<string, unknown> = {
	empty: '',
	blank: ' \u00a0 ',
	missing: undefined,
	null: null,
	'a number': 7,
	'too long': 'x'.repeat(513),
	'a line break': 'a\nb',
	'a NUL': 'a\0b',
	'a delete': 'a\u007fb',
	'a C1 control': 'a\u0085b',
	'half of a pair': 'a\ud83d',
	'the other half': '\ude00b',
};

const circular: Record<string, unknown> = {};
circular.self = circular;

function tooDeep(): unknown {
	let value: unknown = 1;
	for (let i = 0; i < 600; i++) value = [value];
	return value;
}

const BAD_VALUES: Record<string, unknown> = {
	'a NUL': 'a\0b',
	'a NUL in depth': { list: [{ text: '\0' }] },
	'a NUL in a name': { 'a\0': 1 },
	'half of a pair': ['\ud83d'],
	'half of a pair in a name': { '\ude00': 1 },
	NaN: NaN,
	Infinity: { n: -Infinity },
	'a BigInt': 1n,
	'a function': { call: () => 1 },
	'a symbol': Symbol('s'),
	'a date': new Date(),
	'a map': new Map(),
	'a buffer': Buffer.from('x'),
	'a hole': [1, undefined, 3],
	'an instance': new (class Thing {
		x = 1;
	})(),
	'itself in itself': circular,
	'too deep': tooDeep(),
};

const BAD_DURATIONS = [-1, 0, 1.5, NaN, Infinity, '5', 1e15];

type Request = EventAddress & Record<string, unknown>;
type Batch = (ledger: Ledger, requests: Request[]) => Promise<unknown>;

/** The operations that take batches, with requests of any shape. */
const OPERATIONS = {
	claim: (ledger, requests) =>
		ledger.claimEvents(requests.map((request) => ({ claimant: ALICE, ...request }))),
	begin: (ledger, requests) =>
		ledger.beginSteps(
			requests.map((request) => ({ claimant: ALICE, token: 't', step: 's', ...request })),
		),
	finish: (ledger, requests) =>
		ledger.finishSteps(requests.map((request) => ({ token: 't', step: 's', ...request }))),
	complete: (ledger, requests) =>
		ledger.completeEvents(requests.map((request) => ({ by: 'olga', ...request }) as never)),
	fail: (ledger, requests) =>
		ledger.failEvents(
			requests.map((request) => ({ by: 'olga', reason: 'why', ...request }) as never),
		),
	renew: (ledger, requests) =>
		ledger.renewLeases(requests.map((request) => ({ token: 't', ...request }))),
	release: (ledger, requests) =>
		ledger.releaseEvents(requests.map((request) => ({ by: 'olga', ...request }) as never)),
	approve: (ledger, requests) =>
		ledger.requestApprovals(
			requests.map((request) => ({ gate: 'g', fingerprint: 'f', ...request })),
		),
	import: (ledger, requests) => ledger.importRecords(requests),
	get: (ledger, requests) => ledger.get(requests),
} satisfies Record<string, Batch>;

/**
 * The second item of the batch is wrong: the whole batch is refused with the error of its kind and the number of the
 * item, and the first, which is fine, is not written either.
 */
async function expectRefused(
	fixture: Fixture,
	operation: keyof typeof OPERATIONS,
	bad: Record<string, unknown>,
	type: new (...args: never[]) => LedgerError,
): Promise<void> {
	const fine = at(fixture, operation === 'claim' || operation === 'import' ? 'nothing' : 'there');
	const requests = [fine, { ...fine, ...bad }, fine];
	await unchanged(fixture, fine.key, async () => {
		const error = await OPERATIONS[operation](fixture.ledger, requests as Request[]).then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		const what = `${operation} ${Object.keys(bad).join()}`;
		expect({ what, error }).toEqual({ what, error: expect.any(type) });
		const { name, index, remedy } = error as LedgerError;
		expect({ what, name, index }).toEqual({ what, name: type.name, index: 1 });
		expect(remedy).not.toBe('');
	});
}

function refuses(
	name: string,
	type: new (...args: never[]) => LedgerError,
	bad: Array<[keyof typeof OPERATIONS, Record<string, unknown>]>,
): Case {
	return {
		name,
		async run(fixture) {
			await win(fixture, 'there');
			for (const [operation, request] of bad) {
				await expectRefused(fixture, operation, request, type);
			}
			expect(await fixture.ledger.get([at(fixture, 'nothing')])).toEqual([undefined]);
		},
	};
}

function names(what: string, ...operations: Array<keyof typeof OPERATIONS>) {
	return Object.entries(BAD_NAMES).flatMap(([, name]) =>
		operations.map((operation): [typeof operation, Record<string, unknown>] => [
			operation,
			{ [what]: name },
		]),
	);
}

function values(bad: unknown[]) {
	return bad.flatMap(
		(value): Array<[keyof typeof OPERATIONS, Record<string, unknown>]> => [
			['claim', { input: value }],
			['finish', { output: value }],
			['finish', { undo: value }],
			['complete', { result: value }],
			['approve', { content: value }],
			['import', { result: value }],
		],
	);
}

function each(operation: keyof typeof OPERATIONS, what: string, bad: unknown[]) {
	return bad.map((value): [typeof operation, Record<string, unknown>] => [
		operation,
		{ [what]: value },
	]);
}

const everywhere = Object.keys(OPERATIONS) as Array<keyof typeof OPERATIONS>;

export const badInput: Case[] = [
	refuses('a bad key', InvalidNameError, names('key', ...everywhere)),
	refuses('a bad namespace', InvalidNameError, names('namespace', ...everywhere)),
	refuses('a namespace of too many bytes', InvalidNameError, [
		...everywhere.flatMap((operation) => each(operation, 'namespace', ['水'.repeat(342)])),
	]),
	refuses('a bad step, gate or token', InvalidNameError, [
		...names('step', 'begin', 'finish'),
		...names('gate', 'approve'),
		...names('token', 'begin', 'finish', 'renew'),
	]),
	refuses('a bad fingerprint or other ID', InvalidNameError, [
		...each('claim', 'fingerprint', ['', 'a\nb', 'x'.repeat(513)]),
		...each('approve', 'fingerprint', ['', undefined, 'a\0']),
		...each('begin', 'fingerprint', ['', 'a\ud800']),
		...each('import', 'fingerprint', ['']),
		...each('claim', 'workflowId', ['', 'a\0']),
		...each('claim', 'token', ['']),
		...each('finish', 'externalId', ['', 'a\0', 'x'.repeat(513)]),
		...each('complete', 'externalId', ['', 'a\0']),
		...each('complete', 'by', ['', 'a\nb']),
		...each('claim', 'claimant', [{ ...ALICE, executionId: '' }]),
		...each('claim', 'claimant', [{ ...ALICE, nodeId: 'a\0' }]),
		...each('begin', 'claimant', [{ ...ALICE, executionId: 'a\nb' }]),
		...each('claim', 'ordering', [{ object: '', version: 1 }]),
	]),
	refuses('a value that is not JSON or cannot be kept', InvalidValueError, [
		...values(Object.values(BAD_VALUES)),
	]),
	refuses('a value that is too large', ValueTooLargeError, [
		...values([
			'x'.repeat(DEFAULTS.maxValueBytes - 1),
			'水'.repeat(DEFAULTS.maxValueBytes / 3),
			Array(DEFAULTS.maxValueBytes / 2).fill(1),
		]),
	]),
	refuses('a lease or other time that is negative, zero, broken or endless', InvalidRequestError, [
		...each('claim', 'leaseMs', BAD_DURATIONS),
		...each('claim', 'retentionMs', BAD_DURATIONS),
		...each('renew', 'leaseMs', BAD_DURATIONS),
		...each('begin', 'repeatWithinMs', BAD_DURATIONS),
		...each('approve', 'expiresInMs', BAD_DURATIONS),
		...each('import', 'retentionMs', BAD_DURATIONS),
		...each('import', 'doneAt', [-1, 1.5, NaN, 1e18]),
		...each('fail', 'retryAfterMs', [-1, 1.5, NaN, 1e15]),
	]),
	refuses('a number, choice or author that makes no sense', InvalidRequestError, [
		...each('claim', 'maxAttempts', [0, -1, 1.5, NaN, 1001]),
		...each('claim', 'onStopped', ['ignore', '']),
		...each('claim', 'ordering', [
			{ object: 'o', version: NaN },
			{ object: 'o', version: Infinity },
			{ object: 'o', version: '1' },
			{ object: 'o' },
		]),
		...each('claim', 'claimant', [
			{ ...ALICE, runIndex: -1 },
			{ ...ALICE, itemIndex: 0.5 },
		]),
		...each('begin', 'whenInDoubt', ['skip']),
		...each('finish', 'state', ['started']),
		...each('fail', 'as', ['done']),
		...each('approve', 'required', [0, -1, 1.5, 101]),
		...each('complete', 'token', ['t']),
		...each('fail', 'token', ['t']),
		...each('release', 'by', [undefined]),
	]),
	{
		name: 'a bad request that is not a batch',
		async run({ ledger, namespace }) {
			const decision = {
				namespace,
				key: 'k',
				gate: 'gate',
				approvalId: 'id',
				decision: 'approved' as const,
				by: 'olga',
			};
			const note = {
				namespace,
				key: 'k',
				gate: 'gate',
				approvalId: 'id',
				kind: 'approval_shown' as const,
				by: 'olga',
				limit: 1,
			};
			const take = { kinds: ['failed' as const], by: 'olga' };
			const calls: Array<() => Promise<unknown>> = [
				() => ledger.decideApproval({ ...decision, by: '' }),
				() => ledger.decideApproval({ ...decision, key: 'a\0' }),
				() => ledger.decideApproval({ ...decision, approvalId: '' }),
				() => ledger.decideApproval({ ...decision, decision: 'maybe' as never }),
				() => ledger.noteApproval({ ...note, by: '' }),
				() => ledger.noteApproval({ ...note, gate: '' }),
				() => ledger.noteApproval({ ...note, kind: 'approved' as never }),
				() => ledger.noteApproval({ ...note, limit: 0 }),
				() => ledger.noteApproval({ ...note, limit: 21 }),
				() => ledger.failByExecution({ executionId: '', reason: 'why' }),
				() => ledger.failByExecution({ executionId: '1', reason: 'why', as: 'done' as never }),
				() => ledger.history({ namespace, key: '' }),
				() => ledger.list({ limit: 0 }),
				() => ledger.list({ limit: 1001 }),
				() => ledger.list({ keyPrefix: 'a' }),
				() => ledger.list({ fingerprint: 'a' }),
				() => ledger.list({ namespace, keyPrefix: 'a\0' }),
				() => ledger.list({ namespace: '' }),
				() => ledger.list({ state: 'lost' as never }),
				() => ledger.list({ createdAfter: NaN }),
				() => ledger.list({ createdBefore: 1.5 }),
				() => ledger.list({ createdAfter: 1e300 }),
				() => ledger.list({ cursor: 'nonsense' }),
				() => ledger.list({ cursor: '' }),
				() => ledger.stats({ days: 0 }),
				() => ledger.stats({ namespace: '' }),
				() => ledger.take({ ...take, kinds: ['lost' as never] }),
				() => ledger.take({ ...take, limit: 0 }),
				() => ledger.take({ ...take, limit: 1001 }),
				() => ledger.take({ ...take, visibilityMs: 0 }),
				() => ledger.take({ ...take, by: '' }),
				() => ledger.take({ ...take, namespace: 'a\nb' }),
				() => ledger.purge({ limit: 0 }),
				() => ledger.purge({ limit: 10_001 }),
			];
			for (const [i, call] of calls.entries()) {
				const error = await call().then(
					() => undefined,
					(thrown: unknown) => thrown,
				);
				expect({ i, error }).toEqual({ i, error: expect.any(InvalidRequestError) });
			}
		},
	},
	{
		name: 'a cursor of another list, or one that somebody made up',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			for (const key of ['a', 'b', 'c']) await win(fixture, key);
			const { cursor } = await ledger.list({ namespace, limit: 1 });
			const state = 'processing';
			const made = [
				['created', 1.5, namespace, 'a'],
				['created', 1e300, namespace, 'a'],
				['created', 1, namespace, 'a\0'],
				['created', 1, namespace, '\ud800'],
				['created', 1, namespace],
				{ order: 'created' },
			].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));
			await expect(ledger.list({ namespace, state, cursor })).rejects.toThrow(InvalidRequestError);
			for (const text of made) {
				const answer = ledger.list({ namespace, cursor: text });
				await expect(answer).rejects.toThrow(InvalidRequestError);
			}
		},
	},
	{
		name: 'the longest names there may be are kept, in every script and hard to compress',
		async run(fixture) {
			const long = (seed: number) =>
				Array.from({ length: 512 }, (_, i) =>
					String.fromCharCode(0x4e00 + ((i * i * 31 + i * 7919 + seed * 104_729) % 20_000)),
				).join('');
			const namespace = `${fixture.namespace}${long(1)}`.slice(0, 341);
			const there = { ...fixture, namespace };
			const by = { ...claimant(long(3)), nodeId: long(4) };
			const { token } = await win(there, long(2), {
				claimant: by,
				fingerprint: long(5),
				workflowId: long(6),
				ordering: { object: long(7), version: 1 },
				findSameContent: true,
			});
			await beginStep(there, long(2), token, long(8));
			const finish = { namespace, key: long(2), token, step: long(8), externalId: long(9) };
			await ok(fixture.ledger.finishSteps([finish]));
			const approval = await wait(there, long(2), token, long(10));
			await fixture.ledger.decideApproval({
				namespace,
				key: long(2),
				gate: long(10),
				approvalId: approval.id,
				decision: 'approved',
				by: long(11),
			});
			await complete(there, long(2), token);
			const { event, steps, approvals } = await look(there, long(2));
			expect(event).toMatchObject({ namespace, key: long(2), fingerprint: long(5) });
			expect(steps).toMatchObject([{ name: long(8), externalId: long(9) }]);
			expect(approvals).toMatchObject([{ gate: long(10), decidedBy: long(11) }]);
			expect((await history(there, long(2))).at(-2)).toMatchObject({ by: long(11) });
			const filters = [
				{ namespace, keyPrefix: long(2).slice(0, 511) },
				{ namespace, fingerprint: long(5) },
				{ executionId: long(3) },
			];
			for (const filter of filters) {
				const { events } = await fixture.ledger.list(filter);
				expect(events.map(({ key }) => key)).toEqual([long(2)]);
			}
		},
	},
];
