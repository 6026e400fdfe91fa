import { setTimeout as sleep } from 'node:timers/promises';

import type { Ledger } from '../../ledger/Ledger';
import { claimantOf, holderOf } from './executions';

/** The orders in which steps are finished that can be undone. They are begun in the first of these. */
const ORDERS = [
	['flight', 'hotel', 'car'],
	['flight', 'car', 'hotel'],
	['hotel', 'flight', 'car'],
	['hotel', 'car', 'flight'],
	['car', 'flight', 'hotel'],
	['car', 'hotel', 'flight'],
];

export const UNDOABLE = ORDERS[0];

/** The same for the same key. */
export function finishOrder(key: string): string[] {
	return ORDERS[Number(key.split('-')[1]) % ORDERS.length];
}

/** Events that failed when three steps that can be undone were finished, one that cannot, one had failed and one was in doubt. */
export async function giveUpMidway(
	ledger: Ledger,
	namespace: string,
	keys: string[],
): Promise<void> {
	const claimant = claimantOf('saga');
	const claims = await ledger.claimEvents(
		keys.map((key) => ({ namespace, key, claimant, maxAttempts: 1000 })),
	);
	const held = claims.map((claim, i) => {
		if (!claim.claimed) throw new Error(`${keys[i]} is ${claim.outcome}`);
		return { namespace, key: keys[i], holder: holderOf('saga'), attempt: claim.event.attempt };
	});
	const done = async (results: Promise<Array<{ ok: boolean }>>) =>
		expect((await results).every(({ ok }) => ok)).toBe(true);

	for (const step of [...UNDOABLE, 'in doubt']) {
		await done(ledger.beginSteps(held.map((event) => ({ ...event, step, claimant }))));
	}
	for (const i of UNDOABLE.keys()) {
		// So that the order of ends is one of time too.
		await sleep(5);
		await done(
			ledger.finishSteps(
				held.map((event) => {
					const step = finishOrder(event.key)[i];
					return { ...event, step, undo: { cancel: step } };
				}),
			),
		);
	}
	await done(ledger.finishSteps(held.map((event) => ({ ...event, step: 'mail' }))));
	await done(
		ledger.finishSteps(
			held.map((event) => ({ ...event, step: 'seat', state: 'failed', undo: { cancel: 'seat' } })),
		),
	);
	await done(ledger.failEvents(held.map((event) => ({ ...event, reason: 'No car' }))));
}
