import { randomBytes } from 'node:crypto';

import { DEFAULTS, type JsonValue } from '../../../ledger/records';
import type { Case, Fixture } from './Case';
import { at, beginStep, claimant, complete, history, look, lose, ok, wait, win } from './helpers';

/** Stores the value in every place that takes one, and reads each of them again. */
async function expectKept(fixture: Fixture, key: string, value: JsonValue): Promise<void> {
	const { held } = await win(fixture, key, { input: value, keepInput: true });
	const finish = { ...at(fixture, key), ...held, step: 'step', output: value, undo: value };
	await ok(fixture.ledger.finishSteps([finish]));
	const question = { ...at(fixture, key), gate: 'gate', fingerprint: 'content', content: value };
	const asked = await ok(fixture.ledger.requestApprovals([question]));
	expect(asked.approval.content).toStrictEqual(value);
	await complete(fixture, key, held, value);
	const { event, steps, approvals } = await look(fixture, key);
	expect(event.input).toStrictEqual(value);
	expect(event.result).toStrictEqual(value);
	expect(steps[0].output).toStrictEqual(value);
	expect(steps[0].undo).toStrictEqual(value);
	expect(approvals[0].content).toStrictEqual(value);
	const lost = await lose(fixture, key);
	expect(lost.event!.result).toStrictEqual(value);
}

/** A text whose JSON has exactly this many bytes, and which cannot be compressed much. */
function noise(bytes: number): string {
	return randomBytes(bytes)
		.toString('base64')
		.slice(0, bytes - 2);
}

function nested(depth: number): JsonValue {
	let value: JsonValue = 'bottom';
	for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { in: value };
	return value;
}

const VALUES: Record<string, JsonValue> = {
	'simple values': [null, true, false, 0, '', 'text', [], {}, [[]], [{}], { a: [] }],
	numbers: [-1, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER, 1 / 3],
	'numbers that are text': ['0', '1e3', 'true', 'null', 'gzip:', 'gzip:AAAA'],
	unicode: [
		'ä',
		'a\u0308',
		'水',
		'😀',
		'\ufffe\uffff',
		'\u{10ffff}',
		'\ufeff',
		'\u2028\u2029',
		'שלום',
	],
	'quotes and controls': [
		'"',
		"'",
		'\\',
		'\\u0041',
		'\\0',
		'%s $1 :x ?',
		'\u0001\u007f\u0085',
		'\r\n\t',
	],
	'odd names': { '': 1, ' ': 2, '0': 3, constructor: 4, 'a.b': 5, '😀': 6, 'a"b': 7 },
	'a field that is called __proto__': JSON.parse('{"__proto__": {"polluted": true}}') as JsonValue,
	'the order of fields': { z: 1, a: 2, m: { y: 1, b: 2 } },
	'a list with gaps of null': [null, null, 1, null],
	'deep data': nested(400),
	'just below compression': 'x'.repeat(8190),
	'just above compression': 'x'.repeat(8191),
	'large text in every script': '😀水ä"\\'.repeat(20_000),
	'large data': Array.from({ length: 5000 }, (_, i) => ({
		id: i,
		name: `item ${i}`,
		price: i / 7,
	})),
};

/** A read shows what was written: nothing cut, nothing altered. */
export const values: Case[] = [
	...Object.entries(VALUES).map(([name, value]) => ({
		name: `kept exactly: ${name}`,
		run: async (fixture: Fixture) => {
			await expectKept(fixture, 'k', value);
			const { event } = await look(fixture, 'k');
			expect(JSON.stringify(event.result)).toBe(JSON.stringify(value));
		},
	})),
	{
		name: 'kept exactly: a value of exactly the limit, compressible or not',
		async run(fixture) {
			const limit = DEFAULTS.maxValueBytes;
			await expectKept(fixture, 'compressible', 'x'.repeat(limit - 2));
			await expectKept(fixture, 'noise', noise(limit));
		},
	},
	{
		name: 'kept exactly: texts for people, also long and ugly ones',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const reason = `line one\nline two\0\ud800 "quoted" 😀${'x'.repeat(3000)}`;
			const request = { ...at(fixture, 'k'), ...held, reason };
			const { event } = await ok(fixture.ledger.failEvents([request]));
			expect(event.reason).toMatch(/^line one line two +"quoted" 😀x+…$/);
			expect((await look(fixture, 'k')).event.reason).toBe(event.reason);
			const emoji = { ...at(fixture, 'k'), by: 'olga', reason: '😀'.repeat(1500) };
			const cut = (await ok(fixture.ledger.failEvents([emoji]))).event.reason!;
			expect(cut).toMatch(/^(😀)+…$/u);
			expect((await look(fixture, 'k')).event.reason).toBe(cut);
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
			const by = { ...claimant(long(3)), instance: long(15), nonce: long(16), nodeId: long(4) };
			const { held } = await win(there, long(2), {
				claimant: by,
				fingerprint: long(5),
				workflowId: long(6),
				ordering: { object: long(7), version: 1 },
				findSameContent: true,
				alias: long(14),
			});
			await beginStep(there, long(2), held, long(8));
			const finish = { namespace, key: long(2), ...held, step: long(8), externalId: long(9) };
			const row = long(12).slice(0, 170);
			const inRow = { ...finish, row, externalId: long(13) };
			await ok(fixture.ledger.finishSteps([finish]));
			await ok(fixture.ledger.finishSteps([inRow]));
			const approval = await wait(there, long(2), held, long(10));
			await fixture.ledger.decideApproval({
				namespace,
				key: long(2),
				gate: long(10),
				approvalId: approval.id,
				decision: 'approved',
				by: long(11),
			});
			await complete(there, long(2), held);
			const { event, steps, approvals } = await look(there, long(2));
			expect(event).toMatchObject({
				namespace,
				key: long(2),
				fingerprint: long(5),
				alias: long(14),
			});
			expect(steps).toMatchObject([
				{ name: long(8), externalId: long(9) },
				{ name: long(8), row, externalId: long(13) },
			]);
			expect(approvals).toMatchObject([{ gate: long(10), decidedBy: long(11) }]);
			expect((await history(there, long(2))).at(-2)).toMatchObject({ by: long(11) });
			const filters = [
				{ namespace, keyPrefix: long(2).slice(0, 511) },
				{ namespace, fingerprint: long(5) },
				{ executionId: long(3) },
				{ externalId: long(9) },
				{ externalId: long(13) },
				{ namespace, keyPart: long(2).slice(1, 511) },
			];
			for (const filter of filters) {
				const { events } = await fixture.ledger.list(filter);
				expect(events.map(({ key }) => key)).toEqual([long(2)]);
			}
		},
	},
];
