/** Many deliveries of the same events at once: one effect each, and everybody gets the first result. */
import { accepted, deliver, inPool } from './sender';
import { byOrder, doubled, events, Table } from './findings';
import { full } from './size';
import { Stage, type StoreName } from './Stage';

const EVENTS = full ? 200 : 20;
const DELIVERIES = 10;

const table = new Table(`Storm: ${EVENTS} events, each delivered ${DELIVERIES} times at once`);
afterAll(() => table.print());

const cases: Array<{ mode: 'regular' | 'queue'; stores: StoreName[] }> = [
	{ mode: 'regular', stores: ['embedded', 'postgres'] },
	{ mode: 'queue', stores: ['postgres', 'redis'] },
];

describe.each(cases)('in $mode mode', ({ mode, stores }) => {
	let stage: Stage;
	beforeAll(async () => (stage = await Stage.open({ mode })));
	afterAll(() => stage?.close());

	it.each(stores)('%s: every event has one effect, every delivery its result', async (store) => {
		const place = await stage.ledger(store);
		const { url, workflowId } = await stage.publish('01-webhook-dedupe', place);
		const orders = Array.from({ length: EVENTS }, (_, i) => `${mode}-${store}-${i}`);

		// The deliveries of one event start together; a few events are under way at a time.
		const answers = await inPool(orders, 6, (orderId) =>
			Promise.all(Array.from({ length: DELIVERIES }, () => deliver(url, { orderId, amount: 42 }))),
		);

		const effects = byOrder(
			stage.world.of('shop').filter(({ body }) => orders.includes(String(body.orderId))),
		);
		const found = await events(place.ledger, workflowId);
		const all = answers.flat();
		table.add({
			mode,
			ledger: store,
			deliveries: all.length,
			'answered 2xx': all.filter(accepted).length,
			effects: [...effects.values()].flat().length,
			doubled: doubled(stage.world, 'shop').length,
			lost: orders.filter((orderId) => found.get(orderId)?.state !== 'done').length,
		});

		expect(all.filter((answer) => !accepted(answer))).toEqual([]);
		for (const [i, orderId] of orders.entries()) {
			const made = effects.get(orderId) ?? [];
			expect({ orderId, effects: made.length }).toEqual({ orderId, effects: 1 });
			const result = { status: 'created', order: made[0].id };
			expect(answers[i]).toEqual(Array(DELIVERIES).fill({ status: 200, body: result }));
			expect(found.get(orderId)).toMatchObject({ state: 'done', duplicates: DELIVERIES - 1 });
		}
	});
});
