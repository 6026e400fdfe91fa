import { randomUUID } from 'node:crypto';

import type { Ledger } from '../../ledger/Ledger';
import { openLedger } from '../../ledger/open';
import { Hand } from './Hand';
import { LOSSY_PLACES, type LossyPlace } from './lossyPlaces';
import { type Outcome, outcomeOf } from './outcome';
import { CLAIMS, EVENTS, GATES, STEPS, type WriteCase, WRITES } from './writes';

/** Of these it makes no difference for others whether they come right before or right after. */
const ON_AN_EVENT = { ...CLAIMS, ...STEPS, ...EVENTS, ...GATES };
for (const name of Object.keys(ON_AN_EVENT)) {
	if (/^import|new|three|superseded/.test(name)) delete ON_AN_EVENT[name];
}

/** So many that the history has all of them. */
const SHARED_STEPS = Array.from({ length: 40 }, (_, i) => `step ${i}`);
const EACH_LOST = 7;

describe.each(Object.entries(LOSSY_PLACES))('%s', (_store, open) => {
	let place: LossyPlace;
	let direct: Ledger;
	let lossy: Ledger;

	beforeAll(async () => {
		place = await open();
		direct = await openLedger(place.direct);
		lossy = await openLedger(place.settings);
	});

	afterAll(async () => {
		await lossy?.close();
		await direct?.close();
		await place?.dispose();
	});

	describe('a write whose answer was lost has happened once', () => {
		test.each(Object.entries(WRITES))('%s', async (name, writeCase) => {
			const expected = await play(writeCase);
			for (let number = 1; ; number++) {
				const { outcome, losses } = await playLosing(number, writeCase);
				const { reply, ledger } = expected;
				expect([number, outcome.ledger]).toEqual([number, ledger]);
				if (!writeCase.isGoneThen) expect([number, outcome.reply]).toEqual([number, reply]);
				expectDeliveries(outcome, [expected], name.startsWith('claim') ? losses : 0);
				// It has fewer answers than that: each of them has been lost once.
				if (losses === 0) return expect(number).toBeGreaterThan(1);
			}
		});
	});

	describe('also if somebody else wrote before it was repeated', () => {
		test.each(Object.entries(ON_AN_EVENT))('%s', async (name, writeCase) => {
			const expected = [
				await play({ ...writeCase, write: inTurn(writeCase.write, disturb) }),
				await play({ ...writeCase, write: inTurn(disturb, writeCase.write) }),
			];
			for (let number = 1; ; number++) {
				const { outcome, losses } = await playLosing(number, writeCase, disturb);
				if (losses === 0) return expect(number).toBeGreaterThan(1);
				expect(expected.map(({ ledger }) => ledger)).toContainEqual(outcome.ledger);
				expectDeliveries(outcome, expected, name.startsWith('claim') ? losses : 0);
			}
		});
	});

	test('two write for one execution at once while answers get lost: each step is begun once, and done', async () => {
		const { proxy } = place;
		const second = await openLedger(place.settings);
		const address = { namespace: randomUUID(), key: 'event' };
		const hands = [new Hand(lossy, address, 'one')];
		await hands[0].claim();
		hands.push(hands[0].through(second));
		let answers = 0;
		proxy.losesAnswer = (question) =>
			question.includes(address.namespace) && ++answers % EACH_LOST === 0;
		const lossesBefore = proxy.losses;
		try {
			await Promise.all(
				hands.map(async (hand, who) => {
					for (const step of SHARED_STEPS.filter((_, i) => i % 2 === who)) {
						expect(await hand.begin(step)).toMatchObject({ value: { outcome: 'run' } });
						await hand.finish(step);
					}
				}),
			);
		} finally {
			proxy.losesAnswer = () => false;
			await second.close();
		}
		expect(proxy.losses - lossesBefore).toBeGreaterThan(2);
		const [details] = await direct.get([address]);
		const found = details!.steps.map(({ name, state, tries }) => ({ name, state, tries }));
		expect(
			found.sort((a, b) => SHARED_STEPS.indexOf(a.name) - SHARED_STEPS.indexOf(b.name)),
		).toEqual(SHARED_STEPS.map((name) => ({ name, state: 'done', tries: 1 })));
		const history = await direct.history(address);
		expect(history.map(({ kind, step }) => `${kind} ${step}`).sort()).toEqual(
			[
				'new undefined',
				...SHARED_STEPS.flatMap((step) => [`step_started ${step}`, `step_done ${step}`]),
			].sort(),
		);
	});

	async function play({ before, write }: WriteCase, ledger = direct): Promise<Outcome> {
		const namespace = randomUUID();
		const hand = new Hand(ledger, { namespace, key: 'event' }, `one of ${namespace}`);
		const prepared = await before?.(hand);
		return await outcomeOf(await write(hand, prepared), direct, namespace);
	}

	/** Loses one of the answers to the write: the first, the second … */
	async function playLosing(
		number: number,
		{ before, write, isAboutAll }: WriteCase,
		meanwhile: (hand: Hand) => Promise<unknown> = async () => {},
	): Promise<{ outcome: Outcome; losses: number }> {
		const { proxy } = place;
		const lossesBefore = proxy.losses;
		const writeLosing = async (hand: Hand, prepared: unknown) => {
			let answers = 0;
			proxy.losesAnswer = (question) =>
				(isAboutAll || question.includes(hand.address.namespace)) && ++answers === number;
			proxy.meanwhile = () => meanwhile(hand.through(direct));
			try {
				return await write(hand, prepared);
			} finally {
				proxy.losesAnswer = () => false;
			}
		};
		const outcome = await play({ before, write: writeLosing }, lossy);
		return { outcome, losses: proxy.losses - lossesBefore };
	}
});

/** A delivery is counted before anything is decided about it; nothing tells that it was when the answer to that is lost. */
function expectDeliveries({ deliveries }: Outcome, expected: Outcome[], more: number): void {
	for (const [kind, count] of Object.entries(deliveries)) {
		const counts = expected.map((one) => one.deliveries[kind]);
		expect([kind, count >= Math.min(...counts)]).toEqual([kind, true]);
		expect([kind, count <= Math.max(...counts) + more]).toEqual([kind, true]);
	}
}

/** A delivery of the same key with other content is kept with the event, whatever its state. */
async function disturb(hand: Hand): Promise<unknown> {
	return await hand.other('stranger').claim({ fingerprint: 'other content' });
}

function inTurn(...writes: Array<WriteCase['write']>): WriteCase['write'] {
	return async (hand, prepared) => {
		for (const write of writes) await write(hand, prepared);
	};
}
