import { setTimeout as sleep } from 'node:timers/promises';

import type { Ledger } from '../../ledger/Ledger';
import { claim } from '../ledger/contestant';

/** As many as the Ledger node removes at a time. */
const PART = 1000;

/** A claim begins that often, whether or not the process is busy at that moment. */
const CLAIM_EVERY_MS = 10;

export interface Purge {
	purged: number;
	seconds: number;
	/** Of each call, in milliseconds. */
	calls: number[];
	/** From when each single claim should have begun to its answer, in milliseconds. */
	claimsMeanwhile: number[];
	claimsAlone: number[];
}

/** Removes all that is expired while claims go on; and the same claims before and after. */
export async function purgeUnderClaims(ledger: Ledger, aloneMs: number): Promise<Purge> {
	const before = await claimWhile(ledger, until(aloneMs / 2));
	const calls: number[] = [];
	let purged = 0;
	let isOver = false;
	const start = performance.now();
	const purging = (async () => {
		for (let more = true; more; ) {
			const since = performance.now();
			const part = await ledger.purge({ limit: PART });
			calls.push(performance.now() - since);
			purged += part.purged;
			({ more } = part);
		}
	})().finally(() => (isOver = true));
	const claimsMeanwhile = await claimWhile(ledger, () => !isOver);
	await purging;
	const seconds = (performance.now() - start) / 1000;
	const after = await claimWhile(ledger, until(aloneMs / 2));
	return { purged, seconds, calls, claimsMeanwhile, claimsAlone: [...before, ...after] };
}

async function claimWhile(ledger: Ledger, goesOn: () => boolean): Promise<number[]> {
	const times: number[] = [];
	for (let start = performance.now(); goesOn(); start += CLAIM_EVERY_MS) {
		await sleep(Math.max(0, start - performance.now()));
		// A timer may be a little early.
		const begun = Math.min(start, performance.now());
		await claim(ledger, 1);
		times.push(performance.now() - begun);
	}
	return times;
}

function until(ms: number): () => boolean {
	const end = performance.now() + ms;
	return () => performance.now() < end;
}
