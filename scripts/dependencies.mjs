/**
 * Makes a fresh clone runnable. Plain JavaScript without imports from node_modules, because this
 * runs before anything is installed and on whatever Node the machine has.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.installed-for');

// n8n and the embedded store need Node 24. Older machines get it from the devDependency `node`.
const bundledNode = join(
	modules,
	'node',
	'bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);
const ownNodeWillDo =
	Number(process.versions.node.split('.')[0]) >= 24 && !process.execPath.startsWith(modules);
const node = ownNodeWillDo ? process.execPath : bundledNode;

export async function ensureDependencies() {
	if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== manifestHash()) {
		console.log('Installing dependencies (first run, or package.json changed) ...');
		// Without scripts: one development dependency refuses to be installed by npm in its preinstall.
		// Without saving: running the tests must not edit the lock file.
		await npm('install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund');
		writeFileSync(stamp, manifestHash());
	}
	if (!ownNodeWillDo && !existsSync(bundledNode)) {
		console.log(`Fetching Node 24 (this is ${process.version}) ...`);
		await npm('rebuild', 'node');
	}
}

/** Runs a program of node_modules/.bin (or the PATH) on Node 24; resolves to its exit code. */
export function run(command, ...args) {
	const path = [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter);
	const child = spawn(command, args, {
		cwd: root,
		env: { ...process.env, PATH: path },
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	const passOn = (signal) => child.kill(signal);
	process.on('SIGINT', passOn).on('SIGTERM', passOn);
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			process.off('SIGINT', passOn).off('SIGTERM', passOn);
			resolve(code ?? 128 + constants.signals[signal]);
		});
	});
}

async function npm(...args) {
	const code = await run('npm', ...args, '--loglevel=error');
	if (code === 0) return;
	console.error(
		`\n"npm ${args.join(' ')}" failed (exit code ${code}); its messages are above.\n` +
			'It needs access to the npm registry. Run it by hand in the root of the package to see more.',
	);
	process.exit(code);
}

function manifestHash() {
	const hash = createHash('sha256');
	for (const name of ['package.json', 'package-lock.json']) {
		const file = join(root, name);
		if (existsSync(file)) hash.update(readFileSync(file));
	}
	return hash.digest('hex');
}
