import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { preProcessFile } from 'typescript';

const root = resolve(__dirname, '../..');

/** What the files of a folder may import, besides each other and node's own modules. */
const ALLOWED: Array<{ from: RegExp; may: RegExp }> = [
	{ from: /^ledger\/postgres\//, may: /^(ledger\/[^/]+$|pg$)/ },
	{ from: /^ledger\/redis\//, may: /^(ledger\/[^/]+$|ioredis$)/ },
	{ from: /^ledger\/sqlite\//, may: /^ledger\/[^/]+$/ },
	{ from: /^ledger\/open$/, may: /^ledger\// },
	{ from: /^ledger\/[^/]+$/, may: /^ledger\/[^/]+$/ },
	{ from: /^keys\//, may: /^keys\// },
	{ from: /^http\//, may: /^http\// },
	{ from: /^nodes\/shared\//, may: /^(n8n-workflow$|nodes\/shared\/|ledger\/|keys\/|http\/)/ },
	{
		from: /^nodes\/(?!shared\/)/,
		may: /^(n8n-workflow$|nodes\/shared\/|ledger\/[^/]+$|keys\/|http\/)/,
	},
	{ from: /^credentials\//, may: /^n8n-workflow$/ },
];

function sources(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file).split(sep).join('/').replace(/\.ts$/, ''));
}

function imports(file: string): string[] {
	const text = readFileSync(join(root, `${file}.ts`), 'utf8');
	const names = preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
	return names.map((name) =>
		name.startsWith('.')
			? relative(root, resolve(root, dirname(file), name))
					.split(sep)
					.join('/')
			: name,
	);
}

const present = ['ledger', 'keys', 'http', 'nodes', 'credentials'].filter((folder) =>
	readdirSync(root).includes(folder),
);

describe('who may import whom', () => {
	const files = present.flatMap(sources);

	it('covers every folder of the product', () => {
		expect(present).toEqual(expect.arrayContaining(['ledger', 'nodes', 'credentials']));
		expect(files.length).toBeGreaterThan(20);
	});

	it.each(files)('%s', (file) => {
		const rule = ALLOWED.find(({ from }) => from.test(file));
		expect(rule).toBeDefined();
		const folder = dirname(file);
		const wrong = imports(file).filter(
			(name) =>
				!name.startsWith('node:') &&
				dirname(name) !== folder &&
				!name.startsWith(`${folder}/`) &&
				!rule!.may.test(name),
		);
		expect(wrong).toEqual([]);
	});
});
