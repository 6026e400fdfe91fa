/**
 * Outlives the test process that started it and cleans up after it, however that process ended:
 * by itself, by Ctrl+C or by SIGKILL. Exit handlers would not do: they do not run on SIGKILL, and
 * jest gives test files a copy of `process` whose handlers never fire.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Directory of a server → process id, or null while that server is down. */
const servers = new Map();

process.on('message', ({ directory, pid, removed }) => {
	if (removed) servers.delete(directory);
	else servers.set(directory, pid);
});

process.on('disconnect', async () => {
	const pids = [...servers.values()].filter((pid) => pid !== null);
	// SIGQUIT is Postgres' immediate shutdown: it takes its children and its shared memory along.
	for (const pid of pids) signal(pid, 'SIGQUIT');
	for (let i = 0; i < 40 && pids.some((pid) => signal(pid, 0)); i++) await sleep(50);
	for (const pid of pids) signal(pid, 'SIGKILL');
	for (const directory of servers.keys()) {
		// Again and again, because a program that only prepares the directory may still be at work.
		rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
});

function signal(pid, name) {
	try {
		return process.kill(pid, name);
	} catch {
		return false;
	}
}
