/**
 * Orders that are delivered once each, while workers die, and later the main process: with example 7 running, every one that was
 * accepted ends done, or in review for a step that is in doubt. Nobody delivers anything again.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { EventState } from '../../ledger/records';
import type { WorkflowJson } from '../../scripts/n8n/N8nApi';
import { byOrder, doubled, events, Table } from './findings';
import { impatient, LEASE_SECONDS } from './recovering';
import { accepted, deliver, inPool } from './sender';
import { full } from './size';
import { insertAfter, Stage } from './Stage';

const EVENTS = full ? 300 : 40;
const SETTLED: EventState[] = ['done', 'review'];

const table = new Table(`Recovery: ${EVENTS} orders, each delivered once`);
afterAll(() => table.print());

/** Example 7 with a pause between its steps, so that there is something to be cut off that is not in doubt. */
function slow(workflow: WorkflowJson): void {
	impatient(workflow);
	insertAfter(workflow, 'Create Invoice', {
		name: 'Pause',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { resume: 'timeInterval', amount: 2, unit: 'seconds' },
	});
}

let stage: Stage;
beforeAll(async () => (stage = await Stage.open({ mode: 'queue', workers: 2 })));
afterAll(() => stage?.close());

it('a random worker is killed every few seconds, and later the main process: nothing is lost or doubled', async () => {
	const place = await stage.ledger('postgres');
	stage.world.delayMs = 150;
	const { url, workflowId } = await stage.publish('07-recovery', place, slow);
	const orders = Array.from({ length: EVENTS }, (_, i) => `order-${i}`);

	let workerKills = 0;
	let delivering = true;
	const delivery = inPool(orders, 4, async (orderId) => {
		const answer = await deliver(url, { orderId, amount: 9, email: 'kim@example.com' });
		await sleep(2_000);
		return { orderId, answer };
	}).finally(() => (delivering = false));
	const killWorker = async () => {
		const victim = stage.n8n.workers[Math.floor(Math.random() * stage.n8n.workers.length)];
		await victim.kill();
		await victim.restart();
		workerKills++;
	};
	while (delivering) {
		await sleep(1_500);
		await killWorker();
	}
	const answers = await delivery;
	const isSettled = async () => {
		const found = await events(place.ledger, workflowId);
		return [...found.values()].every(({ state }) => SETTLED.includes(state));
	};

	let mainKills = 0;
	for (let round = 0; round < 40 && !(mainKills > 0 && (await isSettled())); round++) {
		if (round === 0) {
			await stage.n8n.main.kill();
			await stage.n8n.main.restart();
			mainKills++;
		} else if (round < 3) await killWorker();
		await sleep(LEASE_SECONDS * 1_000);
	}

	const found = await events(place.ledger, workflowId);
	const taken = answers.filter(({ answer }) => accepted(answer)).map(({ orderId }) => orderId);
	const inState = (state: EventState) =>
		[...found].filter(([, event]) => event.state === state).map(([orderId]) => orderId);
	const [done, review] = [inState('done'), inState('review')];
	const lost = taken.filter((orderId) => !done.includes(orderId) && !review.includes(orderId));
	const twice = ['invoices', 'mail'].flatMap((service) => doubled(stage.world, service));
	const again = [...found.values()].filter(({ state, attempt }) => state === 'done' && attempt > 1);
	table.add({
		delivered: orders.length,
		accepted: taken.length,
		'workers killed': workerKills,
		'main killed': mainKills,
		done: done.length,
		'of these run again': again.length,
		'in doubt, in review': review.length,
		doubled: twice.length,
		lost: lost.length,
	});

	expect(workerKills).toBeGreaterThan(0);
	expect(again.length).toBeGreaterThan(0);
	expect(taken.length).toBeGreaterThan(EVENTS / 2);
	expect(twice).toEqual([]);
	expect(lost).toEqual([]);
	expect([...found.values()].filter(({ state }) => !SETTLED.includes(state))).toEqual([]);
	const [invoices, mails] = ['invoices', 'mail'].map((service) => byOrder(stage.world.of(service)));
	for (const orderId of done) {
		expect([orderId, invoices.get(orderId)?.length, mails.get(orderId)?.length]).toEqual([
			orderId,
			1,
			1,
		]);
	}
	for (const orderId of review) {
		const [details] = await place.ledger.get([found.get(orderId)!]);
		expect(details?.steps.filter(({ state }) => state === 'started')).toHaveLength(1);
	}
});
