import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Finding } from '../../Ledger';

/** With less free space than this it is time to do something. */
const LITTLE_SPACE = 100 * 1024 * 1024;

/** What is wrong with the place where the ledger is. That a drive is a network drive cannot be seen from here. */
export async function findProblems(file: string, inode: number): Promise<Finding[]> {
	const problems = await Promise.all([inPlace(file, inode), writable(file), roomy(file)]);
	return problems.flat();
}

async function inPlace(file: string, inode: number): Promise<Finding[]> {
	const found = await stat(file).catch(() => undefined);
	if (found?.ino === inode) return [];
	return [
		{
			severity: 'error',
			message: `The file ${file} was removed or replaced while n8n has it open. What is written now is lost when n8n stops`,
			remedy: 'Restart n8n, and leave the file alone while n8n runs',
		},
	];
}

/** SQLite makes files beside its own, so the folder counts as well. */
async function writable(file: string): Promise<Finding[]> {
	const folder = dirname(file);
	try {
		await access(folder, constants.W_OK);
		return [];
	} catch {
		return [
			{
				severity: 'error',
				message: `The folder ${folder} is not writable`,
				remedy: 'Let the user that n8n runs as write it',
			},
		];
	}
}

async function roomy(file: string): Promise<Finding[]> {
	const { bavail, bsize } = await statfs(dirname(file));
	const free = bavail * bsize;
	if (free >= LITTLE_SPACE) return [];
	return [
		{
			severity: 'warning',
			message: `The disk with ${file} has only ${Math.floor(free / 1024 / 1024)} MiB left. When it is full, nothing can be claimed`,
			remedy: 'Free some space, or keep done events for a shorter time',
		},
	];
}
