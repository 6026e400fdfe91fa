import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Cluster, Redis } from 'ioredis';

import { SWAP_FIELDS } from './swapFields';

export type Argument = string | number;

/** The files that each script is made of, after `core` and in this order. */
const PARTS = {
	clock: ['clock'],
	insert: ['insertNew', 'record', 'tally', 'insert'],
	insertWide: ['record', 'tally', 'content', 'insert'],
	read: ['record', 'read'],
	swap: ['record', 'tally', 'swap'],
	index: ['record', 'tally', 'indexes', 'index'],
	list: ['record', 'list'],
	stats: ['tally', 'stats'],
	claimAlias: ['claimAlias'],
	release: ['release'],
	countDue: ['countDue'],
	remove: ['record', 'tally', 'clear', 'indexes', 'forget', 'remove'],
	purge: ['record', 'tally', 'clear', 'indexes', 'forget', 'purge'],
	raiseMarks: ['tally', 'raiseMarks'],
	dropMarks: ['dropMarks'],
	contents: ['content', 'contents'],
	putEntry: ['putEntry'],
	readEntries: ['readEntries'],
} satisfies Record<string, string[]>;

export type ScriptName = keyof typeof PARTS;

interface Script {
	text: string;
	sha: string;
}

const loaded = new Map<ScriptName, Script>();

/** The text of a script, put together once per process. */
function load(name: ScriptName): Script {
	let found = loaded.get(name);
	if (!found) {
		const text = ['core', ...PARTS[name]].map(readPart).join('\n');
		found = { text, sha: createHash('sha1').update(text).digest('hex') };
		loaded.set(name, found);
	}
	return found;
}

function readPart(name: string): string {
	const text = readFileSync(join(__dirname, 'scripts', `${name}.lua`), 'utf8');
	return name === 'swap' ? placesOf(SWAP_FIELDS) + text : text;
}

/** Lua constants with which a script finds the fields of an item by their names. */
function placesOf(fields: readonly string[]): string {
	const names = [...fields.map((field) => field.toUpperCase()), 'SWAP_FIELDS'];
	return `local ${names.join(', ')} = ${names.map((_, i) => i).join(', ')}\n`;
}

/**
 * Runs a script on one shard, by its hash. A server that does not know it (first use, restart, failover, SCRIPT
 * FLUSH) gets its text, and knows it from then on.
 */
export function evaluate(
	client: Redis | Cluster,
	name: ScriptName,
	shard: string,
	args: Argument[],
): Promise<unknown> {
	const { sha, text } = load(name);
	return client.evalsha(sha, 1, shard, ...args).catch((error: Error) => {
		if (!error.message.startsWith('NOSCRIPT')) throw error;
		return client.eval(text, 1, shard, ...args);
	});
}
