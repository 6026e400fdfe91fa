/** A worker that slept through its lease wakes up and goes on as if nothing had happened. */
import { events } from './findings';
import { accepted, deliver } from './sender';
import { full } from './size';
import { setOptions, Stage, type StageLedger, type StoreName } from './Stage';
import { until } from '../servers/ServerProcess';

const stores: StoreName[] = full ? ['postgres', 'redis'] : ['postgres'];

describe.each(stores)('ledger in %s', (store) => {
	let stage: Stage;
	let place: StageLedger;
	beforeAll(async () => {
		stage = await Stage.open({ mode: 'queue', workers: 1 });
		place = await stage.ledger(store);
	});
	afterAll(() => stage?.close());

	it('its late writes are refused, it has no effect, and its execution says so', async () => {
		const { url, workflowId } = await stage.publish('02-order-invoice-email', place, (workflow) => {
			setOptions(workflow, 'Claim Event', { leaseMinutes: 0.1, waitSeconds: 0 });
			// Somewhere to sleep between the claim and the first step.
			workflow.nodes.push({
				id: 'sleep',
				name: 'Look Up Customer',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [600, -40],
				parameters: { url: `${stage.world.url}/customers` },
			});
			const [[toInvoice]] = workflow.connections['Claim Event'].main as [[object]];
			workflow.connections['Claim Event'].main[0] = [
				{ node: 'Look Up Customer', type: 'main', index: 0 },
			];
			workflow.connections['Look Up Customer'] = { main: [[toInvoice as never]] };
		});
		const order = { orderId: 'Z-1', amount: 9, email: 'kim@example.com' };

		const lookUp = stage.world.hold('customers');
		void deliver(url, order);
		await lookUp.arrived;
		const [zombie] = stage.n8n.workers;
		zombie.freeze();

		// Another worker takes the event over when the lease is over, and finishes it.
		lookUp.release();
		await stage.n8n.addWorker();
		await until('the event to be taken over', async () => {
			const { status } = await deliver(url, order);
			if (status !== 200) throw new Error(`answered ${status}`);
		});
		const before = await events(place.ledger, workflowId);
		expect(before.get('Z-1')).toMatchObject({ state: 'done', attempt: 2 });

		zombie.thaw();
		// n8n gave the execution up long before and keeps its own reason for that; what the node said is in the worker's log.
		await until('the zombie to be told', () => {
			expect(zombie.log).toMatch(
				/claim on 'v1:field:Z-1' is no longer held by this run: attempt 2/,
			);
		});
		const after = await events(place.ledger, workflowId);
		expect(after.get('Z-1')).toEqual(before.get('Z-1'));
		expect(stage.world.of('invoices')).toHaveLength(1);
		expect(stage.world.of('mail')).toHaveLength(1);
		expect(accepted(await deliver(url, order))).toBe(true);
	});
});
