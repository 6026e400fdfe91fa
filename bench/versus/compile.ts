import { execFile } from 'node:child_process';
import {
	cpSync,
	existsSync,
	globSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Compiled {
	/** The module that opens a ledger. */
	open: string;
	/** What the checkout is: its commit, and whether it has changes. */
	version: string;
	dispose(): void;
}

/**
 * Compiles the ledger of a checkout as it is shipped, into a folder of its own: both sides alike, whatever they have in `dist`, and
 * nothing is written into either.
 */
export async function compileLedger(folder: string): Promise<Compiled> {
	const root = realpathSync(resolve(folder));
	if (!existsSync(join(root, 'ledger/open.ts'))) {
		throw new Error(`No checkout of this project: ${root} has no ledger/open.ts`);
	}
	const target = mkdtempSync(join(tmpdir(), 'idempotency-versus-'));
	const dispose = () => rmSync(target, { recursive: true, force: true });
	try {
		symlinkSync(realpathSync(join(root, 'node_modules')), join(target, 'node_modules'));
		const config = join(target, 'tsconfig.json');
		const compilerOptions = {
			rootDir: root,
			outDir: target,
			declaration: false,
			typeRoots: [join(root, 'node_modules/@types')],
		};
		const include = [join(root, 'ledger/**/*')];
		const base = join(root, 'tsconfig.build.json');
		writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, include }));
		const compiler = join(root, 'node_modules/typescript/bin/tsc');
		await run(process.execPath, [compiler, '-p', config]);
		for (const file of globSync('ledger/**/*.{sql,lua}', { cwd: root })) {
			cpSync(join(root, file), join(target, file));
		}
		return { open: join(target, 'ledger/open.js'), version: await versionOf(root), dispose };
	} catch (error) {
		dispose();
		const { stdout } = error as { stdout?: string };
		throw new Error(`${root} does not compile: ${stdout ?? ''}${(error as Error).message}`);
	}
}

async function versionOf(root: string): Promise<string> {
	try {
		const git = async (...args: string[]) =>
			(await run('git', ['-C', root, ...args])).stdout.trim();
		const commit = await git('rev-parse', '--short', 'HEAD');
		const isChanged = (await git('status', '--porcelain', 'ledger')) !== '';
		return isChanged ? `${commit} with changes` : commit;
	} catch {
		return root;
	}
}
