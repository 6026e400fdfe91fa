import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The tarball as n8n gets it. `npm test` has built dist before. */

const root = resolve(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	dependencies: Record<string, string>;
	peerDependencies: Record<string, string>;
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
};

function assets(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(sql|lua|svg|node\.json)$/.test(file) || /__schema__.*\.json$/.test(file))
		.map((file) => join('dist', folder, file));
}

describe('the tarball', () => {
	const [{ files }] = JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
			cwd: root,
			encoding: 'utf8',
		}),
	) as Array<{ files: Array<{ path: string }> }>;
	const paths = files.map(({ path }) => path);

	it('has nothing but the build, the licence, the manifest and the README', () => {
		const others = paths.filter((path) => !path.startsWith('dist/'));
		expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
		const foreign = paths.filter((path) =>
			/^dist\/(test|bench|scripts)\/|\.tsbuildinfo$|\.test\./.test(path),
		);
		expect(foreign).toEqual([]);
	});

	it('has every statement, script, icon and description that the sources have', () => {
		const wanted = ['ledger', 'icons', 'nodes'].flatMap(assets);
		expect(wanted.length).toBeGreaterThan(20);
		expect(paths).toEqual(expect.arrayContaining(wanted));
	});

	it('has all nodes and credentials that it names, and they load', () => {
		for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
			expect(paths).toContain(path);
			const [name] = path.split('/').pop()!.split('.');
			// eslint-disable-next-line @typescript-eslint/no-require-imports
			const loaded = require(join(root, path)) as Record<string, new () => { icon?: unknown }>;
			expect(new loaded[name]()).toBeDefined();
		}
	});

	it('has the icons where the credential says', () => {
		const file = join(root, manifest.n8n.credentials[0]);
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		const { IdempotencyLedgerApi } = require(
			file,
		) as typeof import('../../credentials/IdempotencyLedgerApi.credentials');
		for (const icon of Object.values(new IdempotencyLedgerApi().icon)) {
			expect(existsSync(resolve(file, '..', icon.replace(/^file:/, '')))).toBe(true);
		}
	});
});

describe('the manifest', () => {
	it('asks for nothing that n8n refuses', () => {
		expect(Object.keys(manifest.dependencies).sort()).toEqual(['ioredis', 'pg']);
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const forbidden = [
			'preinstall',
			'install',
			'postinstall',
			'prepare',
			'prepublish',
			'preprepare',
		];
		expect(forbidden.filter((script) => script in manifest.scripts)).toEqual([]);
	});
});
