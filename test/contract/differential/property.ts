import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';

import { comparable } from '../comparable';
import type { Operation } from './operations';
import { see } from './see';
import { anySequence } from './sequences';
import type { Side } from './Side';

/** A ledger that is compared with others. */
export interface Compared {
	name: string;
	/** In which nobody else does anything. */
	start(namespace: string): Side;
}

/** How many sequences are under way at once, each in a namespace of its own: most of the time, each of them waits for somebody. */
export const TOGETHER = 4;

/**
 * Random sequences of what several workers in two processes do, some of them with what is outdated: all ledgers give the same answers to
 * each operation, and show the same in the end.
 */
export function allAgree(compared: Compared[]): fc.IAsyncPropertyWithHooks<[Operation[][]]> {
	const sequences = fc.array(anySequence, { minLength: TOGETHER, maxLength: TOGETHER });
	return fc.asyncProperty(sequences, async (all) => {
		// Those that still run must not do so while the next ones are tried.
		const results = await Promise.allSettled(all.map((operations) => run(compared, operations)));
		for (const result of results) if (result.status === 'rejected') throw result.reason;
	});
}

async function run(compared: Compared[], operations: Operation[]): Promise<void> {
	const namespace = randomUUID();
	const sides = compared.map(({ start }) => start(namespace));
	for (const [i, operation] of operations.entries()) {
		await agree(compared, sides, `answer ${i}`, operation, (side) => side.perform(operation));
		// What comes later is later by all clocks.
		await sleep(1);
	}
	await agree(compared, sides, 'the end', operations, ({ ledger }) => see(ledger, namespace));
}

async function agree(
	compared: Compared[],
	sides: Side[],
	when: string,
	operation: unknown,
	act: (side: Side) => Promise<unknown>,
): Promise<void> {
	const [model, ...stores] = (await Promise.all(sides.map(act))).map((seen) => comparable(seen));
	stores.forEach((store, i) => {
		const isCluster = compared[i + 1].name === 'Redis Cluster';
		const [other, first] = isCluster ? [withoutHints(store), withoutHints(model)] : [store, model];
		// Much faster than `toEqual`, which shows the difference when there is one.
		if (isDeepStrictEqual(other, first)) return;
		const names = `${compared[i + 1].name} (received) and ${compared[0].name} (expected)`;
		const what = `${names} differ in ${when} to ${JSON.stringify(operation)}`;
		try {
			expect(other).toEqual(first);
		} catch (error) {
			throw new Error(`${what}\n${(error as Error).message}`);
		}
		throw new Error(`${what}: in what a field without a value is, or in kinds of objects`);
	});
}

/**
 * In a cluster a content and its records are in different shards, and change one after the other: who else has the content is a hint
 * there, which may be about a record that never had it or has it no more.
 */
function withoutHints(seen: unknown): unknown {
	if (Array.isArray(seen)) return seen.map(withoutHints);
	if (typeof seen !== 'object' || seen === null) return seen;
	const fields = Object.entries(seen).filter(([name]) => name !== 'sameContentAs');
	return Object.fromEntries(fields.map(([name, value]) => [name, withoutHints(value)]));
}
