import {
	InvalidNameError,
	InvalidRequestError,
	InvalidValueError,
	ValueTooLargeError,
} from '../../../ledger/errors';
import { DEFAULTS } from '../../../ledger/records';
import type { Case } from './Case';
import { ALICE, holderOf, win } from './helpers';
import { type Bad, OPERATION_NAMES, type OperationName, refuses } from './refuses';

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

const BAD_HOLDERS = ['instance', 'executionId', 'nonce'].flatMap((name) =>
	['', undefined, 'a\nb'].map((value) => ({ ...holderOf(ALICE), [name]: value })),
);

const BAD_DURATIONS = [-1, 0, 1.5, NaN, Infinity, '5', 1e15];

function names(what: string, ...operations: OperationName[]) {
	return Object.values(BAD_NAMES).flatMap((name) =>
		operations.map((operation): Bad => [operation, { [what]: name }]),
	);
}

function values(bad: unknown[]) {
	return bad.flatMap((value): Bad[] => [
		['claim', { input: value }],
		['finish', { output: value }],
		['finish', { undo: value }],
		['resolve', { output: value }],
		['complete', { result: value }],
		['approve', { content: value }],
		['import', { result: value }],
	]);
}

function each(operation: OperationName, what: string, bad: unknown[]) {
	return bad.map((value): Bad => [operation, { [what]: value }]);
}

export const badInput: Case[] = [
	refuses('a bad key', InvalidNameError, names('key', ...OPERATION_NAMES)),
	refuses('a bad namespace', InvalidNameError, names('namespace', ...OPERATION_NAMES)),
	refuses('a namespace of too many bytes', InvalidNameError, [
		...OPERATION_NAMES.flatMap((operation) => each(operation, 'namespace', ['水'.repeat(342)])),
	]),
	refuses('a bad step, row or gate', InvalidNameError, [
		...names('step', 'begin', 'finish', 'resolve', 'markUndone'),
		...names('gate', 'approve'),
		...['begin', 'finish', 'resolve', 'markUndone'].flatMap((operation) =>
			each(operation as OperationName, 'row', ['', ' ', 'a\x1fb', 7, 'x'.repeat(513)]),
		),
	]),
	refuses('a step and a row that have too many bytes together', InvalidNameError, [
		...(['begin', 'finish', 'resolve', 'markUndone'] as const).map(
			(operation): Bad => [operation, { step: '水'.repeat(512), row: '水'.repeat(171) }],
		),
	]),
	refuses('a holder who is nobody', InvalidNameError, [
		...(['begin', 'finish', 'renew', 'pause'] as const).flatMap((operation) =>
			each(operation, 'holder', BAD_HOLDERS),
		),
		...each('claim', 'actsFor', BAD_HOLDERS),
		...each(
			'claim',
			'claimant',
			BAD_HOLDERS.map((holder) => ({ ...ALICE, ...holder })),
		),
	]),
	refuses('a bad fingerprint or other ID', InvalidNameError, [
		...each('claim', 'fingerprint', ['', 'a\nb', 'x'.repeat(513)]),
		...each('approve', 'fingerprint', ['', undefined, 'a\0']),
		...each('begin', 'fingerprint', ['', 'a\ud800']),
		...each('import', 'fingerprint', ['']),
		...each('claim', 'workflowId', ['', 'a\0']),
		...each('claim', 'alias', ['', 'a\0', 'x'.repeat(513)]),
		...each('resolve', 'externalId', ['', 'a\0']),
		...each('resolve', 'by', ['', undefined]),
		...each('delete', 'by', ['', undefined, 'a\nb']),
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
		...each('pause', 'forMs', [-1, 1.5, NaN, 1e15]),
		...each('takeUndos', 'visibilityMs', BAD_DURATIONS),
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
		...each('resolve', 'resolution', ['maybe', undefined]),
		...['begin', 'finish', 'renew', 'pause'].flatMap((operation) =>
			each(operation as OperationName, 'attempt', [-1, 1.5, NaN, undefined, '1']),
		),
		// Either an operator or the holder, and not both.
		...each('complete', 'holder', [holderOf(ALICE)]),
		...each('fail', 'holder', [holderOf(ALICE)]),
		...each('complete', 'inState', ['lost']),
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
			const failing = { instance: 'n8n', executionId: '1', reason: 'why' };
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
				() => ledger.failByExecution({ ...failing, executionId: '' }),
				() => ledger.failByExecution({ ...failing, instance: '' }),
				() => ledger.failByExecution({ ...failing, as: 'done' as never }),
				() => ledger.secret(''),
				() => ledger.secret('a\nb'),
				() => ledger.registerRecovery({ by: '', forMs: 1 }),
				() => ledger.registerRecovery({ by: 'olga', forMs: 0 }),
				() => ledger.registerRecovery({ by: 'olga', forMs: 1, namespace: '' }),
				() => ledger.history({ namespace, key: '' }),
				() => ledger.list({ limit: 0 }),
				() => ledger.list({ limit: 1001 }),
				() => ledger.list({ keyPrefix: 'a' }),
				() => ledger.list({ fingerprint: 'a' }),
				() => ledger.list({ namespace, keyPrefix: 'a\0' }),
				() => ledger.list({ namespace, keyPart: '' }),
				() => ledger.list({ externalId: 'a\nb' }),
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
];
