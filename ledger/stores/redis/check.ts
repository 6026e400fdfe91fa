import type { Redis } from 'ioredis';

import type { Finding } from '../../Ledger';
import type { RedisConnection } from './connection';

/** What matters of one server's settings. What it does not tell is undefined. */
interface Server {
	name: string;
	version: string;
	memoryLimit: number;
	evictionPolicy?: string;
	isAppendOnly: boolean;
	appendFsync?: string;
	snapshots?: string;
}

const OLDEST_VERSION = [6, 2];

/** Looks at all servers that hold data. */
export async function inspect(
	connection: RedisConnection,
): Promise<{ server: string; findings: Finding[] }> {
	const servers = await connection.askAll(look);
	const names = new Set(servers.map(({ name, version }) => `${name} ${version}`));
	const findings = new Map<string, Finding>();
	for (const finding of servers.flatMap(judge)) findings.set(finding.message, finding);
	return { server: [...names].join(', '), findings: [...findings.values()] };
}

async function look(node: Redis): Promise<Server> {
	const info = parseInfo(await node.info());
	return {
		name: info.get('valkey_version') ? 'Valkey' : 'Redis',
		version: info.get('valkey_version') ?? info.get('redis_version') ?? '(unknown version)',
		memoryLimit: Number(info.get('maxmemory') ?? 0),
		evictionPolicy: info.get('maxmemory_policy') ?? (await setting(node, 'maxmemory-policy')),
		isAppendOnly: info.get('aof_enabled') === '1',
		appendFsync: await setting(node, 'appendfsync'),
		snapshots: await setting(node, 'save'),
	};
}

function parseInfo(text: string): Map<string, string> {
	const lines = text.split('\r\n').filter((line) => line.includes(':'));
	return new Map(
		lines.map((line) => {
			const end = line.indexOf(':');
			return [line.slice(0, end), line.slice(end + 1)];
		}),
	);
}

/** Undefined where the provider keeps CONFIG to itself. */
async function setting(node: Redis, name: string): Promise<string | undefined> {
	try {
		const [, value] = (await node.config('GET', name)) as string[];
		return value;
	} catch (error) {
		if ((error as Error).name !== 'ReplyError') throw error;
		return undefined;
	}
}

function judge(server: Server): Finding[] {
	return [version(server), eviction(server), persistence(server)].filter(
		(finding) => finding !== undefined,
	);
}

function version({ name, version: found }: Server): Finding | undefined {
	const [major, minor] = found.split('.').map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_VERSION;
	if (
		name !== 'Redis' ||
		!(major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
	) {
		return undefined;
	}
	return {
		severity: 'error',
		message: `Redis ${found} is older than ${OLDEST_VERSION.join('.')}, which the ledger is made for`,
		remedy: 'Update the server to Redis 6.2 or newer, or to Valkey',
	};
}

function eviction({ evictionPolicy, memoryLimit }: Server): Finding | undefined {
	const remedy =
		'Set `maxmemory-policy noeviction`, best on a Redis that is not used as a cache as well';
	if (evictionPolicy === undefined) {
		return {
			severity: 'warning',
			message: 'Redis does not tell whether it evicts keys when its memory is full',
			remedy: `Ask its provider. ${remedy}`,
		};
	}
	if (evictionPolicy === 'noeviction') return undefined;
	if (memoryLimit === 0) {
		return {
			severity: 'warning',
			message: `Redis would evict keys (${evictionPolicy}) if it had a memory limit: claims would be forgotten and work doubled`,
			remedy,
		};
	}
	return {
		severity: 'error',
		message: `Redis evicts keys when its memory is full (${evictionPolicy}): claims would be forgotten and work doubled`,
		remedy,
	};
}

function persistence({ isAppendOnly, appendFsync, snapshots }: Server): Finding | undefined {
	const remedy =
		'Set `appendonly yes` and `appendfsync always`; `everysec` is a compromise that can lose a second';
	if (isAppendOnly && appendFsync === 'always') return undefined;
	if (isAppendOnly && appendFsync !== undefined) {
		return {
			severity: 'warning',
			message: `Redis writes to its disk with a delay (appendfsync ${appendFsync}): a crash may forget the claims of the last ${appendFsync === 'everysec' ? 'second' : 'half minute or so'}`,
			remedy: 'Set `appendfsync always` if that matters more than speed',
		};
	}
	if (isAppendOnly) {
		return {
			severity: 'warning',
			message: 'Redis does not tell when it writes to its disk: a crash may forget the last claims',
			remedy: `Ask its provider. ${remedy}`,
		};
	}
	if (snapshots === undefined) {
		return {
			severity: 'warning',
			message:
				'Redis keeps no append-only file and does not tell whether it makes snapshots: a restart may forget claims',
			remedy: `Ask its provider. ${remedy}`,
		};
	}
	if (snapshots === '') {
		return {
			severity: 'error',
			message: 'Redis keeps nothing on disk: a restart forgets all claims',
			remedy,
		};
	}
	return {
		severity: 'warning',
		message: `Redis only makes snapshots from time to time (save ${snapshots}): a crash forgets the claims since the last one`,
		remedy,
	};
}
