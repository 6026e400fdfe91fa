import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../servers/ServerProcess';
import { holderOf } from './executions';
import { Hand } from './Hand';
import { labelOf } from './labels';
import { PLACES } from './places';
import { portrait } from './portrait';
import { race } from './race';

const LEASE_MS = 400;
const OPERATOR = { by: 'olga' };

/** What the sleeper does first when it wakes up, with the record of the event that it knows from before. */
const WRITES: Record<string, (hand: Hand) => Promise<unknown>> = {
	begin: (hand) => hand.begin('email'),
	finish: (hand) => hand.finish('invoice'),
	complete: (hand) => hand.complete(),
	fail: (hand) => hand.fail(),
	renew: (hand) => hand.renew(),
	pause: (hand) => hand.pause(),
	release: (hand) => hand.release(),
	ask: (hand) => hand.ask(),
	takeUndos: (hand) => hand.takeUndos(),
	markUndone: (hand) => hand.markUndone('hotel'),
};

interface Fate {
	/** What becomes of the event while the sleeper sleeps. */
	befall(heir: Hand, write: string, sleeper: string): Promise<unknown>;
	/** How all late writes end, but for some. */
	late: string;
	except?: Record<string, string>;
}

/** Nobody else has the claim, so that to give it up once more is a repetition. */
const GIVEN_UP = { fail: 'repeated', release: 'repeated' };

const FATES: Record<string, Fate> = {
	'taken over': { befall: (heir) => takeOver(heir), late: 'StaleClaimError' },
	'taken over and done': {
		befall: async (heir) => {
			await takeOver(heir);
			await heir.finish('invoice');
			await heir.complete();
		},
		late: 'StaleClaimError',
	},
	'retried by hand': {
		befall: async (heir, _write, sleeper) => {
			const { claimed } = await heir.claim({
				actsFor: holderOf(sleeper),
				onStopped: 'takeover',
			});
			expect(claimed).toBe(true);
		},
		late: 'StaleClaimError',
	},
	'sent to review by a delivery': {
		befall: (heir) =>
			until('the lease to be over', async () => {
				expect((await heir.claim({ onStopped: 'review' })).outcome).toBe('review');
			}),
		late: 'EventClosedError',
		except: GIVEN_UP,
	},
	'failed by an operator': {
		befall: ({ ledger, address }) =>
			ledger.failEvents([{ ...address, reason: 'No luck', ...OPERATOR }]),
		late: 'EventClosedError',
		except: GIVEN_UP,
	},
	'completed by an operator': {
		befall: ({ ledger, address }) => ledger.completeEvents([{ ...address, ...OPERATOR }]),
		late: 'EventClosedError',
		except: { complete: 'repeated' },
	},
	deleted: {
		befall: ({ ledger, address }) => ledger.deleteEvents([{ ...address, ...OPERATOR }]),
		late: 'EventNotFoundError',
	},
	// With as many writes to the new record as there were to the old one.
	'deleted and claimed anew': {
		befall: async (heir, write) => {
			await heir.ledger.deleteEvents([{ ...heir.address, ...OPERATOR }]);
			await work(heir, write);
		},
		late: 'StaleClaimError',
	},
	'forgotten and claimed anew': {
		befall: async (heir, write) => {
			await takeOver(heir, 1);
			await heir.finish('invoice');
			await heir.complete();
			await sleep(5);
			await heir.ledger.purge();
			await work(heir, write);
		},
		late: 'StaleClaimError',
	},
};

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: a process that wakes up with records that are outdated is refused, whatever it does first, and changes nothing`,
		open,
		async ({ ledger, crew }) => {
			const [sleeper, heir] = await crew.hire(2, { task: 'serve' });
			const { namespace } = crew;
			const cases = Object.entries(FATES).flatMap(([name, fate]) =>
				Object.keys(WRITES).map((write) => ({ name, fate, write, key: `${name}: ${write}` })),
			);
			const hands = cases.map(
				({ key }) => new Hand(sleeper.ledger, { namespace, key }, sleeper.name),
			);
			await Promise.all(hands.map((hand, i) => work(hand, cases[i].write)));
			sleeper.freeze();
			// They wait in its inbox for it to wake up.
			const answers = Promise.all(hands.map((hand, i) => WRITES[cases[i].write](hand)));

			await Promise.all(
				hands.map(async ({ address }, i) => {
					const { fate, write } = cases[i];
					const hand = new Hand(heir.ledger, address, heir.name);
					await fate.befall(hand, write, sleeper.name);
				}),
			);
			const before = await portrait(ledger, namespace);
			sleeper.thaw();
			const labels = (await answers).map(labelOf);
			const after = await portrait(ledger, namespace);

			expect(cases.map(({ key }, i) => [key, labels[i]])).toEqual(
				cases.map(({ key, fate: { late, except }, write }) => [key, except?.[write] ?? late]),
			);
			expect(after).toEqual(before);
		},
	);
}

/** What the sleeper did before it fell asleep, so that it knows the record. */
async function work(hand: Hand, write: string): Promise<void> {
	const { claimed } = await hand.claim({ leaseMs: LEASE_MS });
	expect(claimed).toBe(true);
	await hand.finish('hotel', { undo: { cancel: 'hotel' } });
	await hand.begin('invoice');
	// An event is not completed as long as one of its steps is not done.
	if (write === 'complete') await hand.finish('invoice');
}

async function takeOver(heir: Hand, retentionMs?: number): Promise<void> {
	await until('the lease to be over', async () => {
		const { outcome } = await heir.claim({ onStopped: 'takeover', retentionMs });
		expect(outcome).toBe('recovered');
	});
}
