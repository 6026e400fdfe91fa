import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { preProcessFile } from 'typescript';

/** Who imports whom in the product. */

export const ROOT = resolve(__dirname, '../..');

/** What is no part of the product. A new folder is, until somebody says here that it is not. */
const ELSEWHERE = ['bench', 'dist', 'docs', 'examples', 'icons', 'node_modules', 'scripts', 'test'];

/** The folders at the top that have sources of the product, also those that nobody has thought of yet. */
export function productFolders(): string[] {
	return readdirSync(ROOT, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
		.map(({ name }) => name)
		.filter((name) => !ELSEWHERE.includes(name) && sourcesIn(name).length > 0);
}

/** Without `.ts`, from the top. */
export function sourcesIn(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file).split(sep).join('/').replace(/\.ts$/, ''))
		.sort();
}

/** Files as {@link sourcesIn} names them, packages by their names. Types, and what is imported later, count too. */
export function importsOf(file: string): string[] {
	const text = readFileSync(join(ROOT, `${file}.ts`), 'utf8');
	const names = preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
	return names.map((name) => (name.startsWith('.') ? pathOf(file, name) : name));
}

function pathOf(file: string, name: string): string {
	const path = relative(ROOT, resolve(ROOT, dirname(file), name))
		.split(sep)
		.join('/');
	return existsSync(join(ROOT, `${path}.ts`)) ? path : `${path}/index`;
}

/** Each way round that there is, at least one for every file that is on one. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
	const cycles: string[][] = [];
	const done = new Set<string>();
	const path: string[] = [];
	const visit = (file: string) => {
		if (path.includes(file)) {
			cycles.push([...path.slice(path.indexOf(file)), file]);
		} else if (!done.has(file)) {
			path.push(file);
			graph.get(file)?.forEach(visit);
			path.pop();
			done.add(file);
		}
	};
	for (const file of graph.keys()) visit(file);
	return cycles;
}
