/** Processes and servers that die in the middle: nothing is done twice, nothing vanishes. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { EventState } from '../../ledger/records';
import { doubled, events, Table } from './findings';
import { deliver, inPool } from './sender';
import { full } from './size';
import { type Published, setOptions, Stage, type StageLedger, type StoreName } from './Stage';

const EVENTS = full ? 300 : 30;
const LEASE_SECONDS = 10;

const table = new Table(`Kills: ${EVENTS} orders with an invoice and an email each`);
afterAll(() => table.print());

/** Example 2 for the impatient: leases that end soon, and effects that take long enough to be cut off. */
async function publish(stage: Stage, place: StageLedger): Promise<Published> {
	stage.world.delayMs = 100;
	return await stage.publish('02-order-invoice-email', place, (workflow) =>
		setOptions(workflow, 'Claim Event', {
			leaseMinutes: LEASE_SECONDS / 60,
			maxAttempts: 100,
			waitSeconds: 0,
		}),
	);
}

/**
 * Delivers every order while `strike` happens again and again, and then, as a sender does that got no answer it likes, once more
 * all that are not settled, until each is done or waits for a person.
 */
async function deliverUnder(
	what: string,
	stage: Stage,
	place: StageLedger,
	strike: () => Promise<void>,
): Promise<void> {
	const { url, workflowId } = await publish(stage, place);
	const orders = Array.from({ length: EVENTS }, (_, i) => `${what}-${i}`);
	const send = (orderId: string) => deliver(url, { orderId, amount: 9, email: 'kim@example.com' });

	let strikes = 0;
	let answered = 0;
	let delivering = true;
	const count = async (orderId: string) => {
		await send(orderId);
		answered++;
	};
	const storm = inPool(orders, 8, count).finally(() => (delivering = false));
	// In the middle of the work, however fast the machine is at it.
	while (answered === 0) await sleep(5);
	while (delivering) {
		await strike();
		strikes++;
		await sleep(2_000);
	}
	await storm;

	const settled: EventState[] = ['done', 'review'];
	let found = await events(place.ledger, workflowId);
	const redelivered = new Set<string>();
	for (let round = 0; round < 12; round++) {
		const open = orders.filter(
			(orderId) => !settled.includes(found.get(orderId)?.state as EventState),
		);
		if (open.length === 0 && round > 0) break;
		// The first time all of them: a sender does not know who was settled.
		const again = round === 0 ? orders : open;
		for (const orderId of again) redelivered.add(orderId);
		await sleep(LEASE_SECONDS * 1_000);
		await inPool(again, 8, send);
		found = await events(place.ledger, workflowId);
	}

	const inState = (state: EventState) =>
		orders.filter((orderId) => found.get(orderId)?.state === state);
	const [done, review] = [inState('done'), inState('review')];
	const twice = ['invoices', 'mail'].flatMap((service) => doubled(stage.world, service));
	table.add({
		struck: what,
		strikes,
		events: orders.length,
		done: done.length,
		'in doubt, in review': review.length,
		doubled: twice.length,
		lost: orders.length - done.length - review.length,
	});

	expect(strikes).toBeGreaterThan(0);
	expect(twice).toEqual([]);
	expect(orders.filter((orderId) => !done.includes(orderId) && !review.includes(orderId))).toEqual(
		[],
	);
	const effectsOf = (service: string, orderId: string) =>
		stage.world.of(service).filter(({ body }) => body.orderId === orderId).length;
	for (const orderId of done) {
		expect([orderId, effectsOf('invoices', orderId), effectsOf('mail', orderId)]).toEqual([
			orderId,
			1,
			1,
		]);
	}
	// Whoever is in review is there for a step that was begun and not finished, and for nothing else.
	for (const orderId of review) {
		const { namespace, key } = found.get(orderId)!;
		const [details] = await place.ledger.get([{ namespace, key }]);
		expect(details?.steps.filter(({ state }) => state === 'started')).toHaveLength(1);
	}
}

describe('in queue mode', () => {
	let stage: Stage;
	beforeAll(async () => (stage = await Stage.open({ mode: 'queue' })));
	afterAll(() => stage?.close());

	it('a random worker is killed every few seconds', async () => {
		const place = await stage.ledger('postgres');
		await deliverUnder('worker', stage, place, async () => {
			const victim = stage.n8n.workers[Math.floor(Math.random() * stage.n8n.workers.length)];
			await victim.kill();
			await victim.restart();
		});
	});

	it.each<StoreName>(['postgres', 'redis'])(
		'the ledger in %s is killed and comes back',
		async (store) => {
			const place = await stage.ledger(store);
			await deliverUnder(`${store} server`, stage, place, async () => {
				await place.server!.kill();
				await sleep(1_000);
				await place.server!.restart();
			});
		},
	);
});

describe('in regular mode', () => {
	let stage: Stage;
	beforeAll(async () => (stage = await Stage.open({ mode: 'regular' })));
	afterAll(() => stage?.close());

	it.each<StoreName>(full ? ['embedded', 'postgres'] : ['embedded'])(
		'the main process is killed, ledger in %s',
		async (store) => {
			const place = await stage.ledger(store);
			await deliverUnder(`main, ${store}`, stage, place, async () => {
				await stage.n8n.main.kill();
				await stage.n8n.main.restart();
			});
		},
	);
});
