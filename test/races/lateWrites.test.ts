import { randomUUID } from 'node:crypto';

import type { Ledger } from '../../ledger/Ledger';
import { openLedger } from '../../ledger/open';
import { Hand } from './Hand';
import { labelOf } from './labels';
import { LOSSY_PLACES, type LossyPlace } from './lossyPlaces';
import { portrait } from './portrait';
import { EVENTS, GATES, STEPS, type WriteCase } from './writes';

/** Those of the holder of a claim, on an event that is in progress. */
const HELD: Record<string, WriteCase> = {};
for (const [name, writeCase] of Object.entries({ ...STEPS, ...EVENTS, ...GATES })) {
	if (!/operator|resolve|decide|note|nobody|all of|after a pause|changed/.test(name))
		HELD[name] = writeCase;
}

describe.each(Object.entries(LOSSY_PLACES))('%s', (_store, open) => {
	let place: LossyPlace;
	let direct: Ledger;
	let slow: Ledger;

	beforeAll(async () => {
		place = await open();
		direct = await openLedger(place.direct);
		slow = await openLedger(place.settings);
	});

	afterAll(async () => {
		await slow?.close();
		await direct?.close();
		await place?.dispose();
	});

	describe('a write that was on its way when the event was taken over is refused and changes nothing', () => {
		test.each(Object.entries(HELD))('%s', async (_name, { before, write }) => {
			const namespace = randomUUID();
			const hand = new Hand(slow, { namespace, key: 'event' }, 'one');
			const prepared = await before?.(hand);

			let arrive!: () => void;
			const arrival = new Promise<void>((resolve) => (arrive = resolve));
			const departure = new Promise<void>((resolve) => {
				place.proxy.delay = (question) => {
					if (!question.includes(namespace)) return undefined;
					resolve();
					return arrival;
				};
			});
			const reply = write(hand, prepared);
			await departure;
			place.proxy.delay = () => undefined;
			const heir = hand.other('two').through(direct);
			expect((await heir.claim({ actsFor: hand.held.holder })).claimed).toBe(true);
			await heir.finish('payment');
			const taken = await portrait(direct, namespace);
			arrive();

			expect(labelOf(await reply)).toBe('StaleClaimError');
			expect(await portrait(direct, namespace)).toEqual(taken);
		});
	});
});
