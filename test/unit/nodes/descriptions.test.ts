import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodeType } from 'n8n-workflow';

const root = resolve(__dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	name: string;
	n8n: { nodes: string[] };
};

const NODES = manifest.n8n.nodes.map((built) => {
	const file = join(root, built.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
	const folder = dirname(file);
	const [className] = built.split('/').pop()!.split('.');
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const loaded = require(file) as Record<string, new () => INodeType>;
	return { className, folder, description: new loaded[className]().description };
});

function sources(folder: string): string {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.ts'))
		.map((name) => readFileSync(join(folder, name), 'utf8'))
		.join('\n');
}

/** Whether a path such as `options.key` leads to a parameter, or to a group of a fixed collection. */
function declares(properties: INodeProperties[], path: string): boolean {
	const [name, ...rest] = path.split('.');
	return properties
		.filter((property) => property.name === name)
		.some(
			({ options = [] }) => rest.length === 0 || declares(options.map(asProperty), rest.join('.')),
		);
}

function asProperty(option: NonNullable<INodeProperties['options']>[number]): INodeProperties {
	const { values } = option as INodePropertyCollection;
	return { ...(option as INodeProperties), ...(values && { options: values }) };
}

it('covers every node in the folder', () => {
	const found = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.node.ts'))
		.map((file) => `dist/nodes/${file.replace(/\.ts$/, '.js')}`);
	expect([...manifest.n8n.nodes].sort()).toEqual(found.sort());
});

describe.each(NODES)('$className', ({ className, folder, description }) => {
	// Workflows that people have saved depend on it: change it only together with the version.
	it('is what saved workflows expect', () => {
		expect(description).toMatchSnapshot();
	});

	it('reads only parameters that it has', () => {
		const code = sources(folder);
		const read = [...code.matchAll(/getNodeParameter\(\s*'([^']+)'/g)].map(([, name]) => name);
		expect(read.length).toBeGreaterThan(0);
		expect(read.filter((name) => !declares(description.properties, name))).toEqual([]);
	});

	it('has only parameters that it reads', () => {
		const code = sources(folder).replace(/^\s*name: '.*$/gm, '');
		const unread = description.properties
			// These are for the editor alone.
			.filter(({ type }) => type !== 'notice' && type !== 'curlImport')
			.filter(({ name }) => !code.includes(`'${name}'`) && !code.includes(`"${name}"`));
		expect(unread.map(({ name }) => name)).toEqual([]);
	});

	it('has icons that differ, a codex with words to find it by, and its own name in it', () => {
		const { light, dark } = description.icon as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const icon of [light, dark]) {
			expect(existsSync(join(folder, icon.replace('file:', '')))).toBe(true);
		}
		const codex = JSON.parse(readFileSync(join(folder, `${className}.node.json`), 'utf8')) as {
			node: string;
			alias: string[];
			resources: object;
		};
		expect(codex.node).toBe(`${manifest.name}.${description.name}`);
		expect(codex.alias).toEqual(expect.arrayContaining(['Dedupe', 'Exactly Once']));
		expect(codex.resources).toBeDefined();
	});

	it('says what comes out, for each operation', () => {
		const files = description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [], displayOptions }) => {
				const folders = displayOptions?.show?.resource ?? [''];
				return options.map((option) =>
					join('v1.0.0', String(folders[0]), `${(option as { value: string }).value}.json`),
				);
			});
		if (files.length === 0) files.push('v1.0.0.json');
		for (const file of files) {
			const path = join(folder, '__schema__', file);
			expect(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : file).toMatchObject({
				type: 'object',
				version: 1,
			});
		}
	});
});
