import { RecordLedger } from '../../ledger/RecordLedger';
import {
	claim,
	complete,
	deliver,
	gate,
	idempotency,
	outcomes,
	stepDone,
	stored,
	withOutputs,
} from './events';
import { onEveryLedger } from './ledgers';

onEveryLedger((on) => {
	it('waits for the first run and gives its result', async () => {
		const work = gate('work');
		const flow = withOutputs([
			claim({ waitSeconds: 30 }),
			{ name: 'Work', type: 'work' },
			complete({ result: '={{ { answer: 42 } }}' }),
		]);
		const nodes = [work.node];
		const first = deliver(on, flow, [{ id: 'a' }], { nodes });
		await work.reached;
		const looks = jest.spyOn(RecordLedger.prototype, 'get');
		const second = deliver(on, flow, [{ id: 'a' }], { nodes });
		while (looks.mock.calls.length < 2) await new Promise((done) => setTimeout(done, 20));
		looks.mockRestore();
		work.open();
		await first;
		expect(idempotency(await second, 'Duplicate')).toMatchObject([
			{ outcome: 'duplicate', result: { answer: 42 }, first: { duplicates: 1 } },
		]);
	});

	it('goes on instead of the first run, if that one gives up', async () => {
		const work = gate('work');
		const fail = { name: 'Fail', type: 'markStepDone', parameters: { operation: 'failEvent' } };
		const flow = withOutputs([claim({ waitSeconds: 30 }), { name: 'Work', type: 'work' }, fail]);
		const nodes = [work.node];
		const first = deliver(on, flow, [{ id: 'a' }], { nodes });
		await work.reached;
		const second = deliver(on, flow, [{ id: 'a' }], { nodes });
		work.open();
		await first;
		expect(idempotency(await second, 'Claim Event')).toMatchObject([{ outcome: 'retry' }]);
	});

	it('tells a double submit from a redelivery by the business key', async () => {
		const options = { businessKey: '={{ $json.order }}' };
		const finish = complete({ result: '={{ { order: $json.order } }}' });
		const flow = withOutputs([claim(options), finish]);
		await deliver(on, flow, [{ id: 'd1', order: 'o1' }]);
		const redelivered = await deliver(on, flow, [{ id: 'd1', order: 'o1' }]);
		const submitted = await deliver(on, flow, [{ id: 'd2', order: 'o1' }]);
		const again = await deliver(on, flow, [{ id: 'd2', order: 'o1' }]);
		expect(idempotency(redelivered, 'Duplicate')).toMatchObject([
			{ outcome: 'duplicate', duplicateKind: 'redelivery', result: { order: 'o1' } },
		]);
		expect(idempotency(submitted, 'Duplicate')).toMatchObject([
			{ outcome: 'duplicate', duplicateKind: 'double_submit', result: { order: 'o1' } },
		]);
		expect(idempotency(again, 'Duplicate')).toMatchObject([
			{ outcome: 'duplicate', result: { order: 'o1' } },
		]);
	});

	it('never runs the steps of an event again for another delivery with its business key', async () => {
		const options = { businessKey: '={{ $json.order }}' };
		const fail = { name: 'Fail', type: 'markStepDone', parameters: { operation: 'failEvent' } };
		const flow = withOutputs([claim(options), stepDone('charge'), fail]);
		await deliver(on, flow, [{ id: 'd1', order: 'o1' }]);
		const other = await deliver(on, flow, [{ id: 'd2', order: 'o1' }]);
		expect(idempotency(other, 'Needs Review')).toMatchObject([
			{ outcome: 'review', duplicateKind: 'double_submit' },
		]);
		expect(idempotency(other, 'Needs Review')[0].reason).toMatch("The delivery 'd1'");
		// There is nothing of it to keep alive, and nothing that could be claimed.
		expect(await stored(on, flow.id, 'd2')).toBeUndefined();

		const retried = await deliver(on, flow, [{ id: 'd1', order: 'o1' }]);
		expect(idempotency(retried, 'Claim Event')).toMatchObject([
			{ outcome: 'retry', attempt: 2, steps: { charge: { state: 'done' } } },
		]);
		expect((await stored(on, flow.id, 'd1')).event.alias).toBe('o1');
	});

	it('lets one of several deliveries with the same business key through', async () => {
		const flow = withOutputs([claim({ businessKey: '={{ $json.order }}' })]);
		const ids = Array.from({ length: 6 }, (_, i) => `d${i}`);
		const together = await deliver(
			on,
			flow,
			ids.map((id) => ({ id, order: 'o1' })),
		);
		const others = await Promise.all(
			ids.map((id) => deliver(on, flow, [{ id: `${id} too`, order: 'o1' }])),
		);
		const all = [together, ...others].map((run) => outcomes(run));
		expect(all.flatMap(([won]) => won)).toEqual(['new']);
		expect(all.flatMap(([, lost]) => lost)).toEqual(Array(11).fill('in_progress'));
	});

	it('waits for the first run of the event that has the business key', async () => {
		const work = gate('work');
		const options = { businessKey: '={{ $json.order }}', waitSeconds: 30 };
		const finish = complete({ result: '={{ { id: $json.id } }}' });
		const flow = withOutputs([claim(options), { name: 'Work', type: 'work' }, finish]);
		const nodes = [work.node];
		const first = deliver(on, flow, [{ id: 'd1', order: 'o1' }], { nodes });
		await work.reached;
		const second = deliver(on, flow, [{ id: 'd2', order: 'o1' }], { nodes });
		work.open();
		await first;
		expect(idempotency(await second, 'Duplicate')).toMatchObject([
			{ outcome: 'duplicate', duplicateKind: 'double_submit', result: { id: 'd1' } },
		]);
	});
});
