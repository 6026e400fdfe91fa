/** Examples 7 to 10: what is stuck runs again, the dashboard is served, a trip undoes itself, and old orders are imported. */
import { until } from '../servers/ServerProcess';
import { events } from './findings';
import { impatient } from './recovering';
import { deliver } from './sender';
import { Stage, type StageLedger } from './Stage';
import { effectsOf, publishTrips, UNDONE } from './trips';

let stage: Stage;
let place: StageLedger;
beforeAll(async () => {
	stage = await Stage.open({ mode: 'regular' });
	place = await stage.ledger('embedded');
});
afterAll(() => stage?.close());

it('7: an order whose email was refused is run again by itself, and the owner hears of one in doubt', async () => {
	const { url, workflowId } = await stage.publish('07-recovery', place, impatient);
	stage.world.refuse('mail', 1, 409);
	expect(await deliver(url, { orderId: 'R1', amount: 9, email: 'kim@example.com' })).toMatchObject({
		status: 202,
		body: { status: 'accepted' },
	});
	await until('the order to be done', async () => {
		expect((await events(place.ledger, workflowId)).get('R1')).toMatchObject({ state: 'done' });
	});
	expect(stage.world.of('invoices')).toHaveLength(1);
	expect(stage.world.of('mail')).toHaveLength(1);
	expect((await events(place.ledger, workflowId)).get('R1')!.attempt).toBeGreaterThan(1);

	stage.world.refuse('mail', 10, 500);
	await deliver(url, { orderId: 'R2', amount: 9, email: 'kim@example.com' });
	await until('the owner to be told', async () => {
		expect(stage.world.of('chat').map(({ body }) => body)).toMatchObject([
			{ key: 'v1:field:R2', finished: ['invoice'] },
		]);
	});
	stage.world.refuse('mail', 0);
	expect((await events(place.ledger, workflowId)).get('R2')).toMatchObject({ state: 'review' });
	expect(stage.world.of('invoices')).toHaveLength(2);
});

it('8: the dashboard is a page with what happened so far', async () => {
	const { url } = await stage.publish('08-dashboard', place);
	const response = await fetch(url);
	expect(response.status).toBe(200);
	expect(response.headers.get('content-type')).toContain('text/html');
	const html = await response.text();
	expect(html).toContain('<h1>What the ledger did</h1>');
	expect(html).toContain('<svg');
	expect(html).not.toMatch(/<script|<link|<img|src=|href=|url\(/);
});

it('9: without a car, hotel and flight are cancelled, in this order, once', async () => {
	const { url } = await stage.publish('09-saga-undo', place);
	const trip = { tripId: 'T1', city: 'Lisbon' };
	stage.world.refuse('cars', 1, 409);
	expect(await deliver(url, trip)).toEqual({ status: 200, body: { status: 'undone' } });
	expect(await deliver(url, trip)).toEqual({ status: 200, body: { status: 'undone' } });
	expect(effectsOf(stage.world, 'T1')).toEqual(UNDONE);
	expect(await deliver(url, { tripId: 'T2', city: 'Porto' })).toEqual({
		status: 200,
		body: { status: 'booked' },
	});
});

it('9: n8n is killed in the middle of undoing; the next run goes on with it, in order, and does nothing twice', async () => {
	const { world } = stage;
	const send = (url: string, tripId: string) => deliver(url, { tripId, city: 'Lisbon' });
	// If asked again, there would be a car.
	world.refuse('cars', 3, 409);

	const cancelled = await publishTrips(stage, place, { after: 'Cancel Booking', service: 'a' });
	const marked = await publishTrips(stage, place, { after: 'Mark Undone', service: 'b' });
	const [beforeMarks, afterMarks] = [world.hold('a'), world.hold('b')];
	void send(cancelled.url, 'cancelled');
	void send(marked.url, 'marked');
	await Promise.all([beforeMarks.arrived, afterMarks.arrived]);

	const inDoubt = await publishTrips(stage, place);
	const cars = world.hold('cars');
	void send(inDoubt.url, 'in doubt');
	await cars.arrived;
	const flights = world.hold('flights');
	cars.release();
	await flights.arrived;
	expect(effectsOf(world, 'in doubt')).toEqual(UNDONE.slice(0, -1));

	await stage.n8n.main.kill();
	for (const { release } of [beforeMarks, afterMarks, flights]) release();
	await stage.n8n.main.restart();

	for (const [tripId, { url, workflowId }] of Object.entries({ cancelled, marked })) {
		await until('another run to take over', async () => {
			expect(await send(url, tripId)).toEqual({ status: 200, body: { status: 'undone' } });
		});
		expect(effectsOf(world, tripId)).toEqual(UNDONE);
		expect(await undone(workflowId, tripId)).toEqual(['hotel', 'flight']);
	}

	// The flight was cancelled, but nobody heard the answer: that is for a person to find out, and not tried again.
	await until('another run to give it to a person', async () => {
		expect(await send(inDoubt.url, 'in doubt')).toMatchObject({ body: { status: 'review' } });
	});
	expect(effectsOf(world, 'in doubt')).toEqual(UNDONE);
	expect(await undone(inDoubt.workflowId, 'in doubt')).toEqual([]);
	const address = { namespace: inDoubt.workflowId, key: 'v1:field:in doubt', by: 'olga' };
	for (const step of ['hotel', 'flight']) {
		expect(await place.ledger.markUndone([{ ...address, step }])).toMatchObject([{ ok: true }]);
	}
	await place.ledger.completeEvents([{ ...address, result: { status: 'undone' } }]);
	expect(await send(inDoubt.url, 'in doubt')).toEqual({ status: 200, body: { status: 'undone' } });
	expect(effectsOf(world, 'in doubt')).toEqual(UNDONE);
});

/** The steps of a trip that were marked undone, in order, each as often as it was. */
async function undone(namespace: string, tripId: string): Promise<Array<string | undefined>> {
	const history = await place.ledger.history({ namespace, key: `v1:field:${tripId}` });
	return history.filter(({ kind }) => kind === 'step_undone').map(({ step }) => step);
}

it('10: old orders are done without being run, and what differs is told', async () => {
	const { workflowId } = await stage.publish('10-backfill', place);
	stage.world.offer('shop', { orders: [1, 2, 3].map((number) => ({ number: `B-${number}` })) });
	const run = async (trigger: string) => {
		const id = await stage.n8n.api.runFrom(workflowId, trigger);
		await until('the run to end', async () => {
			expect((await stage.n8n.api.execution(id)).status).toBe('success');
		});
	};
	await run('Run by Hand');
	const imported = await events(place.ledger, 'orders');
	expect([...imported.values()].map(({ state, attempt }) => [state, attempt])).toEqual(
		Array(3).fill(['done', 0]),
	);

	const before = stage.world.of('chat').length;
	stage.world.offer('shop', { orders: [{ number: 'B-1' }, { number: 'B-2' }, { number: 'B-4' }] });
	await run('Every Monday');
	const told = stage.world.of('chat').slice(before);
	expect(told.map(({ body }) => [body.status, body.key]).sort()).toEqual([
		['extra', 'v1:field:B-3'],
		['missing', 'v1:field:B-4'],
	]);
});
