/** Gets a real n8n from npm, once per version, into the cache. */
import { spawn } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { cacheDirectory } from './cache';

export const DEFAULT_VERSION = '2.40.7';
export const LAST_OF_1X = '1.123.81';

/** An installed n8n. */
export interface N8nHost {
	version: string;
	/** What Node runs to start it. */
	program: string;
}

/** Some of its dependencies name packages that npm does not have; these versions of theirs don't. */
const overrides = { linkedom: '0.18.13', xlsx: '0.18.5' };

/**
 * n8n leaves open which versions of its dependencies are installed. Those that we test get them as they were soon after their own
 * release: a dependency that is published broken tomorrow must not keep anybody from starting.
 */
const PUBLISHED_BEFORE: { [version: string]: string } = {
	[DEFAULT_VERSION]: '2026-10-01',
	[LAST_OF_1X]: '2026-10-01',
};

const GIBIBYTE = 2 ** 30;

/** Unpacked size with all dependencies, rounded up. */
const NEEDED_BYTES = 5 * GIBIBYTE;

/** `sqlite`: also what n8n needs for a database of its own, a native module that may have to be compiled. */
export async function ensureHost(
	version = DEFAULT_VERSION,
	{ sqlite = false } = {},
): Promise<N8nHost> {
	const directory = join(cacheDirectory, `n8n-${version}`);
	if (!existsSync(directory)) await install(version, directory);
	if (sqlite) await ensureSqlite(directory);
	return { version, program: join(directory, 'node_modules/n8n/bin/n8n') };
}

async function install(version: string, directory: string): Promise<void> {
	mkdirSync(cacheDirectory, { recursive: true });
	removeLeftovers();
	const { bavail, bsize } = statfsSync(cacheDirectory);
	if (bavail * bsize < NEEDED_BYTES) {
		const free = (bavail * bsize) / GIBIBYTE;
		throw new Error(
			`n8n ${version} needs 5 GiB of disk, and only ${free.toFixed(1)} GiB are free in ${cacheDirectory}. ` +
				'Make room there, or set N8N_NODES_IDEMPOTENCY_CACHE to a folder elsewhere.',
		);
	}

	console.log(`Getting n8n ${version} from npm, about 3 GB, kept in ${directory} ...`);
	// Elsewhere first: a download that is cut off must not be taken for an n8n by the next run.
	const partial = `${directory}.partial-${process.pid}`;
	mkdirSync(partial);
	const manifest = { private: true, dependencies: { n8n: version }, overrides };
	writeFileSync(join(partial, 'package.json'), JSON.stringify(manifest));
	const stopProgress = showProgress(join(partial, 'node_modules'));
	try {
		// Without scripts: some want to download more from elsewhere, and n8n runs without them.
		const before = PUBLISHED_BEFORE[version];
		await npm(partial, [
			'install',
			...(before === undefined ? [] : [`--before=${before}`]),
			...['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'],
		]);
		renameSync(partial, directory);
	} catch (error) {
		rmSync(partial, { recursive: true, force: true });
		// Another process may have been faster.
		if (!existsSync(directory)) throw error;
	} finally {
		stopProgress();
	}
}

/** Downloads whose process is gone. */
function removeLeftovers(): void {
	for (const name of readdirSync(cacheDirectory)) {
		const pid = /\.partial-(\d+)$/.exec(name)?.[1];
		if (pid && !isAlive(Number(pid))) {
			rmSync(join(cacheDirectory, name), { recursive: true, force: true });
		}
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

function showProgress(modules: string): () => void {
	const start = Date.now();
	const timer = setInterval(() => {
		const seconds = Math.round((Date.now() - start) / 1000);
		const packages = existsSync(modules) ? readdirSync(modules).length : 0;
		console.log(
			`  ${seconds} s: ${packages > 0 ? `${packages} of about 1,100 folders made` : 'finding out what it needs'}`,
		);
	}, 15_000);
	return () => clearInterval(timer);
}

async function ensureSqlite(directory: string): Promise<void> {
	const build = join(directory, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
	if (existsSync(build)) return;
	console.log(
		"Building n8n's own SQLite module (once; up to three minutes where it has to be compiled) ...",
	);
	const nodedir = nodeWithHeaders();
	try {
		await npm(directory, ['rebuild', 'sqlite3'], nodedir ? { npm_config_nodedir: nodedir } : {});
	} catch (error) {
		throw new Error(
			`${(error as Error).message}\nIt takes a C++ compiler, make and Python 3 where no ready-made module can be downloaded ` +
				'(Debian, Ubuntu: apt-get install build-essential python3). `npm start -- --queue` does without it.',
		);
	}
}

/** A folder with Node's header files, which are otherwise downloaded from nodejs.org. */
function nodeWithHeaders(): string | undefined {
	const places = [
		dirname(dirname(process.execPath)),
		join(
			__dirname,
			`../../node_modules/node/node_modules/node-${process.platform}-${process.arch}`,
		),
	];
	return places.find((place) => existsSync(join(place, 'include/node/node_version.h')));
}

/** Runs npm quietly; what it said is in the error if it fails. */
export async function npm(
	cwd: string,
	args: string[],
	env: NodeJS.ProcessEnv = {},
): Promise<string> {
	return await new Promise((resolve, reject) => {
		const child = spawn('npm', [...args, '--loglevel=error'], {
			cwd,
			env: { ...process.env, ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
			shell: process.platform === 'win32',
		});
		let stdout = '';
		let stderr = '';
		child.stdout.on('data', (chunk) => (stdout += chunk));
		child.stderr.on('data', (chunk) => (stderr += chunk));
		child.once('error', reject);
		child.once('close', (code) => {
			if (code === 0) resolve(stdout);
			else reject(new Error(`"npm ${args[0]}" failed: ${explain(stderr)}`));
		});
	});
}

function explain(stderr: string): string {
	if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ENETUNREACH/.test(stderr)) {
		return `the npm registry cannot be reached. Check the network, or npm's settings for the registry and proxy.\n${stderr}`;
	}
	if (stderr.includes('ENOSPC')) return `the disk is full.\n${stderr}`;
	return stderr;
}
