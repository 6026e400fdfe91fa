import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Cluster, Redis } from 'ioredis';

export type Argument = string | number;

interface Script {
	text: string;
	sha: string;
}

/** The files that a script is made of, if they are not `core`, `events`, `rules` and its own. */
const PARTS: { [name: string]: string[] } = {
	// Most claims are new and get no further than the second.
	claim: ['core', 'claim', 'events', 'rules', 'reclaim'],
	mark: ['core', 'mark'],
	content: ['core', 'content'],
};

const loaded = new Map<string, Script>();

/** The script of an operation, put together from `scripts/*.lua` once per process. */
function script(name: string): Script {
	let found = loaded.get(name);
	if (!found) {
		const text = (PARTS[name] ?? ['core', 'events', 'rules', name]).map(readPart).join('\n');
		found = { text, sha: createHash('sha1').update(text).digest('hex') };
		loaded.set(name, found);
	}
	return found;
}

function readPart(name: string): string {
	return readFileSync(join(__dirname, 'scripts', `${name}.lua`), 'utf8');
}

/**
 * Runs a script on one shard, by its hash. A server that does not know it (first use, restart, failover, SCRIPT
 * FLUSH) gets its text, and knows it from then on.
 */
export function evaluate(
	client: Redis | Cluster,
	name: string,
	shard: string,
	args: Argument[],
): Promise<unknown> {
	const { sha, text } = script(name);
	return client.evalsha(sha, 1, shard, ...args).catch((error: Error) => {
		if (!error.message.startsWith('NOSCRIPT')) throw error;
		return client.eval(text, 1, shard, ...args);
	});
}
