import { dirname } from 'node:path';

import { cyclesOf, importsOf, productFolders, sourcesIn } from './imports';

/** What the files of a folder may import, besides each other and node's own modules. The first that fits counts. See DESIGN §7. */
const ALLOWED: Array<{ from: RegExp; may: RegExp }> = [
	// The rules know what the ledger keeps, and nothing of where.
	{ from: /^ledger\/rules\//, may: /^ledger\/((records|errors|values|Ledger)$|contract\/)/ },
	{ from: /^ledger\/contract\//, may: /^ledger\/(records|errors)$/ },
	{
		from: /^ledger\/engine\//,
		may: /^ledger\/((records|errors|values|Ledger|cursor|validate)$|contract\/|rules\/|stores\/RecordStore$)/,
	},
	// A store knows nothing of the rules, of the engine, or of other stores.
	{ from: /^ledger\/stores\/RecordStore$/, may: /^ledger\/(records|Ledger)$/ },
	{ from: /^ledger\/stores\/postgres\//, may: storeMay('pg') },
	{ from: /^ledger\/stores\/redis\//, may: storeMay('ioredis') },
	{ from: /^ledger\/stores\/sqlite\//, may: storeMay() },
	{ from: /^ledger\/open$/, may: /^ledger\/([^/]+|stores\/\w+\/\w+Store|stores\/RecordStore)$/ },
	{
		from: /^ledger\/RecordLedger$/,
		may: /^ledger\/([^/]+$|contract\/|engine\/|rules\/(RuleBook|commands)$|stores\/RecordStore$)/,
	},
	{ from: /^ledger\/Ledger$/, may: /^ledger\/(records|errors|contract\/[^/]+)$/ },
	{ from: /^ledger\/cursor$/, may: /^ledger\/([^/]+|stores\/RecordStore)$/ },
	{ from: /^ledger\/[^/]+$/, may: /^ledger\/([^/]+|stores\/RecordStore)$/ },
	{ from: /^keys\//, may: /^keys\// },
	{ from: /^http\//, may: /^http\// },
	{ from: /^review\//, may: /^review\// },
	{
		from: /^nodes\/shared\//,
		may: /^(n8n-workflow$|nodes\/shared\/|ledger\/[^/]+$|keys\/|http\/|review\/)/,
	},
	{
		from: /^nodes\//,
		may: /^(n8n-workflow$|nodes\/shared\/|ledger\/[^/]+$|keys\/|http\/|review\/)/,
	},
	{ from: /^cli\//, may: /^(nodes\/shared\/|ledger\/[^/]+$|keys\/|http\/|review\/)/ },
	{ from: /^credentials\//, may: /^n8n-workflow$/ },
];

function storeMay(driver?: string): RegExp {
	return new RegExp(`^(ledger/[^/]+|ledger/stores/RecordStore${driver ? `|${driver}` : ''})$`);
}

const folders = productFolders();
const files = folders.flatMap(sourcesIn);

/** What a file imports and must not. */
function forbidden(file: string, imports: string[]): string[] {
	const rule = ALLOWED.find(({ from }) => from.test(file));
	if (!rule) return ['anything: there is no rule for it'];
	const folder = dirname(file);
	return imports.filter(
		(name) =>
			!name.startsWith('node:') &&
			// Everything at the top of `ledger/` has a rule of its own.
			!(folder !== 'ledger' && dirname(name) === folder) &&
			!(folder !== 'ledger' && name.startsWith(`${folder}/`)) &&
			!rule.may.test(name),
	);
}

describe('Who may import whom', () => {
	it('is said for every folder of the product', () => {
		expect(folders).toEqual(
			expect.arrayContaining(['credentials', 'http', 'keys', 'ledger', 'nodes']),
		);
		expect(files.length).toBeGreaterThan(100);
	});

	it.each(files)('%s', (file) => {
		expect(forbidden(file, importsOf(file))).toEqual([]);
	});

	it.each([
		['ledger/rules/claim', 'ledger/stores/RecordStore'],
		['ledger/rules/claim', 'ledger/engine/codec'],
		['ledger/rules/claim', 'ledger/validate'],
		['ledger/rules/claim', 'n8n-workflow'],
		['ledger/stores/redis/RedisStore', 'ledger/stores/sqlite/SqliteStore'],
		['ledger/stores/redis/RedisStore', 'ledger/rules/claim'],
		['ledger/stores/redis/RedisStore', 'pg'],
		['ledger/engine/Writes', 'ledger/stores/redis/RedisStore'],
		['ledger/engine/Writes', 'ledger/RecordLedger'],
		['ledger/errors', 'ledger/rules/claim'],
		['ledger/Ledger', 'ledger/RecordLedger'],
		['ledger/values', 'nodes/shared/text'],
		['ledger/values', 'keys/index'],
		['keys/hash', 'ledger/records'],
		['http/classify', 'keys/hash'],
		['nodes/shared/text', 'nodes/Ledger/list'],
		['nodes/Ledger/list', 'nodes/ClaimEvent/execute'],
		['nodes/Ledger/list', 'ledger/rules/claim'],
		['nodes/Ledger/list', 'ledger/stores/redis/RedisStore'],
		['nodes/Ledger/list', 'ioredis'],
		['cli/replay', 'nodes/Ledger/list'],
		['review/read', 'n8n-workflow'],
		['something/new', 'node:fs'],
	])('never: %s → %s', (file, imported) => {
		expect(forbidden(file, [imported])).not.toEqual([]);
	});
});

describe('Nobody imports what imports it', () => {
	it('in the whole product', () => {
		const graph = new Map(files.map((file) => [file, importsOf(file)]));
		expect(cyclesOf(graph).map((cycle) => cycle.join(' → '))).toEqual([]);
		// That the files were found at all.
		const edges = [...graph.values()].flat().filter((name) => graph.has(name));
		expect(edges.length).toBeGreaterThan(files.length);
	});

	it('and if somebody did, it would be noticed', () => {
		const graph = new Map([
			['a', ['b', 'x']],
			['b', ['c']],
			['c', ['b', 'a']],
			['d', ['d']],
			['e', ['a']],
		]);
		expect(cyclesOf(graph)).toEqual([
			['b', 'c', 'b'],
			['a', 'b', 'c', 'a'],
			['d', 'd'],
		]);
		expect(
			cyclesOf(
				new Map([
					['a', ['b']],
					['b', ['c']],
				]),
			),
		).toEqual([]);
	});
});
