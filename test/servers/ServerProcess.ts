import type { ChildProcess } from 'node:child_process';
import { execFileSync, fork, spawn } from 'node:child_process';
import {
	chownSync,
	closeSync,
	existsSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { serverUser } from './find';

export interface ServerOptions {
	command: string;
	args: string[];
	/** From `makeDirectory`; removed when the server is stopped. */
	directory: string;
	url: string;
	port: number;
	/** Asks for an orderly and quick shutdown. */
	stopSignal: NodeJS.Signals;
	/** Talks to the server as a client would; rejects as long as it is not ready. */
	answers: () => Promise<unknown>;
	/** Added to the environment of this process. */
	env?: NodeJS.ProcessEnv;
	/** Runs as whoever starts it; otherwise root lends it a user without rights. */
	asOwnUser?: boolean;
}

/** A server of a test's own, on 127.0.0.1. It never outlives the process that started it. */
export class ServerProcess {
	readonly url: string;
	readonly port: number;
	private child?: ChildProcess;
	private exited: Promise<void> = Promise.resolve();

	private constructor(private readonly options: ServerOptions) {
		this.url = options.url;
		this.port = options.port;
	}

	static async start(options: ServerOptions): Promise<ServerProcess> {
		const server = new ServerProcess(options);
		try {
			await server.launch();
		} catch (error) {
			await server.stop();
			throw error;
		}
		return server;
	}

	/** Shuts down in an orderly way and forgets all data. */
	async stop(): Promise<void> {
		await this.shutDown();
		removeDirectory(this.options.directory);
	}

	/** What a power cut does to the processes: none of them gets to finish anything. */
	async kill(): Promise<void> {
		const pid = this.child?.pid;
		if (!pid) return;
		// Stopped first, so that it cannot start another child between the listing and the killing.
		signal(pid, 'SIGSTOP');
		const family = processes().filter((entry) => entry.pid === pid || entry.parent === pid);
		for (const member of family) signal(member.pid, 'SIGKILL');
		await this.exited;
		// Postgres does not start again as long as one of the old children still holds the memory.
		const pids = new Set(family.map((member) => member.pid));
		await until('the killed processes to be gone', () => {
			if (processes().some((entry) => pids.has(entry.pid))) throw new Error('some are left');
		});
	}

	/** Stops the clock for the process: it neither works nor notices, like a machine that was put to sleep. */
	freeze(): void {
		if (this.child?.pid) signal(this.child.pid, 'SIGSTOP');
	}

	/** Lets a frozen process go on as if nothing had happened. */
	thaw(): void {
		if (this.child?.pid) signal(this.child.pid, 'SIGCONT');
	}

	/** Starts on the same data and port, after `kill` or else after an orderly shutdown. */
	async restart(): Promise<void> {
		await this.shutDown();
		await this.launch();
	}

	private async launch(): Promise<void> {
		const { command, args, directory, answers, env, asOwnUser } = this.options;
		// A file and not a pipe: a busy test process must not block the server.
		const log = openSync(this.logFile, 'a');
		const child = spawn(command, args, {
			cwd: directory,
			env: { ...process.env, LC_ALL: 'C', ...env },
			stdio: ['ignore', log, log],
			// Out of the terminal's group: Ctrl+C is for the tests, which then take the servers down.
			detached: true,
			...(asOwnUser ? {} : serverUser()),
		});
		closeSync(log);
		child.unref();
		this.child = child;
		guard(directory, child.pid);

		let end: string | undefined;
		this.exited = new Promise((resolve) => {
			const ended = (reason: string) => {
				end = reason;
				this.child = undefined;
				guard(directory, undefined);
				resolve();
			};
			child.once('error', (error) => ended(error.message));
			child.once('exit', (code, name) => ended(`it ended with ${name ?? `exit code ${code}`}`));
		});

		try {
			await until(`${command} to answer on port ${this.port}`, answers, () => end);
		} catch (error) {
			throw new Error(`${(error as Error).message}\n${this.lastLogLines()}`);
		}
	}

	private async shutDown(): Promise<void> {
		if (!this.child?.pid) return;
		signal(this.child.pid, this.options.stopSignal);
		const patience = setTimeout(() => this.kill(), 10_000);
		await this.exited;
		clearTimeout(patience);
	}

	get log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	private get logFile(): string {
		return join(this.options.directory, 'server.log');
	}

	private lastLogLines(): string {
		return this.log.trim().split('\n').slice(-20).join('\n');
	}
}

/** Waits until `check` no longer throws; gives up after two minutes or as soon as `hopeless` says why. */
export async function until(
	what: string,
	check: () => unknown,
	hopeless: () => string | undefined = () => undefined,
): Promise<void> {
	const deadline = Date.now() + 120_000;
	for (;;) {
		try {
			await check();
			return;
		} catch (error) {
			const reason = hopeless() ?? (Date.now() > deadline && `after 120 s: ${error}`);
			if (reason) throw new Error(`Waited in vain for ${what}: ${reason}`);
		}
		await sleep(25);
	}
}

/** An empty directory that the server may write to and that is gone when the test process is. */
export function makeDirectory(name: string): string {
	const directory = mkdtempSync(join(tmpdir(), `idempotency-${name}-`));
	const { uid, gid } = serverUser();
	if (uid && gid) chownSync(directory, uid, gid);
	guard(directory, undefined);
	return directory;
}

export function removeDirectory(directory: string): void {
	rmSync(directory, { recursive: true, force: true });
	guardian?.send({ directory, removed: true });
}

// Below the ports from which systems pick for outgoing connections, so that none of those takes the
// port of a server that is down for a moment. Redis Cluster also listens at its port + 10000.
let nextPort = 10_000 + Math.floor(Math.random() * 9_000);

export async function freePort(): Promise<number> {
	for (;;) {
		const port = nextPort++;
		if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
	}
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const probe = createServer();
		probe.once('error', () => resolve(false));
		probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
	});
}

let guardian: ChildProcess | undefined;

function guard(directory: string, pid: number | undefined): void {
	if (!guardian) {
		guardian = fork(join(__dirname, 'guardian.mjs'), {
			detached: true,
			execArgv: [],
			stdio: 'ignore',
		});
		guardian.unref();
		guardian.channel?.unref();
	}
	guardian.send({ directory, pid: pid ?? null });
}

function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/** All processes of the machine except zombies. From /proc where there is one: not all have `ps`. */
function processes(): Array<{ pid: number; parent: number }> {
	const lines = existsSync('/proc/self/stat')
		? readdirSync('/proc')
				.filter((name) => /^\d+$/.test(name))
				.map(readStat)
		: execFileSync('ps', ['-A', '-o', 'stat=,pid=,ppid='], { encoding: 'utf8' }).split('\n');
	return lines
		.map((line) => line.trim().split(/\s+/))
		.filter(([state]) => state && !state.startsWith('Z'))
		.map(([, pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

/** The line that `ps -o stat=,pid=,ppid=` would print. */
function readStat(pid: string): string {
	try {
		// "pid (name) state parent ...", where the name may contain blanks and parentheses.
		const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
			.split(') ')
			.at(-1)!
			.split(' ');
		return [state, pid, parent].join(' ');
	} catch {
		return '';
	}
}
